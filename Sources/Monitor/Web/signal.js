/** Who wants to know is told, in the order in which they came. */
export class Signal {
  #listeners = new Set();

  /** Returns what ends it. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value) {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
