/** What the rig tells of a value so soon after its answer may be older than the answer. */
const ECHO = 300;

/**
 * Sends the newest of many wishes for a key: one is on its way at a time, and what comes meanwhile replaces what waits.
 * A slider that is dragged floods nobody, and the last value arrives.
 */
export class LatestWins {
  #send;
  #settled;
  #freed;
  #keys = new Map();

  /**
   * `send(key, value)` returns a promise; `settled(key, granted, refusal)` is called when nothing waits any more, `freed(key)` when what
   * the rig tells counts again.
   */
  constructor(send, settled = () => {}, freed = () => {}) {
    this.#send = send;
    this.#settled = settled;
    this.#freed = freed;
  }

  /** Something is on its way or waits: what the rig tells of it meanwhile is old. */
  isBusy(key) {
    return this.#keys.has(key);
  }

  set(key, value) {
    const there = this.#keys.get(key);
    if (there && !there.isDone) {
      there.next = { value };
      return;
    }
    this.#run(key, value);
  }

  async #run(key, value) {
    const entry = { next: null, isDone: false };
    this.#keys.set(key, entry);
    let granted;
    let refusal = null;
    try {
      granted = await this.#send(key, value);
    } catch (error) {
      refusal = error;
    }
    if (entry.next) {
      this.#run(key, entry.next.value);
      return;
    }
    entry.isDone = true;
    this.#settled(key, granted, refusal);
    setTimeout(() => {
      if (this.#keys.get(key) !== entry) return;
      this.#keys.delete(key);
      this.#freed(key);
    }, ECHO);
  }
}
