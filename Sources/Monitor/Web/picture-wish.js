import { LatestWins } from './latest-wins.js';
import { viewOf } from './picture-view.js';

/** What somebody wishes of the cameras' pictures and the rig has not told yet: for the form and for the fingers alike. */
export class PictureWish {
  #link;
  #toasts;
  #sender;
  #wished = new Map();
  /** After a wish, and after its answer. */
  changed = () => {};

  constructor({ link, toasts }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#sender = new LatestWins((key, picture) => this.#ask(key, picture), (key, _granted, refusal) => this.#settled(key, refusal));
  }

  /** `part`: what belongs together and replaces what still waits: "view", "mirror", "rotate". */
  set(camera, part, picture) {
    const key = JSON.stringify([camera, part]);
    this.#wished.set(key, picture);
    this.#sender.set(key, picture);
    this.changed();
  }

  /** As it will be: `{mirror, rotate, zoom, x, y}`. */
  of(camera) {
    const { picture } = camera;
    const wished = ['mirror', 'rotate', 'view'].map((part) => this.#pending(JSON.stringify([camera.id, part])));
    const all = Object.assign({ mirror: false, rotate: 0, ...picture }, ...wished);
    return { ...all, ...viewOf(all) };
  }

  /** Also a moment after the answer: what the rig tells then may be older. */
  #pending(key) {
    if (!this.#sender.isBusy(key)) this.#wished.delete(key);
    return this.#wished.get(key);
  }

  #ask(key, picture) {
    return this.#link.call('camera.set', { camera: JSON.parse(key)[0], picture });
  }

  #settled(key, refusal) {
    if (refusal) {
      this.#wished.delete(key);
      this.#toasts.refuse(refusal);
    }
    this.changed();
  }
}
