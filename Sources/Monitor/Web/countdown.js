import { h, setAttribute, setText } from './dom.js';

/** The self-timer over the pictures, for everybody who looks: how many seconds, and a way to stop it. */
export class Countdown {
  #number = h('span', { class: 'countdown-number' });
  #cancel;
  element;

  constructor(cancel) {
    this.#cancel = h('button', { type: 'button', onclick: cancel }, 'Cancel');
    this.element = h('div', { class: 'countdown', role: 'timer', 'aria-live': 'assertive', hidden: true }, this.#number, this.#cancel);
  }

  /** The rig tells each second. */
  update({ state, role }) {
    const countdown = state?.photo?.countdown;
    setAttribute(this.element, 'hidden', !countdown);
    setAttribute(this.#cancel, 'hidden', role === 'viewer');
    if (countdown) setText(this.#number, String(countdown.seconds));
  }
}
