import { SoundSchedule } from './sound-schedule.js';

/** Sample frames a second of all sound that a rig sends. */
const RATE = 48_000;

/** Plays one microphone live. Browsers let a page sound only after a gesture: the first `play` must come of one. */
export class SoundPlayer {
  #media;
  #context = null;
  #stream = null;
  #schedule = new SoundSchedule();

  /** The one that is played; empty for none. */
  microphone = '';
  /** Some of it has come. */
  isHeard = false;
  /** Messages of 20 ms that were left out, by the rig or here. */
  skipped = 0;
  /** Why the rig sends none, where it said so. */
  refusal = '';

  constructor(media) {
    this.#media = media;
  }

  play(microphone) {
    if (microphone === this.microphone) return;
    this.#stream?.stop();
    this.#context ??= new AudioContext({ sampleRate: RATE, latencyHint: 'interactive' });
    this.#context.resume();
    this.#schedule = new SoundSchedule();
    this.microphone = microphone;
    this.isHeard = false;
    this.skipped = 0;
    this.refusal = '';
    this.#stream = this.#media.listen(microphone, {
      sound: (samples, header) => this.#arrived(samples, header),
      ended: (reason) => { this.refusal = reason; },
    });
  }

  stop() {
    this.#stream?.stop();
    this.#stream = null;
    this.microphone = '';
    this.isHeard = false;
    // Kept: one that is made without a gesture may stay silent.
    this.#context?.suspend();
  }

  #arrived(samples, { channels, sequence, skipped }) {
    this.#stream.acknowledge(sequence);
    this.skipped += skipped;
    const frames = samples.length / channels;
    if (this.#context.state !== 'running') {
      this.skipped += 1;
      return;
    }
    const at = this.#schedule.place(this.#context.currentTime, frames / RATE);
    if (at === null) {
      this.skipped += 1;
      return;
    }
    const buffer = this.#context.createBuffer(channels, frames, RATE);
    for (let channel = 0; channel < channels; channel += 1) {
      const values = buffer.getChannelData(channel);
      for (let frame = 0; frame < frames; frame += 1) values[frame] = samples[frame * channels + channel] / 32_768;
    }
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#context.destination);
    source.start(at);
    this.isHeard = true;
    this.refusal = '';
  }
}
