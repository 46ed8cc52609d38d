import { Dialog } from './dialog.js';
import { h, icon, KeyedParts, setAttribute, setText } from './dom.js';
import { LatestWins } from './latest-wins.js';
import { RigSlider } from './rig-slider.js';

const inOrder = (torches) => Object.entries(torches ?? {}).map(([id, torch]) => ({ ...torch, id })).sort((a, b) => a.name.localeCompare(b.name));

/** The rig's lights: one is switched at once, of several a window shows all. */
export class TorchButton {
  #link;
  #toasts;
  #dialog = null;
  #rows = null;
  element;

  constructor({ link, toasts }) {
    this.#link = link;
    this.#toasts = toasts;
    this.element = h('button', { type: 'button', class: 'deck-button torch', hidden: true, onclick: () => this.press() }, icon('torch'), h('span', {}, 'Torch'));
  }

  update({ state, role }) {
    const torches = inOrder(state.torches);
    const on = torches.some((torch) => torch.on);
    setAttribute(this.element, 'hidden', torches.length === 0 || role === 'viewer');
    setAttribute(this.element, 'aria-pressed', on ? 'true' : 'false');
    setAttribute(this.element, 'aria-label', torches.length === 1 ? 'Torch (O)' : 'Torches (O)');
    this.#rows?.update(torches, (torch) => torch.id);
  }

  async press() {
    const torches = inOrder(this.#link.state?.torches);
    if (torches.length === 0) return;
    if (torches.length > 1 || torches[0].maxLevel > 1) {
      this.#open(torches);
      return;
    }
    await this.#set(torches[0].id, { on: !torches[0].on });
  }

  #open(torches) {
    if (this.#dialog) return;
    const list = h('div', { class: 'torches' });
    const levels = new LatestWins((torch, level) => this.#link.call('torch.set', { torch, level }),
      (_torch, _granted, refusal) => refusal && this.#toasts.refuse(refusal));
    this.#rows = new KeyedParts(list, (torch) => new TorchRow(torch, levels, (on) => this.#set(torch.id, { on })));
    this.#rows.update(torches, (torch) => torch.id);
    this.#dialog = new Dialog(torches.length === 1 ? torches[0].name : 'Torches', list);
    this.#dialog.open().then(() => {
      this.#dialog = null;
      this.#rows = null;
    });
  }

  async #set(torch, wish) {
    try {
      await this.#link.call('torch.set', { torch, ...wish });
    } catch (refusal) {
      this.#toasts.refuse(refusal);
    }
  }
}

class TorchRow {
  #maximum;
  #switch = h('input', { type: 'checkbox', role: 'switch' });
  #level;
  #message = h('p', { class: 'hint' });
  element;

  constructor(torch, levels, turn) {
    this.#level = new RigSlider({ sender: levels, key: () => torch.id, words: (level) => `${Math.round(100 * level / this.#maximum)} %` });
    this.#switch.addEventListener('change', () => turn(this.#switch.checked));
    this.element = h('div', { class: 'torch-row' },
      h('label', { class: 'switch-row' }, h('span', {}, torch.name), this.#switch), this.#level.input, this.#message);
  }

  update(torch) {
    this.#switch.checked = torch.on;
    this.#maximum = torch.maxLevel;
    this.#level.range(0, torch.maxLevel, 1);
    setAttribute(this.#level.input, 'aria-label', `Brightness of ${torch.name}`);
    setAttribute(this.#level.input, 'hidden', torch.maxLevel <= 1);
    this.#level.follow(torch.level);
    setText(this.#message, torch.message ?? '');
    setAttribute(this.#message, 'hidden', !torch.message);
  }
}
