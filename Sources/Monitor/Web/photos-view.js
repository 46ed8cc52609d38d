import { Dialog } from './dialog.js';
import { h, KeyedParts, setAttribute, setText } from './dom.js';
import { photoNotes } from './photo-notes.js';
import { routeFragment } from './route.js';
import { askBeside } from './session.js';
import { byteSize, count, dateTime, sizeText, timeOfDay } from './text.js';

const MOST = 300;
const THUMBNAIL = 320;
const LARGE = 1600;

const address = (shot, file, query) => `/shots/${encodeURIComponent(shot)}/${encodeURIComponent(file)}${query}`;
const lapseAddress = (id, file, query) => `/timelapses/${encodeURIComponent(id)}/${encodeURIComponent(file)}${query}`;

/** All photos, newest first, and the timelapses. */
export class PhotosView {
  #link;
  #toasts;
  #updated;
  #photos = [];
  #lapses = [];
  /** Those made on this page. */
  #movies = new Map();
  #word = 'Reading…';
  #isStale = true;
  #isReading = false;
  #isShown = false;
  #list = h('div', { class: 'photo-grid' });
  #lapseList = h('div', { class: 'lapse-rows' });
  #lapseTitle = h('h2', {}, 'Timelapses');
  #none = h('p', { class: 'none' });
  #tiles;
  #rows;
  element;

  constructor({ link, toasts, updated }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#updated = updated;
    this.#tiles = new KeyedParts(this.#list, () => new PhotoTile());
    this.#rows = new KeyedParts(this.#lapseList, () => new LapseRow((id) => this.#makeMovie(id)));
    this.element = h('section', { class: 'photos-view', 'aria-label': 'Photos' },
      h('h1', {}, 'Photos'), this.#none, this.#list, this.#lapseTitle, this.#lapseList);
  }

  stale() {
    this.#isStale = true;
  }

  leave() {
    this.#isShown = false;
  }

  update({ link, role }) {
    if (!this.#isShown) this.stale();
    this.#isShown = true;
    if (this.#isStale && !this.#isReading && link.isLive) this.#read();
    this.#tiles.update(this.#photos, ({ shot, file }) => `${shot}/${file}`);
    this.#rows.update(this.#lapses, ({ timelapse }) => timelapse, this.#movies, role !== 'viewer');
    setText(this.#none, this.#word);
    setAttribute(this.#none, 'hidden', this.#photos.length > 0);
    setAttribute(this.#lapseTitle, 'hidden', this.#lapses.length === 0);
  }

  async #read() {
    this.#isReading = true;
    this.#isStale = false;
    try {
      const shots = await this.#link.call('photo.list', { limit: MOST });
      this.#photos = shots.flatMap(({ shot, at, photos }) => photos.map((photo) => ({ at, ...photo, shot })));
      this.#word = 'No photo yet. Choose Photo below and press the shutter.';
      this.#lapses = await this.#link.call('timelapse.list', { limit: MOST });
    } catch (refusal) {
      // What the rig refuses it refuses again; what a lost connection cut off is read anew.
      if (refusal.code === undefined) this.#isStale = true;
      this.#word = refusal.message;
    } finally {
      this.#isReading = false;
    }
    this.#updated();
  }

  async #makeMovie(timelapse) {
    try {
      const { movies } = await askBeside('timelapse.movie', { timelapse });
      this.#movies.set(timelapse, movies);
      this.#updated();
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    }
  }
}

class PhotoTile {
  #image = h('img', { loading: 'lazy', decoding: 'async', alt: '' });
  #name = h('span', { class: 'photo-name' });
  #time = h('span', { class: 'hint' });
  #notes = h('span', { class: 'hint photo-notes' });
  #photo = null;
  element = h('button', { type: 'button', class: 'photo-tile', onclick: () => this.#open() },
    this.#image, h('span', { class: 'photo-words' }, this.#name, this.#time, this.#notes));

  update(photo) {
    this.#photo = photo;
    setAttribute(this.#image, 'src', address(photo.shot, photo.file, `?longEdge=${THUMBNAIL}`));
    setText(this.#name, photo.cameraName ?? photo.camera);
    setText(this.#time, timeOfDay(photo.at));
    const notes = photoNotes(photo);
    setText(this.#notes, notes);
    setAttribute(this.#notes, 'hidden', !notes);
    setAttribute(this.element, 'aria-label', [`Photo of ${photo.cameraName ?? photo.camera}`, dateTime(photo.at), notes].filter(Boolean).join(', '));
    setAttribute(this.element, 'data-shot', photo.shot);
  }

  #open() {
    const { shot, file, at, bytes, width, height, take } = this.#photo;
    const facts = [dateTime(at), width ? sizeText(`${width}x${height}`) : '', bytes ? byteSize(bytes) : '', photoNotes(this.#photo)]
      .filter(Boolean).join(' · ');
    const dialog = new Dialog(this.#photo.cameraName ?? this.#photo.camera,
      h('img', { class: 'photo-large', src: address(shot, file, `?longEdge=${LARGE}`), alt: this.element.getAttribute('aria-label') }),
      h('p', { class: 'hint' }, facts),
      h('div', { class: 'actions start' },
        take ? h('a', { class: 'button', href: routeFragment('takes', take), onclick: () => dialog.close() }, 'Go to its take') : null,
        h('a', { class: 'button', href: address(shot, file, '?download=1'), download: file }, 'Download')));
    dialog.open();
  }
}

class LapseRow {
  #title = h('span', { class: 'take-title' });
  #facts = h('span', { class: 'take-facts' });
  #make;
  #links = h('span', { class: 'actions' });
  #id = '';
  element;

  constructor(makeMovie) {
    this.#make = h('button', {
      type: 'button',
      onclick: async () => {
        this.#make.disabled = true;
        await makeMovie(this.#id);
        this.#make.disabled = false;
      },
    }, 'Make movie');
    this.element = h('div', { class: 'lapse-row' }, h('span', { class: 'take-words' }, this.#title, this.#facts), this.#links, this.#make);
  }

  update(lapse, made, mayMake) {
    this.#id = lapse.timelapse;
    setText(this.#title, dateTime(lapse.at));
    const pictures = lapse.cameras.reduce((sum, camera) => sum + camera.pictures, 0);
    setText(this.#facts, [
      count(lapse.cameras.length, 'camera'), count(pictures, 'picture'), `every ${lapse.intervalSeconds} s`,
      lapse.state === 'running' ? 'running' : lapse.message ?? '',
    ].filter(Boolean).join(' · '));
    setAttribute(this.#make, 'hidden', !mayMake || lapse.state === 'running' || pictures === 0);
    const movies = made.get(this.#id) ?? [];
    const offered = JSON.stringify(movies);
    if (this.#links.dataset.offered === offered) return;
    this.#links.dataset.offered = offered;
    this.#links.replaceChildren(...movies.map(({ file, cameraName, bytes }) => h('a', {
      class: 'button', href: lapseAddress(this.#id, file, '?download=1'), download: file,
    }, `${cameraName}, ${byteSize(bytes)}`)));
  }
}
