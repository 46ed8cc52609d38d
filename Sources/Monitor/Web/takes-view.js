import { h, icon, KeyedParts, setAttribute, setText } from './dom.js';
import { routeFragment } from './route.js';
import { TakeDetail } from './take-detail.js';
import { byteSize, clipLength, count, dateTime } from './text.js';

const MOST = 500;

const STATES = {
  recording: 'being recorded', stopping: 'being finished', finished: '', repaired: 'repaired after a crash',
  unfinished: 'needs repair',
};

/** Take list, newest first, and the one that was chosen. */
export class TakesView {
  element;
  #link;
  #list = h('div', { class: 'take-rows' });
  #none = h('p', { class: 'none' });
  #more = h('p', { class: 'none' }, `The newest ${MOST}. camrigctl takes lists all.`);
  #rows;
  #detail;
  #updated;
  #takes = [];
  #word = 'Reading…';
  #isStale = true;
  #isReading = false;
  #isShown = false;
  #recorded = undefined;

  /** `updated`: called when there is something new to show. */
  constructor({ link, toasts, updated }) {
    this.#link = link;
    this.#updated = updated;
    this.#rows = new KeyedParts(this.#list, () => new TakeRow());
    this.#detail = new TakeDetail({ link, toasts });
    this.element = h('div', { class: 'takes-view' },
      h('section', { class: 'take-list', 'aria-label': 'Takes' }, h('h1', {}, 'Takes'), this.#none, this.#list, this.#more),
      this.#detail.element);
  }

  togglePlay() {
    this.#detail.togglePlay();
  }

  leave() {
    this.#isShown = false;
    this.#detail.show('');
  }

  /** Something of the takes has changed. */
  stale() {
    this.#isStale = true;
  }

  update(model) {
    const { state, route, link } = model;
    const recorded = state.recording?.take;
    if (!this.#isShown || recorded !== this.#recorded) this.stale();
    this.#isShown = true;
    this.#recorded = recorded;
    if (this.#isStale && !this.#isReading && link.isLive) this.#read();
    setAttribute(this.element, 'data-mode', route.take ? 'detail' : 'list');
    this.#detail.show(route.take);
    this.#rows.update(this.#takes, (take) => take.id, route.take);
    setText(this.#none, this.#word);
    setAttribute(this.#none, 'hidden', this.#takes.length > 0);
    setAttribute(this.#more, 'hidden', this.#takes.length < MOST);
  }

  async #read() {
    this.#isReading = true;
    this.#isStale = false;
    try {
      this.#takes = await this.#link.call('take.list', { limit: MOST });
      this.#word = 'No take yet. Press Record.';
      this.#detail.refresh();
    } catch (refusal) {
      // What the rig refuses it refuses again; what a lost connection cut off is read anew.
      if (refusal.code === undefined) this.#isStale = true;
      this.#word = refusal.message;
    } finally {
      this.#isReading = false;
    }
    this.#updated();
  }
}

class TakeRow {
  #title = h('span', { class: 'take-title' });
  #facts = h('span', { class: 'take-facts' });
  #lost = h('span', { class: 'badge lost' });
  #state = h('span', { class: 'badge' });
  #length = h('span', { class: 'take-length' });
  element = h('a', { class: 'take-row' },
    icon('play'),
    h('span', { class: 'take-words' }, this.#title, this.#facts),
    h('span', { class: 'take-badges' }, this.#state, this.#lost), this.#length);

  update(take, chosen) {
    const when = dateTime(take.start);
    setAttribute(this.element, 'href', routeFragment('takes', take.id));
    setAttribute(this.element, 'data-take', take.id);
    setAttribute(this.element, 'aria-current', take.id === chosen ? 'true' : false);
    setText(this.#title, take.name || when);
    setText(this.#facts, [
      take.name ? when : '', count(take.cameras, 'camera'), take.bytes > 0 ? byteSize(take.bytes) : '',
    ].filter(Boolean).join(' · '));
    setText(this.#state, STATES[take.state] ?? take.state);
    setAttribute(this.#state, 'data-state', take.state);
    setAttribute(this.#state, 'hidden', !(STATES[take.state] ?? take.state));
    setText(this.#lost, `${take.lost} lost`);
    setAttribute(this.#lost, 'hidden', !take.lost);
    setText(this.#length, take.state === 'recording' ? '' : clipLength(take.durationSeconds));
  }
}

