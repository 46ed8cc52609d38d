import { h, icon, setAttribute } from './dom.js';
import { count } from './text.js';

/** Of which cameras a shutter takes pictures: of the one that is large, or of all. One choice for photos and timelapses. */
export class ShutterAim {
  #takesAll = false;
  #large = '';
  #isShown = false;
  #buttons = [];
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** A button for the options of a shutter. */
  button() {
    const made = h('button', {
      type: 'button', class: 'deck-button aim', 'aria-label': 'All cameras', title: 'All cameras, not the large one alone',
      onclick: () => {
        this.#takesAll = !this.#takesAll;
        this.#changed();
      },
    }, icon('live'), h('span', {}, 'All'));
    this.#buttons.push(made);
    return made;
  }

  update({ state, route }, isFixed = false) {
    this.#large = route.view === 'live' && state.cameras[route.camera] ? route.camera : '';
    this.#isShown = Boolean(this.#large) && Object.keys(state.cameras).length > 1;
    for (const made of this.#buttons) {
      setAttribute(made, 'hidden', !this.#isShown || isFixed);
      setAttribute(made, 'aria-pressed', this.#takesAll ? 'true' : 'false');
    }
  }

  /** The camera that is aimed at alone; empty for all. */
  get camera() {
    return this.#takesAll ? '' : this.#large;
  }

  /** As a method's parameter. */
  get params() {
    return this.camera ? { cameras: [this.camera] } : {};
  }

  words({ cameras }) {
    if (this.camera) return cameras[this.camera].name;
    return count(Object.values(cameras).filter((camera) => camera.enabled && camera.state !== 'offline').length, 'camera');
  }
}
