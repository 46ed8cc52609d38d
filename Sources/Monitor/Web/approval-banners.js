import { h, KeyedParts, setText } from './dom.js';

const ROLES = [['viewer', 'as viewer'], ['operator', 'as operator'], ['admin', 'as admin']];

/** Devices that ask to be let in, for those who may decide. Each shows the digits that the device shows, too. */
export class ApprovalBanners {
  element = h('div', { class: 'approvals', role: 'status', 'aria-live': 'polite' });
  #parts;

  constructor({ link, toasts }) {
    this.#parts = new KeyedParts(this.element, () => new ApprovalBanner({ link, toasts }));
  }

  update({ state, role, link }) {
    const requests = role === 'admin' && link.isLive ? state?.pairingRequests ?? {} : {};
    this.#parts.update(Object.entries(requests).map(([id, request]) => ({ ...request, id })), (request) => request.id);
  }
}

class ApprovalBanner {
  #text = h('span', { class: 'banner-text' });
  #digits = h('strong', { class: 'approval-digits' });
  #role = h('select', { 'aria-label': 'What it may do' }, ROLES.map(([value, words]) => h('option', { value }, words)));
  #id = '';
  element;

  constructor({ link, toasts }) {
    this.#role.value = 'operator';
    const decide = async (method, params, button) => {
      button.disabled = true;
      try {
        await link.call(method, { request: this.#id, ...params });
      } catch (refusal) {
        toasts.refuse(refusal);
        button.disabled = false;
      }
    };
    const allow = h('button', {
      type: 'button', class: 'primary approve', onclick: () => decide('pairing.approve', { role: this.#role.value }, allow),
    }, 'Allow');
    const deny = h('button', { type: 'button', class: 'deny', onclick: () => decide('pairing.deny', {}, deny) }, 'Refuse');
    this.element = h('div', { class: 'banner approval' }, this.#text, this.#digits, this.#role, allow, deny);
  }

  update({ id, name, address, check }) {
    this.#id = id;
    setText(this.#text, `“${name}” at ${address} asks to be let in. Only if it shows the same digits:`);
    setText(this.#digits, check);
  }
}
