import { CameraStage, CameraTile } from './camera-tile.js';
import { canShow, inOrder } from './camera-words.js';
import { h, iconButton, KeyedParts, setAttribute, setText } from './dom.js';
import { aspectOf, evenWidth, tileHeight, tileRate } from './preview-form.js';
import { routeFragment } from './route.js';

/** All cameras, or one of them large with the others as a filmstrip. */
export class LiveView {
  #tiles = h('div', { class: 'tiles', role: 'group', 'aria-label': 'Cameras' });
  #stage;
  #settings;
  #none = h('div', { class: 'none' });
  #parts;
  #cameras = [];
  #selected = '';
  #controls;
  #controlsButton;
  #listen;
  #showsControls = false;
  #model = null;
  #arranged = '';
  element;

  constructor({ media, levels, wish, controls, listen, openSettings, toggleFullScreen }) {
    this.#controls = controls;
    this.#listen = listen;
    // What was wished shows at once, and what was refused goes back at once.
    wish.changed = () => this.#model && this.update(this.#model);
    this.#parts = new KeyedParts(this.#tiles, () => new CameraTile(media, levels, (camera) => this.choose(camera)));
    this.#controlsButton = iconButton('controls', 'Controls (C)', () => this.toggleControls());
    this.#settings = iconButton('settings', 'Camera settings', () => openSettings(this.#selected));
    this.#stage = new CameraStage(media, levels, wish,
      [iconButton('live', 'All cameras (Esc)', () => this.choose(''))],
      [
        listen.element,
        iconButton('previous', 'Previous camera (←)', () => this.step(-1), { class: 'icon-button step' }),
        iconButton('next', 'Next camera (→)', () => this.step(1), { class: 'icon-button step' }),
        this.#controlsButton,
        this.#settings,
        document.fullscreenEnabled ? iconButton('full', 'Full screen (F)', toggleFullScreen) : null,
      ]);
    this.element = h('div', { class: 'live-view' }, this.#stage.element, this.#controls.element, this.#tiles, this.#none);
    new ResizeObserver(() => this.#arrange()).observe(this.element);
  }

  /** Empty: all of them. */
  choose(camera) {
    // Going through the cameras shall not fill the history: Back leads to the grid.
    if (this.#selected && camera) location.replace(routeFragment('live', camera));
    else location.hash = routeFragment('live', camera);
  }

  /** Also while another view is shown. */
  chooseNumber(number, state) {
    const camera = inOrder(state?.cameras)[number - 1];
    if (camera) this.choose(camera.id);
  }

  step(by) {
    const at = this.#cameras.findIndex((camera) => camera.id === this.#selected);
    if (at < 0) return;
    const { length } = this.#cameras;
    this.choose(this.#cameras[(at + by + length) % length].id);
  }

  /** The controls of the large camera, or of the first one. */
  toggleControls() {
    if (!this.#selected) {
      if (this.#cameras.length === 0) return;
      this.#showsControls = true;
      this.choose(this.#cameras[0].id);
      return;
    }
    this.#showsControls = !this.#showsControls;
    if (this.#model) this.update(this.#model);
  }

  /** A photo of it was taken. */
  flash(camera) {
    this.#parts.get(camera)?.flash();
    if (camera === this.#selected) this.#stage.flash();
  }

  showLevels() {
    for (const camera of this.#cameras) this.#parts.get(camera.id)?.showLevels();
    this.#stage.showLevels();
  }

  /** Another view is shown. */
  leave() {
    this.#listen.rest();
  }

  get isLarge() {
    return this.#selected !== '';
  }

  /** Some camera gives pictures, or soon will. */
  get showsSomething() {
    return this.#cameras.some(canShow);
  }

  /** The large one, if it can show anything; empty otherwise. */
  get shown() {
    const camera = this.#cameras.find(({ id }) => id === this.#selected);
    return camera && canShow(camera) ? camera.id : '';
  }

  update(model) {
    this.#model = model;
    const { state, route } = model;
    const cameras = inOrder(state.cameras);
    const selected = cameras.find((camera) => camera.id === route.camera);
    this.#cameras = cameras;
    this.#selected = selected?.id ?? '';

    setAttribute(this.element, 'data-mode', selected ? 'large' : 'grid');
    setAttribute(this.element, 'data-alone', cameras.length === 1);
    setAttribute(this.element, 'data-camera', this.#selected || false);
    const showsControls = Boolean(selected) && this.#showsControls;
    setAttribute(this.element, 'data-panel', showsControls);
    setAttribute(this.#controls.element, 'hidden', !showsControls);
    setAttribute(this.#controlsButton, 'aria-pressed', showsControls ? 'true' : 'false');
    setAttribute(this.#controlsButton, 'hidden', !selected);
    const rate = tileRate({ isStrip: Boolean(selected), tiles: cameras.length });
    const tiles = cameras.map((camera, index) => ({
      camera, rate, number: index + 1, isSelected: camera.id === this.#selected,
    }));
    this.#parts.update(tiles, ({ camera }) => camera.id, model);
    if (selected) this.#stage.update(selected, model, this.#parts.get(selected.id)?.canvas);
    else this.#stage.rest();
    if (selected) this.#listen.update(selected, state);
    else this.#listen.rest();
    if (showsControls) this.#controls.update(selected, model);
    setAttribute(this.#settings, 'hidden', model.role === 'viewer');

    setAttribute(this.#none, 'hidden', cameras.length > 0);
    setText(this.#none, 'No camera yet. Plug one into the rig: it appears here by itself.');
    this.#arrange();
  }

  /** Anew only where something of it is another. */
  #arrange() {
    const parts = this.#cameras.map((camera) => this.#parts.get(camera.id));
    const aspects = this.#cameras.map((camera, index) => aspectOf(camera, parts[index]?.drawnSize));
    const arranged = JSON.stringify([aspects, this.#selected === '', this.element.clientWidth, this.element.clientHeight]);
    if (arranged === this.#arranged) return;
    this.#arranged = arranged;
    const style = getComputedStyle(this.element);
    const width = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = this.element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    const tile = tileHeight(aspects, width, height);
    const widths = aspects.map((aspect) => Math.floor(tile * aspect));
    parts.forEach((part, index) => part?.setForm(aspects[index], widths[index]));
    this.#tiles.style.setProperty('--even', `${evenWidth(widths, Math.floor(width))}px`);
  }
}
