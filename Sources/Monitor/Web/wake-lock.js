/**
 * A phone that serves as a monitor shall not go to sleep while it shows live pictures, or while the rig records. Browsers grant it on
 * secure pages only, take it away when the page goes out of sight, and may refuse it: until then the device's own rule holds.
 */
export class WakeLock {
  #request;
  #isSeen;
  #isWanted = false;
  #lock = null;
  #isAsking = false;
  /** It may be granted again since the request that is on its way. */
  #isStale = false;

  /** `request()` promises a WakeLockSentinel, or undefined where the browser has none; `isSeen()`: the page is in sight. */
  constructor({ request, isSeen }) {
    this.#request = request;
    this.#isSeen = isSeen;
  }

  /** Asked as often as one likes. */
  want(isWanted) {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    this.retry();
  }

  /** What was refused or taken away may be granted now. */
  retry() {
    if (!this.#isWanted) {
      this.#release();
      return;
    }
    if (!this.#isSeen() || (this.#lock && !this.#lock.released)) return;
    if (this.#isAsking) this.#isStale = true;
    else this.#ask();
  }

  async #ask() {
    this.#isAsking = true;
    this.#isStale = false;
    try {
      this.#lock = await this.#request() ?? null;
    } catch {
      this.#lock = null; // To save the battery, or because the page went out of sight meanwhile.
    }
    this.#isAsking = false;
    if (!this.#isWanted) this.#release();
    else if (this.#isStale) this.retry();
  }

  #release() {
    const lock = this.#lock;
    this.#lock = null;
    lock?.release().catch(() => {}); // It was taken away already.
  }
}

/** The screen's. A page that comes into sight may have it again, and so may one that is touched: some ask for that first. `signal` ends it. */
export function screenLock(signal) {
  const lock = new WakeLock({
    request: async () => navigator.wakeLock?.request('screen'), isSeen: () => document.visibilityState === 'visible',
  });
  document.addEventListener('visibilitychange', () => lock.retry(), { signal });
  for (const touched of ['pointerup', 'keyup']) addEventListener(touched, () => lock.retry(), { signal, capture: true, passive: true });
  signal.addEventListener('abort', () => lock.want(false));
  return lock;
}
