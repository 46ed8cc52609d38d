import { deckChoice } from './deck-choice.js';
import { h, setAttribute } from './dom.js';
import { count, roughTime } from './text.js';

const LIMIT = 30_000;
const INTERVALS = [[1, '1 s'], [2, '2 s'], [5, '5 s'], [10, '10 s'], [30, '30 s'], [60, '1 min'], [300, '5 min'], [900, '15 min'], [3600, '1 h']];

/** A photo every so often, until it is stopped: of the camera that is large, or of all of them. */
export class TimelapseShutter {
  name = 'timelapse';
  #link;
  #toasts;
  #changed;
  #aim;
  #choice = deckChoice('timer', 'A picture every', INTERVALS);
  #interval = this.#choice.select;
  #waits = false;
  options;

  constructor({ link, toasts, changed, aim }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#changed = changed;
    this.#aim = aim;
    this.#interval.value = '5';
    this.options = [h('div', { class: 'deck-pair' }, this.#choice.element), h('div', { class: 'deck-pair deck-aim' }, aim.button())];
  }

  update(model) {
    const running = model.state.timelapse;
    this.#aim.update(model, Boolean(running));
    if (running && INTERVALS.some(([value]) => value === running.intervalSeconds)) this.#interval.value = String(running.intervalSeconds);
    setAttribute(this.#interval, 'disabled', Boolean(running));
  }

  face({ state }) {
    const running = state.timelapse;
    return {
      time: '',
      word: running ? `${count(running.pictures ?? 0, 'picture')}, every ${roughTime(running.intervalSeconds)}` : `Photo of ${this.#aim.words(state)}`,
      label: running ? 'Stop the timelapse (Space)' : 'Start a timelapse (Space)',
      title: running ? 'Stop (Space)' : 'Start (Space)',
      isRunning: Boolean(running),
      isHeld: false,
      waits: this.#waits,
    };
  }

  async press({ state }) {
    this.#waits = true;
    this.#changed();
    try {
      if (state.timelapse) await this.#link.call('timelapse.stop', {}, LIMIT);
      else await this.#link.call('timelapse.start', { ...this.#aim.params, intervalSeconds: Number(this.#interval.value) }, LIMIT);
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    } finally {
      this.#waits = false;
    }
  }
}
