import { h, icon, setAttribute, setText } from './dom.js';
import { byteSize, roughTime, timecode } from './text.js';

/** A second press within this time after the answer is the same finger, not another wish. */
const GUARD = 700;
/** Starting waits for each camera's first picture, stopping for each file. */
const LIMIT = 30_000;

/** Record, how long it has been running, and for how long there is room. */
export class RecordDeck {
  element;
  #link;
  #toasts;
  #timecode = h('span', { class: 'timecode', role: 'timer' });
  #word = h('span', { class: 'deck-word' });
  #button;
  #arm;
  #armWord = h('span');
  #name;
  #nameWord = h('span', { class: 'deck-name' });
  #space = h('span', { class: 'space' });
  #left = h('span', { class: 'left' });
  #wishedName = '';
  #waitsFor = '';
  #guardUntil = 0;
  #model = null;
  #lostAt = 0;
  #since = undefined;

  constructor({ link, toasts, askName }) {
    this.#link = link;
    this.#toasts = toasts;
    this.#button = h('button', { type: 'button', class: 'record', onclick: () => this.toggle() }, h('span', { class: 'record-dot' }));
    this.#arm = h('button', { type: 'button', class: 'deck-button arm', onclick: () => this.#toggleArmed() }, icon('arm'), this.#armWord);
    this.#name = h('button', {
      type: 'button', class: 'deck-button',
      onclick: async () => {
        const name = await askName(this.#wishedName);
        if (name !== null) this.#wishedName = name;
        this.update(this.#model);
      },
    }, icon('name'), this.#nameWord);
    this.element = h('section', { class: 'deck', 'aria-label': 'Recording' },
      h('div', { class: 'deck-side' }, this.#name, this.#arm),
      h('div', { class: 'deck-time' }, this.#timecode, this.#word),
      this.#button,
      h('div', { class: 'deck-room' }, this.#left, this.#space));
  }

  /** Since Record, counted on from what the rig told. */
  #seconds({ state, link, now }) {
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

  update(model) {
    this.#model = model;
    const { state, link, role } = model;
    if (link.isLive) this.#lostAt = model.now;
    const { recording, disk } = state;
    const mayOperate = role !== 'viewer';
    const words = this.#words(recording, state.rig.armed);

    setAttribute(this.element, 'data-recording', Boolean(recording));
    setAttribute(this.element, 'data-role', role);
    setText(this.#timecode, timecode(this.#seconds(model)));
    setText(this.#word, words);

    setAttribute(this.#button, 'hidden', !mayOperate);
    setAttribute(this.#button, 'aria-label', recording ? 'Stop recording (Space)' : 'Record (Space)');
    setAttribute(this.#button, 'title', recording ? 'Stop (Space)' : 'Record (Space)');
    setAttribute(this.#button, 'aria-disabled', this.#isHeld(recording) ? 'true' : 'false');
    setAttribute(this.#button, 'data-waits', this.#waitsFor !== '');

    setAttribute(this.#arm, 'hidden', !mayOperate);
    setAttribute(this.#arm, 'aria-pressed', state.rig.armed ? 'true' : 'false');
    setAttribute(this.#arm, 'title', 'Armed, a take begins a moment before Record is pressed: the cameras stay open.');
    setText(this.#armWord, state.rig.armed ? 'Armed' : 'Arm');

    setAttribute(this.#name, 'hidden', !mayOperate || Boolean(recording && !recording.name));
    setAttribute(this.#name, 'disabled', Boolean(recording));
    const shown = recording ? recording.name : this.#wishedName;
    setText(this.#nameWord, shown || 'Name');
    setAttribute(this.#name, 'aria-label', `Name of the ${recording ? 'take' : 'next take'}: ${shown || 'none'}`);

    setText(this.#left, disk?.secondsLeft === undefined ? '' : `${roughTime(disk.secondsLeft)} left`);
    setText(this.#space, disk?.freeBytes === undefined ? '' : `${byteSize(disk.freeBytes)} free`);
  }

  #words(recording, armed) {
    if (!this.#model.link.isLive) return 'Not connected';
    if (this.#waitsFor === 'start') return 'Starting…';
    if (recording?.stopping || this.#waitsFor === 'stop') return 'Stopping…';
    if (recording) return 'Recording';
    return armed ? 'Ready, armed' : 'Ready';
  }

  #isHeld(recording) {
    return !this.#link.isLive || this.#waitsFor !== '' || Boolean(recording?.stopping) || performance.now() < this.#guardUntil;
  }

  async toggle() {
    const model = this.#model;
    if (!model?.state || model.role === 'viewer') return;
    const { recording } = model.state;
    if (!this.#link.isLive) {
      this.#toasts.say('There is no connection to the rig: nothing was started or stopped.', 'alarm');
      return;
    }
    if (this.#isHeld(recording)) return;
    if (recording) await this.#ask('stop', {});
    else await this.#ask('start', this.#wishedName ? { name: this.#wishedName } : {});
  }

  async #ask(what, params) {
    this.#waitsFor = what;
    this.update(this.#model);
    try {
      const answer = await this.#link.call(`recording.${what}`, params, LIMIT);
      if (what === 'start') {
        this.#wishedName = '';
        for (const camera of answer.cameras ?? []) {
          if (camera.problem) this.#toasts.say(`${camera.name} is not in the take: ${camera.problem}`, 'alarm');
        }
      }
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    } finally {
      this.#waitsFor = '';
      this.#guardUntil = performance.now() + GUARD;
      this.update(this.#model);
    }
  }

  async #toggleArmed() {
    try {
      await this.#link.call('recording.arm', { armed: !this.#model.state.rig.armed });
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    }
  }
}
