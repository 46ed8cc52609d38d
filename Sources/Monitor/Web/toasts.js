import { h, iconButton } from './dom.js';

const STAYS = 8000;
const MOST = 3;

/** Short answers to what somebody just did: a refusal, a success. */
export class Toasts {
  element = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  /** A window over the page covers all that is not in it: while one is open, the toasts are. */
  followDialogs(home, signal) {
    document.addEventListener('close', () => home.append(this.element), { capture: true, signal });
  }

  say(text, level = 'note') {
    document.querySelector('dialog[open]')?.append(this.element);
    const toast = h('div', { class: 'toast', 'data-level': level },
      h('span', {}, text),
      iconButton('close', 'Dismiss', () => toast.remove()));
    this.element.append(toast);
    while (this.element.children.length > MOST) this.element.firstElementChild.remove();
    setTimeout(() => toast.remove(), STAYS);
  }

  refuse(error) {
    this.say(error.message, 'alarm');
  }
}
