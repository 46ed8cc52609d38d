import { ApprovalAsking } from './approval-asking.js';
import { field } from './dialog.js';
import { h, setAttribute, setText } from './dom.js';
import { codeOfFragment, deviceName, fingerprintText, tidyCode } from './pairing-code.js';
import { pair } from './session.js';

/** What a browser sees that the rig does not know yet. */
export class PairingView {
  element;
  #code;
  #name;
  #button = h('button', { class: 'primary large' }, 'Pair');
  #error = h('p', { class: 'form-error', role: 'alert', hidden: true });
  #done;
  #timer = null;

  /** `why`: what happened, where this browser was paired before. */
  constructor({ rig, why, done }) {
    this.#done = done;
    this.#code = h('input', {
      type: 'text', class: 'code-input', inputmode: 'numeric', autocomplete: 'one-time-code',
      autocorrect: 'off', spellcheck: 'false', maxlength: 24, required: true, placeholder: '1234 5678', enterkeyhint: 'go',
    });
    this.#name = h('input', { type: 'text', maxlength: 64, required: true, autocomplete: 'off', value: deviceName(navigator.userAgent) });
    const form = h('form', { class: 'pairing-form', novalidate: true, onsubmit: (event) => this.#submit(event) },
      field('Pairing code', this.#code),
      field('Name of this device', this.#name, 'So that others recognise it in the list of monitors.'),
      this.#error, this.#button);
    this.element = h('main', { class: 'pairing-view' },
      h('div', { class: 'pairing-card' },
        h('img', { src: '/assets/icon.svg', alt: '', width: 48, height: 48 }),
        h('h1', {}, rig?.name ?? 'camrig'),
        why ? h('p', { class: 'form-error' }, why) : null,
        h('p', {}, 'This browser is not paired with the rig yet.'),
        form,
        h('p', { class: 'hint' }, 'For a code, run ', h('code', {}, 'camrigctl pair'),
          ' on the rig, or ask for one on a paired monitor under Monitors. It is good once, for ten minutes.'),
        new ApprovalAsking({
          name: () => this.#name.value.trim(),
          done: () => {
            history.replaceState(null, '', '/#/live');
            this.#done();
          },
        }).element,
        certificate(rig)));
    const code = codeOfFragment(location.hash);
    if (code) this.#fill(code);
    addEventListener('hashchange', () => {
      const next = codeOfFragment(location.hash);
      if (next && this.element.isConnected) this.#fill(next);
    });
  }

  focus() {
    (this.#code.value ? this.#button : this.#code).focus();
  }

  #fill(code) {
    this.#code.value = code;
  }

  async #submit(event) {
    event.preventDefault();
    const code = tidyCode(this.#code.value);
    this.#code.value = code;
    const name = this.#name.value.trim();
    if (!code) return this.#refuse('Type the code that camrigctl pair shows.', this.#code);
    if (!name) return this.#refuse('Give this device a name.', this.#name);
    this.#button.disabled = true;
    setText(this.#button, 'Pairing…');
    try {
      const session = await pair(code, name);
      // The code is used up; it need not stay in the address.
      history.replaceState(null, '', '/#/live');
      this.#done(session);
    } catch (refusal) {
      this.#refuse(refusal.message, this.#code);
      this.#wait(refusal.retryAfter ?? 0);
    }
  }

  #refuse(message, input) {
    setText(this.#error, message);
    setAttribute(this.#error, 'hidden', false);
    input.focus();
    input.select();
  }

  #wait(seconds) {
    clearTimeout(this.#timer);
    this.#button.disabled = seconds > 0;
    setText(this.#button, seconds > 0 ? `Try again in ${seconds} s` : 'Pair');
    if (seconds > 0) this.#timer = setTimeout(() => this.#wait(seconds - 1), 1000);
  }
}

function certificate(rig) {
  if (!rig?.fingerprint) return null;
  return h('details', { class: 'certificate' },
    h('summary', {}, 'The browser calls the connection unsafe?'),
    h('p', { class: 'hint' }, 'The rig vouches for itself with a certificate of its own. Install it once on this device, and the warning '
      + 'is gone. Before you do, compare its fingerprint with the one that camrigctl pair shows:'),
    h('p', { class: 'fingerprint' }, fingerprintText(rig.fingerprint)),
    h('a', { class: 'button', href: '/ca.crt', download: 'camrig-ca.crt' }, 'Download the rig\'s certificate'));
}
