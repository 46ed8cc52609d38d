import { h, setAttribute, setText } from './dom.js';

/** The self-timer over the pictures, for everybody who looks: how many seconds, and a way to stop it. */
export class Countdown {
  #number = h('span', { class: 'countdown-number' });
  #cancel;
  #told = null;
  element;

  constructor(cancel) {
    this.#cancel = h('button', { type: 'button', onclick: cancel }, 'Cancel');
    this.element = h('div', { class: 'countdown', role: 'timer', 'aria-live': 'assertive', hidden: true }, this.#number, this.#cancel);
  }

  /** The rig tells each second: `{shot, secondsLeft}`. */
  tell(countdown) {
    this.#told = countdown;
  }

  update({ state, role }) {
    const countdown = state?.photo?.countdown;
    setAttribute(this.element, 'hidden', !countdown);
    setAttribute(this.#cancel, 'hidden', role === 'viewer');
    if (!countdown) return;
    const left = this.#told?.shot === countdown.shot ? this.#told.secondsLeft : Math.ceil(countdown.seconds);
    setText(this.#number, String(left));
  }
}
