import { controlFieldHint, controlFieldText, controlGroups, controlName, controlValueText, fixedReason, isFixed, isInverted, menuChoices } from './camera-controls.js';
import { twoStepButton } from './dialog.js';
import { h, KeyedParts, setAttribute, setText } from './dom.js';
import { LatestWins } from './latest-wins.js';
import { PictureForm } from './picture-form.js';
import { RigSlider } from './rig-slider.js';

/** The controls of the selected camera: each change counts at once. */
export class ControlPanel {
  #link;
  #toasts;
  #camera = '';
  #title = h('h2', {}, 'Controls');
  #groups = h('div', { class: 'control-groups' });
  #none = h('p', { class: 'hint' });
  #parts;
  #sender;
  #framing;
  element;

  /** `wish`: a `PictureWish`. */
  constructor({ link, toasts, wish }) {
    this.#link = link;
    this.#framing = new PictureForm(wish);
    this.#toasts = toasts;
    this.#sender = new LatestWins((key, value) => this.#ask(key, value), (key, granted, refusal) => this.#settled(key, granted, refusal));
    this.#parts = new KeyedParts(this.#groups, () => new ControlGroup(this.#sender));
    const reset = twoStepButton('Back to defaults', 'Reset all of them?', () => this.#reset());
    this.element = h('section', { class: 'control-panel', 'aria-label': 'Camera controls' },
      this.#title, this.#none, this.#groups, h('div', { class: 'actions start' }, reset), this.#framing.element);
    this.reset = reset;
  }

  update(camera, model) {
    const { state, link, role } = model;
    if (camera.id !== this.#camera) {
      this.#camera = camera.id;
      // Rows of another camera hold values of another camera.
      this.#parts.update([], () => '');
    }
    const groups = controlGroups(state.controls?.[camera.id]);
    const mayChange = role !== 'viewer' && link.isLive;
    this.#parts.update(groups, (group) => group.title, mayChange);
    setAttribute(this.#framing.element, 'hidden', !camera.device);
    if (camera.device) this.#framing.update(camera, model, mayChange);
    setText(this.#none, groups.length > 0 ? '' : camera.device ? 'This camera has no controls of its own.' : 'Plug the camera in to see its controls.');
    setAttribute(this.#none, 'hidden', groups.length > 0);
    setAttribute(this.reset, 'hidden', groups.length === 0 || !mayChange);
  }

  async #ask(key, value) {
    const [camera, control] = JSON.parse(key);
    const { granted, refused } = await this.#link.call('control.set', { camera, values: { [control]: value } });
    const reason = refused?.[control];
    if (reason) throw new Error(reason);
    return granted?.[control];
  }

  #settled(key, granted, refusal) {
    const [camera, control] = JSON.parse(key);
    if (refusal) this.#toasts.refuse(refusal);
    if (camera !== this.#camera) return;
    const known = this.#link.state?.controls?.[camera]?.[control]?.value;
    for (const row of this.#groups.querySelectorAll('.control')) {
      if (row.dataset.control === control) row.dispatchEvent(new CustomEvent('settled', { detail: granted ?? known }));
    }
  }

  async #reset() {
    try {
      const { refused } = await this.#link.call('control.reset', { camera: this.#camera });
      const reasons = Object.values(refused ?? {});
      if (reasons.length > 0) this.#toasts.say(reasons.join(' '), 'alarm');
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    }
  }
}

class ControlGroup {
  #title = h('h3');
  #rows = h('div', { class: 'control-rows' });
  #parts;
  element = h('div', { class: 'control-group' }, this.#title, this.#rows);

  constructor(sender) {
    this.#parts = new KeyedParts(this.#rows, (control) => new ControlRow(control, sender));
  }

  update({ title, controls }, mayChange) {
    setText(this.#title, title);
    setAttribute(this.#title, 'hidden', title === '');
    // A control that has become another kind gets another row.
    this.#parts.update(controls, (control) => `${control.key} ${control.type}`, mayChange);
  }
}

let lastRow = 0;

/** One control. While its value is on the way, what the rig tells of it does not change it. */
class ControlRow {
  #sender;
  #control;
  #slider = null;
  #input;
  #why = h('span', { class: 'control-why' });
  element;

  constructor(control, sender) {
    this.#sender = sender;
    this.#control = control;
    lastRow += 1;
    const id = `control-${lastRow}`;
    if (control.type === 'integer') {
      this.#slider = new RigSlider({ sender, key: () => this.#key, words: (value) => controlValueText(this.#control, value) });
    }
    this.#input = this.#slider?.input ?? this.#makeInput(control);
    this.#input.id = id;
    setAttribute(this.#input, 'data-control', control.key);
    const label = control.type === 'button' ? null : h('label', { for: id }, controlName(control));
    const isSwitch = control.type === 'boolean';
    this.element = h('div', { class: 'control', 'data-control': control.key },
      h('div', { class: 'control-head' }, label, this.#why, isSwitch ? this.#input : this.#slider?.output), isSwitch ? null : this.#input);
    this.element.addEventListener('settled', ({ detail }) => {
      if (this.#slider) this.#slider.settle(detail);
      else this.#show(detail, true);
    });
  }

  get #key() {
    return JSON.stringify([this.element.closest('.live-view')?.dataset.camera ?? '', this.#control.key]);
  }

  #makeInput(control) {
    const send = (value) => this.#sender.set(this.#key, value);
    switch (control.type) {
      case 'boolean': {
        const input = h('input', { type: 'checkbox', role: 'switch' });
        input.addEventListener('change', () => send(input.checked !== isInverted(this.#control)));
        return input;
      }
      case 'menu':
      case 'integer-menu': {
        const input = h('select');
        input.addEventListener('change', () => send(Number(input.value)));
        return input;
      }
      case 'button': {
        const input = h('button', { type: 'button' }, controlName(control));
        input.addEventListener('click', () => send(1));
        return input;
      }
      case 'string': {
        const input = h('input', { type: 'text', maxlength: control.maximum, autocomplete: 'off' });
        input.addEventListener('change', () => send(input.value));
        return input;
      }
      default: {
        // As text: a number of 64 bits would be rounded here. What is no number the rig refuses with the reason.
        const input = h('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
        input.addEventListener('change', () => send(input.value.trim()));
        return input;
      }
    }
  }

  update(control, mayChange) {
    this.#control = control;
    const fixed = isFixed(control);
    setAttribute(this.#input, 'disabled', fixed || !mayChange);
    setText(this.#why, fixed ? fixedReason(control) : '');
    if (this.#slider) {
      this.#slider.range(control.minimum, control.maximum, control.step || 1);
      this.#slider.follow(control.value);
      return;
    }
    if (control.type === 'menu' || control.type === 'integer-menu') this.#offer(menuChoices(control));
    setAttribute(this.#input, 'title', controlFieldHint(control) || undefined);
    if (!this.#sender.isBusy(this.#key)) this.#show(control.value);
  }

  #offer(choices) {
    const offered = JSON.stringify(choices);
    if (this.#input.dataset.offered === offered) return;
    this.#input.dataset.offered = offered;
    this.#input.replaceChildren(...choices.map(({ value, name }) => h('option', { value }, name)));
  }

  #show(value, isSettled = false) {
    if (value === undefined) return;
    const isBeingTyped = this.#input.type === 'text' && document.activeElement === this.#input;
    if (this.#control.type === 'boolean') this.#input.checked = Boolean(value) !== isInverted(this.#control);
    else if (this.#control.type !== 'button' && (isSettled || !isBeingTyped)) {
      const text = controlFieldText(this.#control, value);
      if (this.#input.value !== text) this.#input.value = text;
    }
  }
}
