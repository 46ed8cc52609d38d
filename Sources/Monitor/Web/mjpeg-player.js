import { h, iconButton, setAttribute, setIcon, setText } from './dom.js';
import { MultipartReader } from './multipart.js';
import { PictureSlot } from './picture-slot.js';
import { clipLength } from './text.js';

const TICK = 100;
const TEXT = new TextDecoder();
/** A slider that is dragged asks for a picture when it comes to rest. */
const SETTLE = 150;

/** The rig's disk gives no picture any more; the message says why. */
class DiskTrouble extends Error {}

/** What stands in the place of a picture; null: it is one. */
export function wordsOf(part) {
  return part[0] === 0xff && part[1] === 0xd8 ? null : TEXT.decode(part);
}

/**
 * Plays an MJPEG clip, which no browser plays as a movie: the rig streams its pictures in real time. Read by `fetch` and
 * not by an `<img>`, which does not tell when a picture has come, and in Chromium stays empty when the same stream is
 * asked for again. Resting, the last picture stays and no connection is held.
 */
export class MJPEGPlayer {
  element;
  #address;
  #seconds;
  #screen = h('canvas', { class: 'mjpeg-screen', width: 16, height: 9, role: 'img' });
  #play = iconButton('play', 'Play', () => this.toggle());
  #seek;
  #time = h('span', { class: 'player-time' });
  #said = h('p', { class: 'hint player-said', role: 'status' });
  #from = 0;
  /** Where the picture is from that is shown. */
  #shownFrom = 0;
  #startedAt = null;
  #timer = null;
  #settle = null;
  #plays;
  #stream = null;

  /** `address`: of the clip's pictures. `plays`: at once. */
  constructor(address, seconds, label, plays) {
    this.#address = address;
    this.#seconds = seconds;
    this.#plays = plays;
    this.#seek = h('input', {
      type: 'range', min: 0, max: Math.max(seconds, 0.1), step: 0.1, value: 0, 'aria-label': 'Position',
      oninput: () => this.#moved(),
    });
    setAttribute(this.#screen, 'aria-label', label);
    this.element = h('div', { class: 'mjpeg-player', role: 'group', 'aria-label': label },
      this.#screen, h('div', { class: 'player-bar' }, this.#play, this.#seek, this.#time), this.#said);
    this.#load();
    this.#show();
  }

  toggle() {
    if (this.#plays) {
      this.#rest();
      return;
    }
    if (this.#position >= this.#seconds - 0.05) this.#from = 0;
    this.#plays = true;
    this.#load();
    this.#show();
  }

  /** Ends the connection. The element is of no use afterwards. */
  close() {
    this.#plays = false;
    this.#letGo();
  }

  get #position() {
    if (this.#startedAt === null) return this.#from;
    return Math.min(this.#seconds, this.#from + (performance.now() - this.#startedAt) / 1000);
  }

  #moved() {
    this.#letGo();
    this.#from = Number(this.#seek.value);
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#load(), SETTLE);
    this.#show();
  }

  #rest() {
    this.#from = this.#position;
    this.#plays = false;
    this.#letGo();
    this.#show();
  }

  #letGo() {
    clearInterval(this.#timer);
    clearTimeout(this.#settle);
    this.#startedAt = null;
    this.#stream?.abort();
    this.#stream = null;
  }

  async #load() {
    this.#letGo();
    setText(this.#said, '');
    const stream = new AbortController();
    this.#stream = stream;
    try {
      await this.#read(stream);
    } catch (error) {
      if (stream.signal.aborted) return;
      if (error instanceof DiskTrouble) {
        setText(this.#said, `No picture comes: ${error.message}`);
        this.#from = this.#shownFrom;
        this.#startedAt = null;
      } else {
        setText(this.#said, `The clip cannot be played here: ${error.message} It can be downloaded.`);
      }
    }
    if (stream !== this.#stream) return;
    // The stream is over, so the clip is.
    this.#from = this.#plays && this.#startedAt !== null ? this.#seconds : this.#from;
    this.#plays = false;
    this.#letGo();
    this.#show();
  }

  async #read(stream) {
    const response = await fetch(`${this.#address}?from=${this.#from.toFixed(3)}`, { signal: stream.signal, cache: 'no-store' });
    if (!response.ok) {
      const refusal = (await response.json().catch(() => ({}))).error ?? `The rig answered ${response.status}.`;
      throw response.status === 503 ? new DiskTrouble(refusal) : new Error(refusal);
    }
    const parts = new MultipartReader();
    const slot = new PictureSlot();
    const network = response.body.getReader();
    for (;;) {
      const { done, value } = await network.read();
      if (done) return;
      for (const part of parts.push(value)) {
        const words = wordsOf(part);
        if (words !== null) throw new DiskTrouble(words);
        const show = slot.arrived(new Blob([part], { type: 'image/jpeg' }));
        if (show) this.#draw(show, slot, stream);
      }
    }
  }

  async #draw(jpeg, slot, stream) {
    try {
      const picture = await createImageBitmap(jpeg);
      if (stream === this.#stream) this.#paint(picture);
      picture.close();
    } catch {
      // A picture that cannot be decoded is left out.
    }
    const show = slot.shown();
    if (show && stream === this.#stream) this.#draw(show, slot, stream);
  }

  #paint(picture) {
    if (this.#screen.width !== picture.width || this.#screen.height !== picture.height) {
      this.#screen.width = picture.width;
      this.#screen.height = picture.height;
    }
    this.#screen.getContext('2d').drawImage(picture, 0, 0);
    this.#shownFrom = this.#position;
    if (!this.#plays) {
      this.#letGo(); // Resting, one picture is enough.
    } else if (this.#startedAt === null) {
      this.#startedAt = performance.now();
      this.#timer = setInterval(() => this.#show(), TICK);
    }
  }

  #show() {
    setIcon(this.#play, this.#plays ? 'pause' : 'play');
    setAttribute(this.#play, 'aria-label', this.#plays ? 'Pause' : 'Play');
    setAttribute(this.#play, 'title', this.#plays ? 'Pause (Space)' : 'Play (Space)');
    setAttribute(this.element, 'data-plays', this.#plays);
    this.#seek.value = this.#position;
    setAttribute(this.#seek, 'aria-valuetext', clipLength(this.#position));
    setText(this.#time, `${clipLength(this.#position)} / ${clipLength(this.#seconds)}`);
  }
}
