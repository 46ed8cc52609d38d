import { deckChoice } from './deck-choice.js';
import { h, icon, setAttribute } from './dom.js';

const LIMIT = 30_000;
const TIMERS = [[0, 'Off'], [2, '2 s'], [3, '3 s'], [5, '5 s'], [10, '10 s'], [20, '20 s']];
const STILL = 'still';
const COUNTS = [3, 5, 10];
/** Seconds between the photos of a row; 0 is as fast as they come. */
const INTERVALS = [[1, '1 s apart'], [0, 'As fast as they come'], [5, '5 s apart'], [10, '10 s apart']];

/** The menu's groups say how, its items how many: closed it shows a number only. */
function rows() {
  return INTERVALS.map(([interval, label]) => h('optgroup', { label },
    COUNTS.map((number) => h('option', { value: `${number}/${interval}` }, String(number)))));
}

/** Photos: of the camera that is large, or of all of them; at once or by timer. */
export class PhotoShutter {
  name = 'photo';
  #link;
  #toasts;
  #changed;
  #timer = deckChoice('timer', 'Self-timer', TIMERS);
  #row = deckChoice('burst', 'Photos in a row, and their size', [['1/0', '1']]);
  #still = h('optgroup', { label: 'Largest size' }, h('option', { value: STILL }, 'Max'));
  #aim;
  #flash;
  #flashes = false;
  #mayFlash = false;
  #waits = false;
  options;

  constructor({ link, toasts, changed, aim }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#changed = changed;
    this.#aim = aim;
    this.#row.select.append(this.#still, ...rows());
    this.#flash = h('button', {
      type: 'button', class: 'deck-button flash', 'aria-label': 'Flash', title: 'The lights are on for the photo', hidden: true,
      onclick: () => {
        this.#flashes = !this.#flashes;
        changed();
      },
    }, icon('flash'), h('span', {}, 'Flash'));
    this.options = [
      h('div', { class: 'deck-pair' }, this.#timer.element, this.#row.element), h('div', { class: 'deck-pair deck-aim' }, this.#flash, aim.button())];
  }

  update(model) {
    const { state } = model;
    this.#aim.update(model);
    // For it a camera changes its stream; what is recorded must not end.
    const isRecording = Boolean(state.recording);
    setAttribute(this.#still, 'disabled', isRecording);
    setAttribute(this.#still, 'label', isRecording ? 'Largest size: not while recording' : 'Largest size: the picture stops for a moment');
    if (isRecording && this.#row.select.value === STILL) this.#row.select.value = '1/0';
    // Without a light of these cameras, or of none, there is nothing to flash with.
    const isAimed = (camera) => !camera || !this.#aim.camera || camera === this.#aim.camera;
    this.#mayFlash = Object.values(state.torches ?? {}).some(({ camera }) => isAimed(camera));
    setAttribute(this.#flash, 'hidden', !this.#mayFlash);
    setAttribute(this.#flash, 'aria-pressed', this.#flashes ? 'true' : 'false');
  }

  face({ state }) {
    const { countdown, burst } = state.photo ?? {};
    return {
      time: '',
      word: countdown ? 'Timer runs' : burst ? `${burst.taken} of ${burst.count}` : this.#waits ? 'Taking…' : `Photo of ${this.#aim.words(state)}`,
      label: countdown || burst ? 'Cancel (Space)' : 'Take a photo (Space)',
      title: countdown || burst ? 'Cancel (Space)' : 'Photo (Space)',
      isRunning: Boolean(countdown || burst),
      isHeld: false,
      waits: this.#waits,
    };
  }

  async press({ state }) {
    if (state.photo?.countdown || state.photo?.burst) {
      await this.#ask('photo.cancel', {});
      return;
    }
    const params = { ...this.#aim.params };
    if (Number(this.#timer.select.value) > 0) params.timerSeconds = Number(this.#timer.select.value);
    if (this.#row.select.value === STILL) {
      params.source = 'still';
    } else {
      const [number, interval] = this.#row.select.value.split('/').map(Number);
      if (number > 1) Object.assign(params, { count: number, intervalSeconds: interval });
    }
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
