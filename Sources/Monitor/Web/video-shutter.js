import { h, icon, setAttribute, setText } from './dom.js';
import { timecode } from './text.js';

/** Starting waits for each camera's first picture, stopping for each file. */
const LIMIT = 30_000;

/** Record and stop. What the deck shows of it is in `face`. */
export class VideoShutter {
  name = 'video';
  #link;
  #toasts;
  #arm;
  #armWord = h('span');
  #name;
  #nameWord = h('span', { class: 'deck-name' });
  #wishedName = '';
  #waitsFor = '';
  #lostAt = 0;
  #since = undefined;
  #changed;
  options;

  /** `changed`: something of the face is another one. */
  constructor({ link, toasts, askName, changed }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#changed = changed;
    this.#arm = h('button', { type: 'button', class: 'deck-button arm', onclick: () => this.#toggleArmed() }, icon('arm'), this.#armWord);
    this.#name = h('button', {
      type: 'button', class: 'deck-button take-name',
      onclick: async () => {
        const name = await askName(this.#wishedName);
        if (name !== null) this.#wishedName = name;
        changed();
      },
    }, icon('name'), this.#nameWord);
    this.options = [this.#name, this.#arm];
  }

  /** Since Record, counted on from what the rig told. */
  seconds({ state, link, now }) {
    if (link.isLive) this.#lostAt = now;
    if (!state.recording) {
      this.#since = undefined;
      return 0;
    }
    // While it is asked anew, what it told last holds.
    this.#since = link.recordingSince ?? this.#since;
    // Without a connection nobody knows, and a clock that runs on would say that all is well.
    const until = link.isLive ? now : this.#lostAt;
    return this.#since === undefined ? 0 : Math.max(0, until - this.#since) / 1000;
  }

  update({ state }) {
    const { recording } = state;
    setAttribute(this.#arm, 'aria-pressed', state.rig.armed ? 'true' : 'false');
    setAttribute(this.#arm, 'title', 'Armed, a take begins a moment before Record is pressed: the cameras stay open.');
    setText(this.#armWord, state.rig.armed ? 'Armed' : 'Arm');
    setAttribute(this.#arm, 'aria-label', 'Arm');
    setAttribute(this.#name, 'hidden', Boolean(recording && !recording.name));
    setAttribute(this.#name, 'disabled', Boolean(recording));
    const shown = recording ? recording.name : this.#wishedName;
    setText(this.#nameWord, shown || 'Name');
    setAttribute(this.#name, 'aria-label', `Name of the ${recording ? 'take' : 'next take'}: ${shown || 'none'}`);
  }

  face(model) {
    const { recording, rig } = model.state;
    return {
      time: timecode(this.seconds(model)),
      word: this.#word(recording, rig.armed),
      label: recording ? 'Stop recording (Space)' : 'Record (Space)',
      title: recording ? 'Stop (Space)' : 'Record (Space)',
      isRunning: Boolean(recording),
      isHeld: Boolean(recording?.stopping),
      waits: this.#waitsFor !== '',
    };
  }

  #word(recording, armed) {
    if (this.#waitsFor === 'start') return 'Starting…';
    if (recording?.stopping || this.#waitsFor === 'stop') return 'Stopping…';
    if (recording) return 'Recording';
    return armed ? 'Ready, armed' : 'Ready';
  }

  async press({ state }) {
    // Named: one that has begun meanwhile is not what this person sees.
    if (state.recording) await this.#ask('stop', { take: state.recording.take });
    else await this.#ask('start', this.#wishedName ? { name: this.#wishedName } : {});
  }

  async #ask(what, params) {
    this.#waitsFor = what;
    this.#changed();
    try {
      const answer = await this.#link.call(`recording.${what}`, params, LIMIT);
      if (what !== 'start') return;
      this.#wishedName = '';
      for (const camera of answer.cameras ?? []) {
        if (camera.problem) this.#toasts.say(`${camera.name} is not in the take: ${camera.problem}`, 'alarm');
      }
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    } finally {
      this.#waitsFor = '';
    }
  }

  async #toggleArmed() {
    try {
      await this.#link.call('recording.arm', { armed: !this.#link.state.rig.armed });
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    }
  }
}
