import { causesText } from './camera-words.js';
import { h, icon, iconButton, setAttribute } from './dom.js';
import { MJPEGPlayer } from './mjpeg-player.js';
import { routeFragment } from './route.js';
import { askBeside } from './session.js';
import { byteSize, clipLength, count, dateTime, rateText, sizeText, timeOfDay } from './text.js';

const GAPS = {
  absent: 'not there yet', unplugged: 'unplugged', stalled: 'sent no picture', stopped: 'stopped', failed: 'failed',
  reset: 'started anew', lost: 'pictures were lost', unknown: 'found by repair',
};

const clipAddress = (take, file) => `/takes/${encodeURIComponent(take)}/${encodeURIComponent(file)}`;

/** One take: its clips to play and to fetch, and what is missing in it. */
export class TakeDetail {
  #link;
  #toasts;
  #id = '';
  #manifest = null;
  #player = null;
  #playing = '';
  #screen = h('div', { class: 'screen' });
  #content = h('div', { class: 'take-content' });
  element = h('section', { class: 'take-detail', 'aria-label': 'Take' }, this.#content);

  constructor({ link, toasts }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#build();
  }

  /** Empty: none. */
  show(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#manifest = null;
    this.#closePlayer();
    this.#build();
    if (id) this.#read();
  }

  /** The takes have changed; if it is this one, it is shown as it is now. */
  refresh() {
    if (this.#id && this.#manifest?.state !== 'finished') this.#read();
  }

  togglePlay() {
    if (this.#player instanceof MJPEGPlayer) this.#player.toggle();
    else if (this.#player) this.#player.paused ? this.#player.play() : this.#player.pause();
  }

  async #read() {
    const id = this.#id;
    try {
      const manifest = await this.#link.call('take.get', { take: id });
      if (id !== this.#id) return;
      this.#manifest = manifest;
      this.#build();
      const first = manifest.cameras.flatMap((camera) => camera.clips.map((clip) => ({ camera, clip })))
        .find(({ clip }) => isPlayable(clip));
      if (first && !this.#playing) this.#open(first.camera, first.clip);
    } catch (refusal) {
      if (id === this.#id && !this.#manifest) this.#content.replaceChildren(back(), h('p', { class: 'none' }, refusal.message));
    }
  }

  #build() {
    if (!this.#id) {
      this.#content.replaceChildren(h('p', { class: 'none wide-only' }, 'Choose a take to play it.'));
      return;
    }
    if (!this.#manifest) {
      this.#content.replaceChildren(back(), h('p', { class: 'none' }, 'Reading…'));
      return;
    }
    const take = this.#manifest;
    const when = dateTime(take.start.wall);
    this.#content.replaceChildren(
      h('header', { class: 'take-bar' }, back(),
        h('div', {}, h('h2', {}, take.name || when), h('p', { class: 'hint' }, subtitle(take, when)))),
      this.#screen,
      ...take.cameras.map((camera) => this.#camera(camera)),
      h('div', { class: 'actions start' }, this.#verifyButton()),
    );
    this.#mark();
  }

  #camera(camera) {
    const lost = causesText(camera.lost);
    return h('section', { class: 'take-camera', 'aria-label': camera.name },
      h('h3', {}, camera.name, h('span', { class: 'hint' }, formatText(camera.format ?? camera.clips[0]?.format))),
      camera.clips.map((clip) => this.#clip(camera, clip)),
      (camera.gaps ?? []).map((gap) => h('p', { class: 'gap' }, icon('warning'), gapText(gap))),
      lost ? h('p', { class: 'gap' }, icon('warning'), `Lost: ${lost}`) : null);
  }

  #clip(camera, clip) {
    const open = clip.state === 'recording';
    return h('div', { class: 'clip', 'data-file': clip.file },
      h('button', {
        type: 'button', class: 'clip-play', disabled: !isPlayable(clip),
        'aria-label': `Play ${clip.file}`, onclick: () => this.#open(camera, clip, true),
      }, icon('play'), h('span', { class: 'clip-name' }, clip.file),
      h('span', { class: 'clip-facts' }, open ? 'being recorded' : `${clipLength(clip.durationSeconds)} · ${byteSize(clip.bytes)}`)),
      open ? null : h('a', {
        class: 'icon-button', href: `${clipAddress(this.#id, clip.file)}?download=1`, download: clip.file,
        'aria-label': `Download ${clip.file}`, title: 'Download',
      }, icon('download')));
  }

  #open(camera, clip, plays = false) {
    this.#closePlayer();
    this.#playing = clip.file;
    const address = clipAddress(this.#id, clip.file);
    if (clip.file.endsWith('.mov')) {
      this.#player = new MJPEGPlayer(`${address}/frames`, clip.durationSeconds, `${camera.name}, ${clip.file}`, plays);
      this.#screen.replaceChildren(this.#player.element);
    } else {
      this.#player = h('video', { controls: true, preload: 'metadata', playsinline: true, src: address, 'aria-label': `${camera.name}, ${clip.file}` });
      this.#screen.replaceChildren(this.#player);
      if (plays) this.#player.play().catch(() => {}); // The element says itself what it cannot play.
    }
    if (plays) this.#screen.scrollIntoView({ block: 'nearest' });
    this.#mark();
  }

  #mark() {
    for (const clip of this.#content.querySelectorAll('.clip')) {
      setAttribute(clip, 'aria-current', clip.dataset.file === this.#playing ? 'true' : false);
    }
  }

  #closePlayer() {
    if (this.#player instanceof MJPEGPlayer) this.#player.close();
    else if (this.#player) {
      this.#player.removeAttribute('src');
      this.#player.load();
    }
    this.#player = null;
    this.#playing = '';
    this.#screen.replaceChildren();
  }

  #verifyButton() {
    const verdict = h('p', { class: 'hint', role: 'status' });
    const button = h('button', { type: 'button', disabled: ['recording', 'stopping'].includes(this.#manifest.state) }, 'Check the files');
    button.addEventListener('click', async () => {
      button.disabled = true;
      verdict.textContent = 'Reading all of the take\'s files…';
      try {
        const { exact, cameras, findings } = await askBeside('take.verify', { take: this.#id });
        const written = cameras.reduce((sum, camera) => sum + camera.written, 0);
        verdict.textContent = exact
          ? `Every picture is accounted for: ${written.toLocaleString('en')} written.`
          : `Not all is as it should be: ${findings.map((finding) => finding.message).join(' ')}`;
      } catch (refusal) {
        verdict.textContent = '';
        this.#toasts.refuse(refusal);
      } finally {
        button.disabled = false;
      }
    });
    return [button, verdict];
  }
}

const back = () => iconButton('previous', 'All takes', () => { location.hash = routeFragment('takes'); }, { class: 'icon-button narrow-only' });

const isPlayable = (clip) => ['finished', 'repaired', 'unfinished'].includes(clip.state) && clip.frames > 0;

function formatText(format) {
  if (!format) return '';
  return [sizeText(format.size), format.rate ? `${rateText(format.rate)} fps` : ''].filter(Boolean).join(' · ');
}

function subtitle(take, when) {
  const clips = take.cameras.flatMap((camera) => camera.clips);
  const bytes = clips.reduce((sum, clip) => sum + clip.bytes, 0);
  const stop = take.stop && take.stop.cause !== 'requested' ? take.stop.message : '';
  return [take.name ? when : '', count(clips.length, 'clip'), bytes > 0 ? byteSize(bytes) : '', stop].filter(Boolean).join(' · ');
}

function gapText(gap) {
  const until = gap.toWall ? `${timeOfDay(gap.fromWall)} to ${timeOfDay(gap.toWall)}` : `From ${timeOfDay(gap.fromWall)} on`;
  return `${until}: ${GAPS[gap.reason] ?? gap.reason}`;
}
