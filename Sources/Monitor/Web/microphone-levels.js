import { microphonesOf } from './microphones.js';

/** Without news for so long, what was last heard is no level any more. */
const OLD = 1000;

/** Asks the rig for levels while somebody looks at meters, and holds the newest. */
export class MicrophoneLevels {
  #link;
  #levels = {};
  #heardAt = -Infinity;
  #asked = null;

  constructor(link) {
    this.#link = link;
    link.event.subscribe(({ method, params }) => {
      if (method !== 'microphone.levels') return;
      this.#levels = params.microphones ?? {};
      this.#heardAt = performance.now();
    });
  }

  /** `isWanted`: somebody looks. Each connection is asked anew. */
  want(isWanted) {
    const { state, isLive } = this.#link;
    const wish = isLive && isWanted && Object.keys(state?.microphones ?? {}).length > 0;
    const connection = isLive ? this.#link.connection : null;
    if (wish ? this.#asked === connection : this.#asked === null) return;
    if (!isLive) {
      this.#asked = null;
      return;
    }
    this.#asked = wish ? connection : null;
    this.#link.call('microphone.meter', { on: wish }).catch(() => {}); // Without meters the page is still one.
  }

  /** Of the microphone that is heard with the camera. */
  of(camera) {
    if (performance.now() - this.#heardAt > OLD) return undefined;
    return microphonesOf(this.#link.state?.microphones, camera).map(({ id }) => this.#levels[id]).find(Boolean);
  }
}
