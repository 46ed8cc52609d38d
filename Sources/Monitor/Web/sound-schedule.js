/** Seconds of sound that are gathered before the first is played: what the way may be late. */
const CUSHION = 0.12;
/** What comes later than this behind the sound itself is left out until the cushion is as it was. */
const MOST = 0.3;

/** When each piece of live sound is played: one behind the other, never far behind the microphone. */
export class SoundSchedule {
  #next = -Infinity;
  #catchesUp = false;

  /** Times that nothing had come and it was silent. */
  gaps = 0;
  /** Pieces left out because too much had come at once. */
  dropped = 0;

  /** Where a piece of so many seconds that came `now` begins, by the same clock; null leaves it out. */
  place(now, seconds) {
    if (this.#next < now) {
      if (this.#next > -Infinity) this.gaps += 1;
      this.#next = now + CUSHION;
    }
    const lead = this.#next - now;
    this.#catchesUp = lead > (this.#catchesUp ? CUSHION : MOST);
    if (this.#catchesUp) {
      this.dropped += 1;
      return null;
    }
    const at = this.#next;
    this.#next += seconds;
    return at;
  }
}
