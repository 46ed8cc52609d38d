import { recordingOf } from './camera-words.js';
import { h, KeyedParts, setAttribute, setText } from './dom.js';
import { MicrophoneSettings } from './microphone-settings.js';
import { camerasOf, microphonesInOrder, microphoneWords, othersText, withCamera } from './microphones.js';

/**
 * Which microphones go with a camera, how loud each is, and by how much it is early or late. One may go with several cameras; one that
 * is switched off goes into no take until it is on again. Nothing where the rig has none. `rest()` ends it.
 */
export function microphoneForm({ camera, link, toasts }) {
  if (microphonesInOrder(link.state.microphones).length === 0) return null;
  const list = h('div', { class: 'microphone-rows' });
  const rows = new KeyedParts(list, ({ id }) => new MicrophoneRow(id, camera, link, toasts));
  // As they stood when the window opened: one that gets another name does not move away under the finger.
  const order = new Set();
  const follow = () => {
    const all = new Map(microphonesInOrder(link.state?.microphones).map((microphone) => [microphone.id, microphone]));
    for (const id of all.keys()) order.add(id);
    rows.update([...order].filter((id) => all.has(id)).map((id) => all.get(id)), ({ id }) => id);
  };
  follow();
  return {
    element: h('section', { class: 'sound-form', 'aria-label': 'Sound' }, h('h3', {}, 'Microphones'), list),
    rest: link.changed.subscribe(follow),
  };
}

/** One microphone, seen from one camera. What the rig tells is what is shown. */
class MicrophoneRow {
  #id;
  #camera;
  #link;
  #toasts;
  #switch = h('input', { type: 'checkbox', role: 'switch' });
  #name = h('span', { class: 'microphone-name' });
  #words = h('span', { class: 'hint' });
  #settings;
  #actions = h('div', { class: 'actions start' });
  #offered = '';
  element;

  constructor(id, camera, link, toasts) {
    this.#id = id;
    this.#camera = camera;
    this.#link = link;
    this.#toasts = toasts;
    this.#settings = new MicrophoneSettings(id, link, toasts);
    this.#switch.addEventListener('change', () => this.#choose(this.#switch.checked));
    this.element = h('div', { class: 'microphone', 'data-microphone': id },
      h('label', { class: 'switch-row' }, h('span', {}, this.#name, this.#words), this.#switch),
      this.#settings.element, this.#actions);
  }

  get #present() {
    return { ...this.#link.state?.microphones?.[this.#id], id: this.#id };
  }

  /** Another monitor or program may have changed it. */
  update(microphone) {
    const isOn = microphone.enabled !== false;
    const isWith = camerasOf(microphone).includes(this.#camera.id);
    setAttribute(this.element, 'data-off', !isOn);
    setText(this.#name, microphone.name);
    this.#switch.checked = isWith;
    this.#switch.disabled = !isOn;
    setText(this.#words, [microphoneWords(microphone), othersText(microphone, this.#camera.id, this.#link.state.cameras)].filter(Boolean).join(', '));
    setAttribute(this.#settings.element, 'hidden', !isOn || !isWith);
    this.#settings.update(microphone);
    const offered = JSON.stringify([isOn, microphone.pairing, microphone.name]);
    if (offered === this.#offered) return;
    this.#offered = offered;
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
    try {
      const granted = await this.#link.call('microphone.set', params);
      this.#toasts.say(said);
      this.update({ ...granted, id: this.#id });
    } catch (refusal) {
      this.#toasts.refuse(refusal);
      // One that was forgotten meanwhile has no row any more.
      if (this.#present.name !== undefined) this.update(this.#present);
    }
  }
}
