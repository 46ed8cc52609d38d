import { h, iconButton } from './dom.js';

/** A window over the page. Escape and its cross close it; so does what `close` returns to whoever waits. */
export class Dialog {
  element;
  #answer = null;
  #done = null;

  constructor(title, ...content) {
    this.element = h('dialog', { class: 'dialog', 'aria-label': title },
      h('header', { class: 'dialog-bar' }, h('h2', {}, title), iconButton('close', 'Close', () => this.close(null))),
      h('div', { class: 'dialog-body' }, ...content));
    this.element.addEventListener('close', () => {
      this.element.remove();
      this.#done?.(this.#answer);
    });
    // A press beside the window means it, too.
    this.element.addEventListener('pointerdown', (event) => {
      if (event.target === this.element) this.close(null);
    });
  }

  /** What `close` was given; null where it was only closed. */
  open() {
    document.body.append(this.element);
    this.element.showModal();
    return new Promise((resolve) => { this.#done = resolve; });
  }

  close(answer = null) {
    this.#answer = answer;
    this.element.close();
  }
}

let lastField = 0;

/** A labelled control. */
export function field(label, control, hint) {
  lastField += 1;
  control.id = `field-${lastField}`;
  return h('div', { class: 'field' },
    h('label', { for: control.id }, label), control, hint ? h('p', { class: 'hint' }, hint) : null);
}

/** A text for a name; null where nothing was decided. Empty is an answer. */
export function askName(title, label, present, hint) {
  const input = h('input', { type: 'text', maxlength: 64, value: present, autocomplete: 'off', enterkeyhint: 'done' });
  const form = h('form', {}, field(label, input, hint), h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Done')));
  const dialog = new Dialog(title, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close(input.value.trim());
  });
  const answer = dialog.open();
  input.focus();
  input.select();
  return answer;
}

/** A button that asks once more before it does what cannot be undone. */
export function twoStepButton(words, question, act) {
  let timer = null;
  const button = h('button', { type: 'button', class: 'danger' }, words);
  const calm = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = words;
  };
  button.addEventListener('click', () => {
    if (timer === null) {
      button.textContent = question;
      timer = setTimeout(calm, 4000);
    } else {
      calm();
      act();
    }
  });
  return button;
}
