/** One picture is being shown, at most one waits; a newer one takes the place of the one that waits. Nothing queues. */
export class PictureSlot {
  #busy = false;
  #waiting = null;

  /** A picture came. Returns the one to begin with now, or null. */
  arrived(picture) {
    if (this.#busy) {
      this.#waiting = picture;
      return null;
    }
    this.#busy = true;
    return picture;
  }

  /** The picture was drawn, or could not be decoded. Returns the one to go on with, or null. */
  shown() {
    const next = this.#waiting;
    this.#waiting = null;
    this.#busy = next !== null;
    return next;
  }
}
