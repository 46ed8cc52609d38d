import { field } from './dialog.js';
import { h, setAttribute } from './dom.js';
import { LatestWins } from './latest-wins.js';
import { RigSlider } from './rig-slider.js';

/**
 * How loud a microphone is, whether it is mute, and by how much it is early or late. Each change counts at once; what another monitor or
 * program changes is shown, but for what somebody here moves or types.
 */
export class MicrophoneSettings {
  #link;
  #toasts;
  #id;
  #unit = 'dB';
  #gain;
  #gainRow;
  #muted = h('input', { type: 'checkbox', role: 'switch' });
  #mutedRow = h('label', { class: 'switch-row' }, h('span', {}, 'Mute'), this.#muted);
  #offset = h('input', { type: 'text', inputmode: 'numeric', autocomplete: 'off' });
  #sender;
  element;

  constructor(id, link, toasts) {
    this.#id = id;
    this.#link = link;
    this.#toasts = toasts;
    const follow = () => this.update(this.#link.state?.microphones?.[id]);
    this.#sender = new LatestWins((key, value) => link.call('microphone.set', { microphone: id, [key]: value }),
      (key, granted, refusal) => this.#settled(key, granted, refusal), follow);
    this.#gain = new RigSlider({ sender: this.#sender, key: () => 'gain', words: (value) => `${value} ${this.#unit}`, released: follow });
    this.#gain.input.id = `microphone-gain-${id}`;
    this.#gainRow = h('div', { class: 'control' },
      h('div', { class: 'control-head' }, h('label', { for: this.#gain.input.id }, 'Gain'), this.#gain.output), this.#gain.input);
    this.#muted.addEventListener('change', () => this.#sender.set('muted', this.#muted.checked));
    this.#offset.addEventListener('change', () => {
      const text = this.#offset.value.trim();
      if (/^[-+]?\d+$/.test(text)) this.#sender.set('offsetMilliseconds', Number(text));
      else toasts.say('Write whole milliseconds, such as 40 or -15.', 'alarm');
    });
    // What was typed and not meant gives way to what is.
    this.#offset.addEventListener('blur', follow);
    this.element = h('div', { class: 'microphone-details' }, this.#gainRow, this.#mutedRow,
      field('Sound later by (ms)', this.#offset, 'Negative: earlier. For a camera whose pictures come late.'));
  }

  /** As the rig tells it; nothing while it tells nothing. */
  update(microphone) {
    if (!microphone) return;
    const { gain, muted, offsetMilliseconds = 0 } = microphone;
    setAttribute(this.#gainRow, 'hidden', !gain);
    if (gain) {
      this.#unit = gain.unit ?? 'dB';
      this.#gain.range(gain.minimum, gain.maximum, gain.step || 'any');
      this.#gain.follow(gain.value);
    }
    setAttribute(this.#mutedRow, 'hidden', muted === undefined);
    if (!this.#sender.isBusy('muted')) this.#muted.checked = muted === true;
    const isTyped = document.activeElement === this.#offset;
    if (!isTyped && !this.#sender.isBusy('offsetMilliseconds')) this.#offset.value = String(offsetMilliseconds);
  }

  #settled(key, granted, refusal) {
    if (refusal) this.#toasts.refuse(refusal);
    const known = granted ?? this.#link.state?.microphones?.[this.#id] ?? {};
    if (key === 'gain') this.#gain.settle(known.gain?.value);
    if (key === 'muted') this.#muted.checked = known.muted === true;
    if (key === 'offsetMilliseconds' && granted) this.#toasts.say(`The sound is moved by ${granted.offsetMilliseconds ?? 0} ms.`);
  }
}
