/**
 * Tells the rig which camera is before this monitor, so that it is kept open. The choice counts when the rig has a
 * picture of it; else the rig names the camera, and the page goes back to the one before.
 */
export class Selection {
  #link;
  #toasts;
  #goBack;
  /** What the rig was told on this connection; undefined: nothing yet. */
  #told = undefined;
  /** The last one of which there was a picture. */
  #worked = '';

  /** `goBack(camera)`: to the camera that worked, empty for none. */
  constructor({ link, toasts, goBack }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#goBack = goBack;
  }

  /** Empty: none. */
  async update(camera) {
    if (!this.#link.isLive) {
      this.#told = undefined;
      return;
    }
    if (camera === (this.#told ?? '')) return;
    this.#told = camera;
    if (!camera) this.#worked = '';
    try {
      await this.#link.call('camera.select', camera ? { camera } : {});
      // Also if another one was chosen before the answer came: it is the one before that.
      if (camera && this.#told) this.#worked = camera;
    } catch (refusal) {
      // Something else was chosen meanwhile, or the connection is lost: then it is told anew.
      if (camera !== this.#told || !this.#link.isLive) return;
      this.#toasts.refuse(refusal);
      if (refusal.reason === 'camera.silent') this.#goBack(this.#worked);
    }
  }
}
