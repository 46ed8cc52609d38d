import {
  cameraWords, canShow, formatLine, lastSeenText, lostPictures, mayFrame, recordingOf, viewText,
} from './camera-words.js';
import { h, setAttribute, setText } from './dom.js';
import { LivePicture } from './live-picture.js';
import { PictureFingers } from './picture-fingers.js';
import { aspectOf } from './preview-form.js';
import { SoundMeter } from './sound-meter.js';
import { count } from './text.js';

/** After so long without a new picture the last one is called old. */
const OLD = 3000;

const REDUCED_MOTION = matchMedia('(prefers-reduced-motion: reduce)');

/** A live picture with the words that lie over it when it is none. */
class PictureFrame {
  canvas = h('canvas', { width: 1, height: 1, role: 'img' });
  #title = h('strong');
  #message = h('span');
  #words = h('span', { class: 'picture-words' }, this.#title, this.#message);
  #meter = new SoundMeter();
  #levels;
  #camera = '';
  element = h('span', { class: 'picture' }, this.canvas, this.#words, this.#meter.element);
  live;

  constructor(media, levels) {
    this.live = new LivePicture(media, this.canvas);
    this.#levels = levels;
  }

  showLevels() {
    this.#meter.show(this.#levels.of(this.#camera));
  }

  /** As a shutter would darken it. */
  flash() {
    if (!REDUCED_MOTION.matches) this.element.animate?.([{ filter: 'brightness(2.2)' }, { filter: 'none' }], { duration: 260 });
  }

  /** In pixels; nothing before the first picture. */
  get drawnSize() {
    const { width, height } = this.canvas;
    return this.live.drawnAt > 0 && width > 1 ? [width, height] : undefined;
  }

  /** Where on the screen the picture itself is, without the bars beside it. */
  get shownBox() {
    const { x, y, width, height } = this.element.getBoundingClientRect();
    const [wide, high] = this.drawnSize ?? [width, height];
    const scale = Math.min(width / wide, height / high);
    return { x: x + (width - wide * scale) / 2, y: y + (height - high * scale) / 2, width: wide * scale, height: high * scale };
  }

  update(camera, { link, now, wallNow }, rate) {
    this.#camera = camera.id;
    this.live.show(canShow(camera) ? { camera: camera.id, rate } : null);
    setAttribute(this.canvas, 'aria-label', `Live picture of ${camera.name}`);
    const { title, message } = this.#say(camera, link, now, wallNow);
    setText(this.#title, title);
    setText(this.#message, message);
    setAttribute(this.#words, 'hidden', !title);
    // What is not live must not look it.
    setAttribute(this.element, 'data-old', Boolean(title));
  }

  #say(camera, link, now, wallNow) {
    if (!link.isLive) return { title: 'Not live', message: '' };
    const { title, message } = cameraWords(camera);
    if (!canShow(camera) || camera.state === 'stalled') {
      return { title, message: [message, lastSeenText(camera, wallNow)].filter(Boolean).join(' ') };
    }
    const { drawnAt, refusal } = this.live;
    if (drawnAt === 0) return { title: title || 'Waiting for the picture', message: message || refusal };
    const old = now - drawnAt;
    return old > OLD ? { title: `No new picture for ${Math.round(old / 1000)} s`, message: message || refusal } : { title: '', message: '' };
  }
}

/** What stands beside a camera's name: whether it is being recorded, what it delivers, what was lost. */
class Facts {
  #recording = h('span', { class: 'badge rec' });
  #lost = h('span', { class: 'badge lost' });
  #format = h('span', { class: 'facts' });
  #view = h('span', { class: 'facts view-facts' });
  /** What must be seen, and what gives way where room is scarce. */
  badges = [this.#recording, this.#lost];
  details = [this.#format, this.#view];

  update(camera, recording, live) {
    const part = recordingOf(camera, recording);
    setText(this.#recording, part?.inGap ? 'GAP' : 'REC');
    setAttribute(this.#recording, 'hidden', !part);
    setAttribute(this.#recording, 'data-gap', Boolean(part?.inGap));
    const lost = lostPictures(camera, recording);
    setText(this.#lost, `${lost.toLocaleString('en')} lost`);
    setAttribute(this.#lost, 'hidden', lost === 0);
    setText(this.#format, formatLine(camera));
    setText(this.#view, canShow(camera) && live.drawnAt > 0 ? viewText(live) : '');
  }
}

/** A camera in the grid or the filmstrip. */
export class CameraTile {
  element;
  #frame;
  #facts = new Facts();
  #key = h('kbd', { 'aria-hidden': 'true' });
  #name = h('span', { class: 'name' });

  constructor(media, levels, choose) {
    this.#frame = new PictureFrame(media, levels);
    this.element = h('button', { type: 'button', class: 'tile', onclick: () => choose(this.element.dataset.camera) },
      this.#frame.element,
      h('span', { class: 'caption' },
        h('span', { class: 'caption-main' }, this.#key, this.#name, this.#facts.badges), this.#facts.details));
  }

  showLevels() {
    this.#frame.showLevels();
  }

  flash() {
    this.#frame.flash();
  }

  get canvas() {
    return this.#frame.canvas;
  }

  get drawnSize() {
    return this.#frame.drawnSize;
  }

  /** Its picture's width by height, and how wide it stands in the grid. */
  setForm(aspect, width) {
    this.element.style.setProperty('--aspect', aspect.toFixed(4));
    this.element.style.setProperty('--tile', `${width}px`);
  }

  update({ camera, number, rate, isSelected }, model) {
    const { recording } = model.state;
    setAttribute(this.element, 'data-camera', camera.id);
    setAttribute(this.element, 'data-state', camera.state);
    setAttribute(this.element, 'aria-pressed', isSelected ? 'true' : 'false');
    const words = cameraWords(camera).title || 'live';
    const lost = lostPictures(camera, recording);
    setAttribute(this.element, 'aria-label', [
      camera.name, words, recordingOf(camera, recording) ? 'being recorded' : '', lost ? `${count(lost, 'picture')} lost` : '',
    ].filter(Boolean).join(', '));
    setText(this.#key, number <= 9 ? String(number) : '');
    setText(this.#name, camera.name);
    this.#frame.update(camera, model, rate);
    this.#facts.update(camera, recording, this.#frame.live);
  }

  remove() {
    this.#frame.live.show(null);
  }
}

/** The selected camera, as large as there is room. */
export class CameraStage {
  element;
  #frame;
  #facts = new Facts();
  #name = h('h1', { class: 'name' });
  #camera = null;
  #mayZoom = false;

  /** `before`, `after`: buttons beside the name. `wish`: a `PictureWish`, for zooming by hand. */
  constructor(media, levels, wish, before, after) {
    this.#frame = new PictureFrame(media, levels);
    this.element = h('section', { class: 'stage', 'aria-label': 'Selected camera' },
      h('header', { class: 'stage-bar' }, before, this.#name, h('span', { class: 'stage-facts' }, this.#facts.badges, this.#facts.details), after),
      this.#frame.element);
    new PictureFingers(this.#frame.element, {
      shown: () => this.#frame.shownBox,
      view: () => (this.#mayZoom ? wish.of(this.#camera) : null),
      set: (view) => wish.set(this.#camera.id, 'view', view),
    });
  }

  showLevels() {
    this.#frame.showLevels();
  }

  flash() {
    this.#frame.flash();
  }

  update(camera, model, smallCanvas) {
    this.#camera = camera;
    this.#mayZoom = mayFrame(camera, model);
    setAttribute(this.#frame.element, 'data-zooms', this.#mayZoom);
    setAttribute(this.element, 'data-camera', camera.id);
    setAttribute(this.element, 'data-state', camera.state);
    setText(this.#name, camera.name);
    this.#frame.update(camera, model, undefined);
    this.element.style.setProperty('--aspect', aspectOf(camera, this.#frame.drawnSize).toFixed(4));
    if (smallCanvas) this.#frame.live.borrow(smallCanvas);
    this.#facts.update(camera, model.state.recording, this.#frame.live);
  }

  rest() {
    this.#frame.live.show(null);
  }
}
