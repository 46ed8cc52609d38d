import { PictureSlot } from './picture-slot.js';
import { longEdgeFor } from './preview-form.js';

const SETTLE = 300;
const AGAIN = 2000;

/**
 * A camera's live picture in a canvas: asks for a size that fits, only while it can be seen, and acknowledges each
 * picture once it is drawn.
 */
export class LivePicture {
  #media;
  #canvas;
  #context;
  #stream = null;
  #asked = '';
  #slot = new PictureSlot();
  #wish = null;
  #inSight = false;
  #settle = null;
  #again = null;
  #drawn = [];

  /** Pictures that the rig left out for this page since the stream began. */
  skipped = 0;
  /** `performance.now()` of the last picture drawn; 0 where none has come since it was asked for. */
  drawnAt = 0;
  /** The link carries less than was asked for. */
  reduced = false;
  /** Why the rig sends no pictures, where it said so. */
  refusal = '';

  constructor(media, canvas) {
    this.#media = media;
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false });
    new IntersectionObserver((entries) => {
      this.#inSight = entries.at(-1).isIntersecting;
      this.#adjust();
    }).observe(canvas);
    new ResizeObserver(() => {
      clearTimeout(this.#settle);
      this.#settle = setTimeout(() => this.#adjust(), SETTLE);
    }).observe(canvas);
  }

  /** `{camera, rate}`, or null for no pictures. */
  show(wish) {
    if (wish?.camera !== this.#wish?.camera) this.#clear();
    const changed = wish?.camera !== this.#wish?.camera || wish?.rate !== this.#wish?.rate;
    this.#wish = wish;
    if (changed) this.#adjust();
  }

  /** Until the first picture comes: what a smaller canvas shows of the same camera. */
  borrow(canvas) {
    if (this.drawnAt > 0 || canvas.width < 2) return;
    this.#paint(canvas);
  }

  /** Pictures drawn a second, over the last two seconds. */
  get drawnRate() {
    const since = performance.now() - 2000;
    while (this.#drawn.length > 0 && this.#drawn[0] < since) this.#drawn.shift();
    return this.#drawn.length / 2;
  }

  #adjust() {
    const { clientWidth, clientHeight } = this.#canvas;
    if (!this.#wish || !this.#inSight || clientWidth === 0) {
      this.#stop();
      return;
    }
    const form = { camera: this.#wish.camera, longEdge: longEdgeFor(clientWidth, clientHeight, devicePixelRatio) };
    if (this.#wish.rate) form.rate = this.#wish.rate;
    const asked = JSON.stringify(form);
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (this.#stream) this.#stream.change(form);
    else this.#begin(form);
  }

  #begin(form) {
    this.skipped = 0;
    this.drawnAt = 0;
    this.#stream = this.#media.start(form, {
      picture: (jpeg, header) => this.#arrived({ jpeg, ...header }),
      ended: (reason) => this.#ended(reason),
    });
  }

  #stop() {
    clearTimeout(this.#again);
    this.#stream?.stop();
    this.#stream = null;
    this.#asked = '';
    this.#slot = new PictureSlot();
    this.#drawn = [];
  }

  /** The rig ended it, for example because the camera was unplugged. A change of the camera's state begins anew. */
  #ended(reason) {
    this.#stop();
    this.refusal = reason;
    this.#again = setTimeout(() => this.#adjust(), AGAIN);
  }

  #arrived(picture) {
    this.skipped += picture.skipped;
    this.reduced = picture.reduced;
    const show = this.#slot.arrived(picture);
    if (show) this.#draw(show, this.#slot);
  }

  async #draw({ jpeg, sequence }, slot) {
    try {
      const picture = await createImageBitmap(jpeg);
      await new Promise(requestAnimationFrame);
      if (slot === this.#slot) this.#paint(picture);
      picture.close();
      if (slot === this.#slot) {
        this.drawnAt = performance.now();
        this.refusal = '';
        this.#drawn.push(this.drawnAt);
      }
    } catch {
      // A picture that cannot be decoded is not shown; it is acknowledged all the same.
    }
    if (slot !== this.#slot) return;
    this.#stream?.acknowledge(sequence);
    const show = slot.shown();
    if (show) this.#draw(show, slot);
  }

  #paint(picture) {
    if (this.#canvas.width !== picture.width || this.#canvas.height !== picture.height) {
      this.#canvas.width = picture.width;
      this.#canvas.height = picture.height;
    }
    this.#context.drawImage(picture, 0, 0);
  }

  #clear() {
    this.#stop();
    this.drawnAt = 0;
    this.refusal = '';
    this.#canvas.width = 1;
    this.#canvas.height = 1;
  }
}
