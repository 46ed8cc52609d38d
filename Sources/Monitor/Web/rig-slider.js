import { h, setAttribute, setText, whileHeld } from './dom.js';

/**
 * A slider for a value of the rig's that is sent with each step of the finger, by a `LatestWins`. While somebody holds it, or a value is on
 * its way, what the rig tells does not move it.
 */
export class RigSlider {
  input = h('input', { type: 'range' });
  output = h('output', { class: 'control-value' });
  #sender;
  #keyOf;
  #words;
  #isHeld = false;

  /** `key()`: of the value, as the sender knows it. `words(value)`: how it is told. `released()`: what was told meanwhile may be shown. */
  constructor({ sender, key, words = String, released = () => {} }) {
    this.#sender = sender;
    this.#keyOf = key;
    this.#words = words;
    this.input.addEventListener('input', () => {
      const value = Number(this.input.value);
      this.#tell(value);
      sender.set(key(), value);
    });
    whileHeld(this.input, (isHeld) => {
      this.#isHeld = isHeld;
      if (!isHeld) released();
    });
  }

  range(minimum, maximum, step) {
    setAttribute(this.input, 'min', minimum);
    setAttribute(this.input, 'max', maximum);
    setAttribute(this.input, 'step', step);
  }

  /** What the rig tells. */
  follow(value) {
    if (!this.#sender.isBusy(this.#keyOf())) this.settle(value);
  }

  /** What the rig answered: newer than all that it told. */
  settle(value) {
    // One that is switched off under the finger is not let go of.
    if (this.input.disabled) this.#isHeld = false;
    if (value === undefined || this.#isHeld) return;
    if (this.input.value !== String(value)) this.input.value = String(value);
    this.#tell(value);
  }

  #tell(value) {
    const words = this.#words(value);
    setText(this.output, words);
    setAttribute(this.input, 'aria-valuetext', words);
  }
}
