import { recordingOf } from './camera-words.js';
import { field } from './dialog.js';
import { h, setAttribute, setText } from './dom.js';
import { LatestWins } from './latest-wins.js';
import { camerasOf, microphonesInOrder, microphoneWords, othersText, withCamera } from './microphones.js';

/**
 * Which microphones go with a camera, how loud each is, and by how much it is early or late. One may go with several cameras; one that
 * is switched off goes into no take until it is on again. Nothing where the rig has none. `rest()` ends it.
 */
export function microphoneForm({ camera, link, toasts }) {
  const all = microphonesInOrder(link.state.microphones);
  if (all.length === 0) return null;
  const rows = all.map((microphone) => new MicrophoneRow(microphone.id, camera, link, toasts));
  return {
    element: h('section', { class: 'sound-form', 'aria-label': 'Sound' }, h('h3', {}, 'Microphones'), rows.map(({ element }) => element)),
    rest: link.changed.subscribe(() => rows.forEach((row) => row.follow())),
  };
}

/** One microphone, seen from one camera. What the rig tells is what is shown. */
class MicrophoneRow {
  #id;
  #camera;
  #link;
  #toasts;
  #switch = h('input', { type: 'checkbox', role: 'switch' });
  #words = h('span', { class: 'hint' });
  #details = h('div', { class: 'microphone-details' });
  #actions = h('div', { class: 'actions start' });
  #form = '';
  element;

  constructor(id, camera, link, toasts) {
    this.#id = id;
    this.#camera = camera;
    this.#link = link;
    this.#toasts = toasts;
    const microphone = this.#present;
    this.#switch.addEventListener('change', () => this.#choose(this.#switch.checked));
    this.element = h('div', { class: 'microphone', 'data-microphone': id },
      h('label', { class: 'switch-row' }, h('span', {}, h('span', { class: 'microphone-name' }, microphone.name), this.#words), this.#switch),
      this.#details, this.#actions);
    this.#show(microphone);
  }

  get #present() {
    return { ...this.#link.state?.microphones?.[this.#id], id: this.#id };
  }

  /** Another monitor may have changed it. One that was forgotten stays as it was. */
  follow() {
    if (this.#present.name !== undefined) this.#show(this.#present);
  }

  #show(microphone) {
    const isOn = microphone.enabled !== false;
    const isWith = camerasOf(microphone).includes(this.#camera.id);
    setAttribute(this.element, 'data-off', !isOn);
    this.#switch.checked = isWith;
    this.#switch.disabled = !isOn;
    setText(this.#words, [microphoneWords(microphone), othersText(microphone, this.#camera.id, this.#link.state.cameras)].filter(Boolean).join(', '));
    // A slider under the finger is not made anew for every value.
    const form = JSON.stringify([isOn, isWith, microphone.pairing]);
    if (form === this.#form) return;
    this.#form = form;
    this.#details.replaceChildren(...(isOn && isWith ? settings(microphone, this.#link, this.#toasts, (...wish) => this.#ask(...wish)) : []));
    const back = isOn && microphone.pairing === 'chosen'
      ? this.#button('Back to automatic', { camera: 'auto' }, `${microphone.name} goes with the camera of the same device again.`) : null;
    const power = isOn
      ? this.#button('Switch microphone off', { enabled: false }, `${microphone.name} is switched off: it is not opened, and in no take.`)
      : this.#button('Switch microphone on', { enabled: true }, `${microphone.name} is switched on again.`);
    // Whoever presses one of them by its key stays there.
    const hadFocus = this.#actions.contains(document.activeElement);
    this.#actions.replaceChildren(...[power, back].filter(Boolean));
    if (hadFocus) power.focus();
  }

  #button(words, params, said) {
    const act = () => this.#change({ microphone: this.#id, ...params }, said);
    return h('button', { type: 'button', 'aria-label': `${words}: ${this.#present.name}`, onclick: act }, words);
  }

  #choose(isWanted) {
    const microphone = this.#present;
    // A track that a take has begun stays in it.
    const until = recordingOf(this.#camera, this.#link.state.recording) ? 'from the next take on' : 'any more';
    const said = isWanted ? `${microphone.name} is recorded with ${this.#camera.name}.` : `${microphone.name} is not recorded with ${this.#camera.name} ${until}.`;
    return this.#change(withCamera(microphone, this.#camera.id, isWanted), said);
  }

  async #change(params, said) {
    const granted = await this.#ask(params, said);
    this.#show(granted ? { ...granted, id: this.#id } : this.#present);
  }

  /** The microphone as it is then; null where it was refused. */
  async #ask(params, said) {
    try {
      const microphone = await this.#link.call('microphone.set', params);
      if (said) this.#toasts.say(said);
      return microphone;
    } catch (refusal) {
      this.#toasts.refuse(refusal);
      return null;
    }
  }
}

function settings(microphone, link, toasts, ask) {
  const rows = [];
  if (microphone.gain) {
    const { minimum, maximum, step, value, unit = 'dB' } = microphone.gain;
    const output = h('output', { class: 'control-value' }, `${value} ${unit}`);
    const gain = h('input', { type: 'range', min: minimum, max: maximum, step: step || 'any', value });
    const sender = new LatestWins((id, level) => link.call('microphone.set', { microphone: id, gain: level }),
      (_id, granted, refusal) => {
        if (refusal) toasts.refuse(refusal);
        else if (granted?.gain) output.textContent = `${granted.gain.value} ${unit}`;
      });
    gain.addEventListener('input', () => sender.set(microphone.id, Number(gain.value)));
    gain.id = `microphone-gain-${microphone.id}`;
    rows.push(h('div', { class: 'control' }, h('div', { class: 'control-head' }, h('label', { for: gain.id }, 'Gain'), output), gain));
  }
  if (microphone.muted !== undefined) {
    const muted = h('input', { type: 'checkbox', role: 'switch' });
    muted.checked = microphone.muted;
    muted.addEventListener('change', async () => {
      const granted = await ask({ microphone: microphone.id, muted: muted.checked });
      if (!granted) muted.checked = !muted.checked;
    });
    rows.push(h('label', { class: 'switch-row' }, h('span', {}, 'Mute'), muted));
  }
  const offset = h('input', { type: 'text', inputmode: 'numeric', value: String(microphone.offsetMilliseconds ?? 0), autocomplete: 'off' });
  offset.addEventListener('change', () => {
    if (/^[-+]?\d+$/.test(offset.value.trim())) ask({ microphone: microphone.id, offsetMilliseconds: Number(offset.value) }, `The sound is moved by ${Number(offset.value)} ms.`);
    else toasts.say('Write whole milliseconds, such as 40 or -15.', 'alarm');
  });
  rows.push(field('Sound later by (ms)', offset, 'Negative: earlier. For a camera whose pictures come late.'));
  return rows;
}
