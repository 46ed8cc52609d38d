import { iconButton, setAttribute, setIcon } from './dom.js';
import { microphonesOf } from './microphones.js';
import { SoundPlayer } from './sound-player.js';
import { count } from './text.js';

/** What is wrong with the others, their rows say. */
const HEARABLE = ['idle', 'starting', 'streaming'];

/** Listens to the microphone of the large camera, once somebody has asked for it, and to the next one's when that is chosen. */
export class ListenButton {
  #player;
  #microphone = null;
  #isOn = false;
  element = iconButton('silent', 'Listen', () => this.#toggle(), { class: 'icon-button listen', hidden: true });

  constructor(media) {
    this.#player = new SoundPlayer(media);
  }

  update(camera, { microphones }) {
    this.#microphone = microphonesOf(microphones, camera.id).find(({ state }) => HEARABLE.includes(state)) ?? null;
    setAttribute(this.element, 'hidden', !this.#microphone);
    this.#follow();
  }

  /** No camera is large. */
  rest() {
    this.#microphone = null;
    this.#follow();
  }

  #toggle() {
    this.#isOn = !this.#isOn;
    this.#follow();
  }

  #follow() {
    const player = this.#player;
    if (this.#isOn && this.#microphone) player.play(this.#microphone.id);
    else if (player.microphone) player.stop();
    const isPlaying = Boolean(player.microphone);
    setAttribute(this.element, 'aria-pressed', isPlaying ? 'true' : 'false');
    // For tests and styles: whether sound has come.
    setAttribute(this.element, 'data-heard', isPlaying && player.isHeard);
    setIcon(this.element, isPlaying ? 'listen' : 'silent');
    if (!this.#microphone) return;
    const words = isPlaying ? `Stop listening to ${this.#microphone.name}` : `Listen to ${this.#microphone.name}`;
    setAttribute(this.element, 'aria-label', words);
    const lost = player.skipped > 0 ? `${count(player.skipped, 'piece')} of 20 ms left out` : '';
    setAttribute(this.element, 'title', [words, isPlaying ? player.refusal || lost : ''].filter(Boolean).join('. '));
  }
}
