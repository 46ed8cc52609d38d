import { h, icon, setAttribute, setText } from './dom.js';
import { PhotoShutter } from './photo-shutter.js';
import { ShutterAim } from './shutter-aim.js';
import { byteSize, roughTime, timecode } from './text.js';
import { TimelapseShutter } from './timelapse-shutter.js';
import { VideoShutter } from './video-shutter.js';

/** A second press within this time after the answer is the same finger, not another wish. */
const GUARD = 700;
const KEPT = 'camrig.mode';
const WORDS = { photo: 'Photo', video: 'Video', timelapse: 'Timelapse' };

/** The shutter with its modes, how long a take has been running, and for how long there is room. */
export class ShutterDeck {
  element;
  #link;
  #toasts;
  #video;
  #shutters;
  #mode = 'video';
  #timecode = h('span', { class: 'timecode', role: 'timer' });
  #word = h('span', { class: 'deck-word' });
  #button;
  #modes;
  #modeButtons;
  #options = h('div', { class: 'deck-options' });
  #extra;
  #space = h('span', { class: 'space' });
  #left = h('span', { class: 'left' });
  #guardUntil = 0;
  #isPressed = false;
  #model = null;

  /** `extra`: elements that stand beside the options in every mode. */
  constructor({ link, toasts, askName, extra = [] }) {
    this.#link = link;
    this.#toasts = toasts;
    const changed = () => this.#model && this.update(this.#model);
    const parts = { link, toasts, askName, changed, aim: new ShutterAim(changed) };
    this.#video = new VideoShutter(parts);
    this.#shutters = { photo: new PhotoShutter(parts), video: this.#video, timelapse: new TimelapseShutter(parts) };
    this.#extra = extra;
    this.#button = h('button', { type: 'button', class: 'record', onclick: () => this.press() }, h('span', { class: 'record-dot' }));
    this.#modeButtons = Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, h('button', {
      type: 'button', class: 'mode', 'data-mode': name, 'aria-label': words, title: `${words} (M)`, onclick: () => this.#choose(name),
    }, icon(name), h('span', {}, words))]));
    this.#modes = h('div', { class: 'modes', role: 'group', 'aria-label': 'Mode' }, Object.values(this.#modeButtons));
    this.element = h('section', { class: 'deck', 'aria-label': 'Shutter' },
      h('div', { class: 'deck-half' },
        h('div', { class: 'deck-side' }, this.#options, extra), h('div', { class: 'deck-time' }, this.#timecode, this.#word)),
      this.#button,
      h('div', { class: 'deck-half' }, h('div', { class: 'deck-room' }, this.#left, this.#space), this.#modes));
    const kept = localStorage.getItem(KEPT);
    this.#show(WORDS[kept] ? kept : 'video');
  }

  get mode() {
    return this.#mode;
  }

  nextMode() {
    if (!this.#model || this.#modes.hidden) return;
    const names = Object.keys(WORDS);
    this.#choose(names[(names.indexOf(this.#mode) + 1) % names.length]);
  }

  #choose(mode) {
    localStorage.setItem(KEPT, mode);
    this.#show(mode);
    if (this.#model) this.update(this.#model);
  }

  #show(mode) {
    this.#mode = mode;
    this.#options.replaceChildren(...this.#shutters[mode].options);
  }

  update(model) {
    this.#model = model;
    const { state, link, role } = model;
    const { recording, disk } = state;
    const mayOperate = role !== 'viewer';
    // A rig that takes no photos offers none.
    const hasModes = mayOperate && state.photo !== undefined;
    if (!hasModes && this.#mode !== 'video') this.#show('video');
    const shutter = this.#shutters[this.#mode];
    shutter.update(model);
    const face = shutter.face(model);

    setAttribute(this.element, 'data-recording', Boolean(recording));
    setAttribute(this.element, 'data-mode', this.#mode);
    setAttribute(this.element, 'data-running', face.isRunning);
    setAttribute(this.element, 'data-role', role);
    setText(this.#timecode, face.time || (recording ? timecode(this.#video.seconds(model)) : ''));
    setText(this.#word, link.isLive ? face.word : 'Not connected');

    setAttribute(this.#modes, 'hidden', !hasModes);
    for (const [name, button] of Object.entries(this.#modeButtons)) {
      setAttribute(button, 'aria-pressed', name === this.#mode ? 'true' : 'false');
    }
    setAttribute(this.#options, 'hidden', !mayOperate);
    for (const element of this.#extra) setAttribute(element, 'data-role', role);

    setAttribute(this.#button, 'hidden', !mayOperate);
    setAttribute(this.#button, 'aria-label', face.label);
    setAttribute(this.#button, 'title', face.title);
    setAttribute(this.#button, 'aria-disabled', this.#isHeld(face) ? 'true' : 'false');
    setAttribute(this.#button, 'data-waits', face.waits);

    setText(this.#left, disk?.secondsLeft === undefined ? '' : `${roughTime(disk.secondsLeft)} left`);
    setText(this.#space, disk?.freeBytes === undefined ? '' : `${byteSize(disk.freeBytes)} free`);
  }

  #isHeld(face) {
    return !this.#link.isLive || this.#isPressed || face.isHeld || performance.now() < this.#guardUntil;
  }

  async press() {
    const model = this.#model;
    if (!model?.state || model.role === 'viewer') return;
    if (!this.#link.isLive) {
      this.#toasts.say('There is no connection to the rig: nothing was started or stopped.', 'alarm');
      return;
    }
    const shutter = this.#shutters[this.#mode];
    if (this.#isHeld(shutter.face(model))) return;
    this.#isPressed = true;
    try {
      await shutter.press(model);
    } finally {
      this.#isPressed = false;
      this.#guardUntil = performance.now() + GUARD;
      this.update(this.#model);
    }
  }
}
