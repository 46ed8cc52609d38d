import { h, setAttribute, setText } from './dom.js';
import { askToPair, PairingRefusal, pairingOutcome } from './session.js';

const LOOK = 2000;

/** Instead of a code: a paired monitor lets this browser in, once a person has seen the same digits on both. */
export class ApprovalAsking {
  element;
  #digits = h('output', { class: 'code' });
  #waiting;
  #error = h('p', { class: 'form-error', role: 'alert', hidden: true });
  #button = h('button', { type: 'button', class: 'ask-button', onclick: () => this.#ask() }, 'Ask a paired monitor');
  #name;
  #done;
  #timer = null;

  /** `name()`: of this device; empty where it has none yet. */
  constructor({ name, done }) {
    this.#name = name;
    this.#done = done;
    this.#waiting = h('div', { class: 'approval-waiting', role: 'status', hidden: true },
      h('p', {}, 'Compare these digits with those that a paired monitor shows now, and allow it there:'),
      this.#digits,
      h('button', { type: 'button', onclick: () => this.#stop('') }, 'Cancel'));
    this.element = h('div', { class: 'approval-asking' },
      h('p', { class: 'hint' }, 'No code at hand?'), this.#button, this.#waiting, this.#error);
  }

  async #ask() {
    const name = this.#name();
    if (!name) return this.#stop('Give this device a name first.');
    this.#button.disabled = true;
    this.#say('');
    try {
      const { request, check } = await askToPair(name);
      setText(this.#digits, check);
      setAttribute(this.#waiting, 'hidden', false);
      setAttribute(this.#button, 'hidden', true);
      this.#lookSoon(request);
    } catch (refusal) {
      this.#stop(refusal.message);
    }
    return undefined;
  }

  #lookSoon(request) {
    this.#timer = setTimeout(() => this.#look(request), LOOK);
  }

  async #look(request) {
    const mine = this.#timer;
    let state = 'waiting';
    try {
      ({ state } = await pairingOutcome(request));
    } catch (refusal) {
      if (refusal instanceof PairingRefusal) return this.#stop(refusal.message);
      // The network comes back, or the person gives up.
    }
    if (mine !== this.#timer || !this.element.isConnected) return undefined;
    if (state === 'approved') return this.#done();
    if (state === 'denied') return this.#stop('A paired monitor has said no.');
    if (state !== 'waiting') return this.#stop('No paired monitor has decided in time. Ask again, or use a code.');
    return this.#lookSoon(request);
  }

  #stop(why) {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#button.disabled = false;
    setAttribute(this.#button, 'hidden', false);
    setAttribute(this.#waiting, 'hidden', true);
    this.#say(why);
  }

  #say(text) {
    setText(this.#error, text);
    setAttribute(this.#error, 'hidden', !text);
  }
}
