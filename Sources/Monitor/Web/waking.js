// A phone is locked, a lid is closed, a page rests in the browser's memory: its timers stand still, and its connections may be gone
// without a word.

/** A page that is in sight looks at the clock twice a second. */
const STANDSTILL = 5000;

/** Whether this machine has slept between two looks at the time of day. Set forward, it looks the same, which does no harm. */
export class ClockGap {
  #last;

  constructor(wall) {
    this.#last = wall;
  }

  look(wall) {
    const gap = wall - this.#last;
    this.#last = wall;
    return gap > STANDSTILL;
  }
}

/** Tells when the page may have been asleep, or the network is another one. `signal`: ends it. */
export function listenToWaking(woke, signal) {
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && woke(), { signal });
  document.addEventListener('resume', woke, { signal });
  addEventListener('online', woke, { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && woke(), { signal });
}

/** After so many milliseconds, or as soon as the page wakes. */
export function restOrWaking(milliseconds) {
  const over = new AbortController();
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    listenToWaking(resolve, over.signal);
  }).finally(() => over.abort());
}
