import { recordingOf } from './camera-words.js';
import { h, setAttribute, setText, whileHeld } from './dom.js';
import { clampView, MOST_ZOOM, WHOLE } from './picture-view.js';

const TURNS = [0, 90, 180, 270];

let lastForm = 0;

/** How a camera's picture is turned and which part of it is seen, for everybody who looks and for what is recorded. */
export class PictureForm {
  #wish;
  #camera = null;
  #mirror = h('input', { type: 'checkbox', role: 'switch', 'data-picture': 'mirror' });
  #turns;
  #zoom = slider('zoom', 1, MOST_ZOOM, 0.05);
  #x = slider('x', 0, 1, 0.005);
  #y = slider('y', 0, 1, 0.005);
  #rows;
  #part;
  #isHeld = false;
  #why = h('p', { class: 'hint' });
  element;

  constructor(wish) {
    this.#wish = wish;
    lastForm += 1;
    this.#mirror.addEventListener('change', () => this.#set('mirror', { mirror: this.#mirror.checked }));
    this.#turns = TURNS.map((rotate) => {
      const input = h('input', { type: 'radio', name: `turn-${lastForm}`, value: rotate });
      input.addEventListener('change', () => this.#set('rotate', { rotate }));
      return input;
    });
    for (const { input } of [this.#zoom, this.#x, this.#y]) {
      input.addEventListener('input', () => this.#look(input.dataset.picture, Number(input.value)));
      whileHeld(input, (isHeld) => { this.#isHeld = isHeld; });
    }
    this.#part = h('div', { class: 'control-rows' },
      this.#row('Left to right', this.#x), this.#row('Top to bottom', this.#y),
      h('p', { class: 'hint' }, 'Or drag the picture; the wheel and two fingers zoom.'));
    this.#rows = h('div', { class: 'control-rows' },
      h('label', { class: 'switch-row' }, h('span', {}, 'Mirror'), this.#mirror),
      h('fieldset', { class: 'control turns' }, h('legend', {}, 'Turn'),
        h('div', { class: 'segments' }, this.#turns.map((input) => h('label', { class: 'segment' }, input, h('span', {}, `${input.value}°`))))),
      this.#row('Digital zoom', this.#zoom), this.#part);
    this.element = h('div', { class: 'control-group picture-form' }, h('h3', {}, 'Framing'), this.#why, this.#rows);
  }

  update(camera, { state }, mayChange) {
    this.#camera = camera;
    const refusal = camera.pictureRefusal ?? '';
    const isRecorded = Boolean(recordingOf(camera, state.recording));
    setText(this.#why, refusal || (isRecorded ? 'As it is until the take has ended.' : ''));
    setAttribute(this.#why, 'hidden', !refusal && !isRecorded);
    const picture = this.#wish.of(camera);
    // What was chosen can always be taken back.
    const isPlain = !picture.mirror && picture.rotate === 0 && picture.zoom === WHOLE.zoom;
    setAttribute(this.#rows, 'hidden', Boolean(refusal) && isPlain);
    const isFixed = !mayChange || isRecorded;
    for (const input of [this.#mirror, ...this.#turns, this.#zoom.input, this.#x.input, this.#y.input]) setAttribute(input, 'disabled', isFixed);
    this.#mirror.checked = picture.mirror;
    for (const input of this.#turns) input.checked = Number(input.value) === picture.rotate;
    // One that is switched off under the finger is not let go of.
    if (isFixed) this.#isHeld = false;
    // What another monitor does must not move what this one holds.
    if (!this.#isHeld) this.#show(picture);
  }

  #show({ zoom, x, y }) {
    this.#zoom.show(zoom, `${zoom.toFixed(zoom < 2 ? 2 : 1)}×`);
    this.#x.show(x, `${Math.round(100 * x)} %`);
    this.#y.show(y, `${Math.round(100 * y)} %`);
    setAttribute(this.#part, 'hidden', zoom === WHOLE.zoom);
  }

  #look(name, value) {
    if (!this.#camera) return;
    const { zoom, x, y } = this.#wish.of(this.#camera);
    const view = clampView({ zoom, x, y, [name]: value });
    this.#set('view', view);
    this.#show(view);
  }

  #set(part, picture) {
    if (this.#camera) this.#wish.set(this.#camera.id, part, picture);
  }

  #row(words, { input, output }) {
    input.id = `picture-${lastForm}-${input.dataset.picture}`;
    return h('div', { class: 'control' }, h('div', { class: 'control-head' }, h('label', { for: input.id }, words), output), input);
  }
}

function slider(name, min, max, step) {
  const input = h('input', { type: 'range', min, max, step, 'data-picture': name });
  const output = h('output', { class: 'control-value' });
  return {
    input,
    output,
    show(value, words) {
      if (Number(input.value) !== value) input.value = String(value);
      setText(output, words);
      setAttribute(input, 'aria-valuetext', words);
    },
  };
}
