import { h, icon, iconButton, KeyedParts, setAttribute, setIcon, setText } from './dom.js';
import { rigTroubles } from './troubles.js';

/** What needs a person, above everything else, for as long as it lasts. */
export class Banners {
  #list = h('div', { class: 'banner-list', role: 'status', 'aria-live': 'polite' });
  #more = h('button', { type: 'button', class: 'more', onclick: () => this.#toggle() });
  element = h('div', { class: 'banners' }, this.#list, this.#more);
  #parts;
  #told = new Map();
  /** Texts of notes that somebody has read and put aside. */
  #read = new Set();
  #shown = [];

  constructor({ link, toasts }) {
    const dismiss = ({ key, text }) => {
      if (!this.#told.delete(key)) this.#read.add(gist(text));
      this.#show(this.#shown.filter((trouble) => trouble.key !== key));
    };
    const heal = async ({ method, params }) => {
      try {
        const { refused } = await link.call(method, params);
        const reasons = Object.values(refused ?? {});
        if (reasons.length > 0) toasts.say(reasons.join(' '), 'alarm');
      } catch (refusal) {
        toasts.refuse(refusal);
      }
    };
    this.#parts = new KeyedParts(this.#list, () => new Banner(dismiss, heal));
  }

  /** An event of the take told of trouble that the state does not: it stays until it is dismissed or a new take begins. */
  tell({ take, camera, kind, message }) {
    this.#told.set(`told.${camera ?? ''}.${kind}`, { take, text: message });
  }

  update({ state, link, now, role }) {
    const troubles = [];
    const { phase, retryAt } = link.socket;
    if (!link.isLive) troubles.push({ key: 'link', level: 'alarm', text: linkText(state), aside: nextTry(phase, retryAt, now) });
    // What was known before the connection was lost need not be so any more.
    if (state && link.isLive) {
      const found = rigTroubles(state);
      // What is over is told again when it comes again.
      this.#read = new Set(found.map(({ text }) => gist(text)).filter((text) => this.#read.has(text)));
      troubles.push(...found.filter(({ text }) => !this.#read.has(gist(text))).map((trouble) => ({
        ...trouble, dismissible: trouble.level === 'note', cure: role === 'viewer' ? undefined : trouble.cure,
      })));
      const texts = new Set(troubles.map((trouble) => trouble.text));
      for (const [key, { take, text }] of this.#told) {
        if (state.recording && state.recording.take !== take) this.#told.delete(key);
        else if (!texts.has(text)) troubles.push({ key, level: 'warning', text, dismissible: true });
      }
    }
    this.#show(troubles);
  }

  #show(troubles) {
    this.#shown = troubles;
    this.#parts.update(troubles, (trouble) => trouble.key);
    setAttribute(this.element, 'data-many', troubles.length > 2);
    const isOpen = this.element.hasAttribute('data-open');
    setText(this.#more, isOpen ? 'Show less' : `Show all ${troubles.length}`);
    setAttribute(this.#more, 'aria-expanded', isOpen ? 'true' : 'false');
  }

  #toggle() {
    setAttribute(this.element, 'data-open', !this.element.hasAttribute('data-open'));
    this.#show(this.#shown);
  }
}

/** A note that is put aside stays so while only its figures change. */
function gist(text) {
  return text.replace(/[\d.,]+/g, '#');
}

function linkText(state) {
  if (!state) return 'No connection to the rig yet.';
  const going = state.recording ? ' If the rig has power, it goes on recording.' : '';
  return `Connection to the rig lost.${going}`;
}

function nextTry(phase, retryAt, now) {
  const seconds = Math.ceil((retryAt - now) / 1000);
  return phase === 'waiting' && seconds > 0 ? `Next try in ${seconds} s` : 'Connecting…';
}

class Banner {
  element = h('div', { class: 'banner' });
  #text = h('span', { class: 'banner-text' });
  // What counts down is not read out each second.
  #aside = h('span', { class: 'hint', 'aria-hidden': 'true' });
  #dismiss;
  #cure;
  #trouble = null;

  constructor(dismiss, heal) {
    this.#dismiss = iconButton('close', 'Dismiss', () => dismiss(this.#trouble));
    this.#cure = h('button', {
      type: 'button', class: 'cure', onclick: async () => {
        this.#cure.disabled = true;
        await heal(this.#trouble.cure);
        this.#cure.disabled = false;
      },
    });
    this.element.append(icon('warning'), this.#text, this.#aside, this.#cure, this.#dismiss);
  }

  update(trouble) {
    const { key, level, text, aside = '', cure, dismissible = false } = trouble;
    this.#trouble = trouble;
    setAttribute(this.element, 'data-level', level);
    setAttribute(this.element, 'data-trouble', key);
    setIcon(this.element, level === 'note' ? 'note' : 'warning');
    setAttribute(this.#dismiss, 'hidden', !dismissible);
    setText(this.#text, text);
    setText(this.#aside, aside);
    setText(this.#cure, cure?.words ?? '');
    setAttribute(this.#cure, 'hidden', !cure);
  }
}
