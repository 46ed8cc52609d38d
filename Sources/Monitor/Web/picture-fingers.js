import { movedView, zoomedView } from './picture-view.js';

/** One line of a mouse's wheel, and one page, in pixels; browsers report either. */
const WHEEL_UNITS = [1, 16, 400];
const WHEEL_RATE = 0.0015;
/** A finger that only taps moves so far, in pixels. */
const TAP = 6;

/**
 * Zoom and part of the picture by hand: the wheel and two fingers zoom, one finger or the mouse drags what is near.
 * `shown()` gives what is seen, `{x, y, width, height}` on the screen; `view()` the present view, or null where it cannot
 * be changed; `set(view)` takes another.
 */
export class PictureFingers {
  #element;
  #shown;
  #view;
  #set;
  #fingers = new Map();

  constructor(element, { shown, view, set }) {
    this.#element = element;
    this.#shown = shown;
    this.#view = view;
    this.#set = set;
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, ({ pointerId }) => this.#fingers.delete(pointerId));
  }

  #wheel(event) {
    const view = this.#view();
    // The browser's own zoom stays the browser's.
    if (!view || event.ctrlKey) return;
    event.preventDefault();
    const pixels = event.deltaY * WHEEL_UNITS[event.deltaMode];
    this.#set(zoomedView(view, Math.exp(-pixels * WHEEL_RATE), this.#share(event)));
  }

  #down(event) {
    if (!this.#view() || event.button !== 0) return;
    this.#element.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { ...this.#share(event), tapAt: { x: event.clientX, y: event.clientY } });
  }

  #move(event) {
    const before = this.#fingers.get(event.pointerId);
    const view = this.#view();
    if (!before || !view) return;
    const { tapAt } = before;
    if (tapAt && this.#fingers.size === 1 && Math.hypot(event.clientX - tapAt.x, event.clientY - tapAt.y) < TAP) return;
    const now = this.#share(event);
    this.#fingers.set(event.pointerId, now);
    const others = [...this.#fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length === 0) {
      if (view.zoom > 1) this.#set(movedView(view, now.x - before.x, now.y - before.y));
      return;
    }
    const [other] = others;
    const apart = (at) => Math.hypot(at.x - other.x, at.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (apart(before) > 0.01) this.#set(zoomedView(view, apart(now) / apart(before), middle));
  }

  #share({ clientX, clientY }) {
    const { x, y, width, height } = this.#shown();
    return { x: (clientX - x) / width, y: (clientY - y) / height };
  }
}
