import { deckChoice } from './deck-choice.js';
import { h, icon, setAttribute } from './dom.js';
import { count } from './text.js';

const LIMIT = 30_000;
const TIMERS = [[0, 'Off'], [2, '2 s'], [3, '3 s'], [5, '5 s'], [10, '10 s'], [20, '20 s']];
const COUNTS = [[1, '1'], [3, '3'], [5, '5'], [10, '10']];

/** Photos: of the camera that is large, or of all of them; at once or by timer. */
export class PhotoShutter {
  name = 'photo';
  #link;
  #toasts;
  #changed;
  #timer = deckChoice('timer', 'Self-timer', TIMERS);
  #count = deckChoice('burst', 'Photos in a row', COUNTS);
  #whose;
  #flash;
  #flashes = false;
  #mayFlash = false;
  #takesAll = false;
  #waits = false;
  #large = '';
  options;

  constructor({ link, toasts, changed }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#changed = changed;
    this.#whose = h('button', {
      type: 'button', class: 'deck-button', 'aria-label': 'All cameras', title: 'All cameras, not the large one alone',
      onclick: () => {
        this.#takesAll = !this.#takesAll;
        changed();
      },
    }, icon('live'), h('span', {}, 'All'));
    this.#flash = h('button', {
      type: 'button', class: 'deck-button flash', 'aria-label': 'Flash', title: 'The lights are on for the photo', hidden: true,
      onclick: () => {
        this.#flashes = !this.#flashes;
        changed();
      },
    }, icon('flash'), h('span', {}, 'Flash'));
    this.options = [
      h('div', { class: 'deck-pair' }, this.#timer.element, this.#count.element), h('div', { class: 'deck-pair deck-aim' }, this.#flash, this.#whose)];
  }

  update({ state, route }) {
    this.#large = route.view === 'live' && state.cameras[route.camera] ? route.camera : '';
    const several = Object.keys(state.cameras).length > 1;
    setAttribute(this.#whose, 'hidden', !this.#large || !several);
    setAttribute(this.#whose, 'aria-pressed', this.#takesAll ? 'true' : 'false');
    // Without a light of these cameras, or of none, there is nothing to flash with.
    const isAimed = (camera) => !camera || !this.#large || this.#takesAll || camera === this.#large;
    this.#mayFlash = Object.values(state.torches ?? {}).some(({ camera }) => isAimed(camera));
    setAttribute(this.#flash, 'hidden', !this.#mayFlash);
    setAttribute(this.#flash, 'aria-pressed', this.#flashes ? 'true' : 'false');
  }

  face({ state }) {
    const { countdown, burst } = state.photo ?? {};
    return {
      time: '',
      word: countdown ? 'Timer runs' : burst ? `${burst.taken} of ${burst.count}` : this.#waits ? 'Taking…' : this.#aim(state),
      label: countdown || burst ? 'Cancel (Space)' : 'Take a photo (Space)',
      title: countdown || burst ? 'Cancel (Space)' : 'Photo (Space)',
      isRunning: Boolean(countdown || burst),
      isHeld: false,
      waits: this.#waits,
    };
  }

  #aim(state) {
    if (this.#large && !this.#takesAll) return `Photo of ${state.cameras[this.#large].name}`;
    const there = Object.values(state.cameras).filter((camera) => camera.enabled && camera.state !== 'offline');
    return `Photo of ${count(there.length, 'camera')}`;
  }

  async press({ state }) {
    if (state.photo?.countdown || state.photo?.burst) {
      await this.#ask('photo.cancel', {});
      return;
    }
    const params = {};
    if (this.#large && !this.#takesAll) params.cameras = [this.#large];
    if (Number(this.#timer.select.value) > 0) params.timerSeconds = Number(this.#timer.select.value);
    if (Number(this.#count.select.value) > 1) Object.assign(params, { count: Number(this.#count.select.value), intervalSeconds: 1 });
    if (this.#mayFlash && this.#flashes) params.flash = 'on';
    await this.#ask('photo.take', params);
  }

  async #ask(method, params) {
    this.#waits = true;
    this.#changed();
    try {
      await this.#link.call(method, params, LIMIT);
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    } finally {
      this.#waits = false;
    }
  }
}
