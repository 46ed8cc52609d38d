import { h, setAttribute } from './dom.js';

/** Below this nothing is seen of a sound. */
const FLOOR = -60;
const LOUD = -6;
const HIGH = -18;

/** How far a bar reaches: 0 at the floor, 1 at full scale. */
export function meterShare(decibels) {
  if (!Number.isFinite(decibels)) return 0;
  return Math.min(1, Math.max(0, (decibels - FLOOR) / -FLOOR));
}

/** A bar for each channel of a microphone, under its camera's picture. */
export class SoundMeter {
  #bars = [];
  element = h('span', { class: 'meter', role: 'meter', 'aria-label': 'Sound level', 'aria-valuemin': FLOOR, 'aria-valuemax': 0, hidden: true });

  /** `levels`: `{peak, rms}` in dBFS for each channel; nothing where there are none. */
  show(levels) {
    const peaks = levels?.peak ?? [];
    setAttribute(this.element, 'hidden', peaks.length === 0);
    if (peaks.length === 0) return;
    while (this.#bars.length > peaks.length) this.#bars.pop().remove();
    while (this.#bars.length < peaks.length) {
      const bar = h('span', { class: 'meter-bar' }, h('span', { class: 'meter-rms' }), h('span', { class: 'meter-peak' }));
      this.#bars.push(bar);
      this.element.append(bar);
    }
    const loudest = Math.max(...peaks);
    setAttribute(this.element, 'aria-valuenow', Math.max(FLOOR, Math.round(loudest)));
    this.#bars.forEach((bar, index) => {
      bar.firstChild.style.transform = `scaleX(${meterShare(levels.rms?.[index] ?? FLOOR)})`;
      bar.lastChild.style.left = `${meterShare(peaks[index]) * 100}%`;
      setAttribute(bar, 'data-level', peaks[index] >= LOUD ? 'loud' : peaks[index] >= HIGH ? 'high' : 'low');
    });
  }
}
