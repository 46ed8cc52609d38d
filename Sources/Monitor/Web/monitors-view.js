import { field, twoStepButton } from './dialog.js';
import { h, iconButton, KeyedParts, setAttribute, setText } from './dom.js';
import { roughTime } from './text.js';

const ROLES = {
  viewer: 'Viewer: sees the cameras and takes',
  operator: 'Operator: records and sets up cameras',
  admin: 'Admin: also pairs and revokes monitors',
};

/** Who may operate the rig. An admin lets others in and shows them out. */
export class MonitorsView {
  element;
  #rows;
  #list = h('ul', { class: 'monitor-rows' });
  #invite;

  constructor({ link, toasts, forgetThis }) {
    this.#rows = new KeyedParts(this.#list, () => new MonitorRow(async (id, name) => {
      try {
        await link.call('monitor.revoke', { monitor: id });
        toasts.say(`${name} is not paired any more.`);
      } catch (refusal) {
        toasts.refuse(refusal);
      }
    }));
    this.#invite = new Invitation({ link, toasts });
    this.element = h('div', { class: 'monitors-view' },
      h('h1', {}, 'Monitors'),
      this.#list,
      this.#invite.element,
      h('div', { class: 'actions start' }, twoStepButton('Unpair this browser', 'Really unpair it?', forgetThis)));
  }

  update({ state, session, role, now }) {
    // Who else is paired the rig tells admins alone.
    const self = session.monitor ? { [session.monitor.id]: { name: session.monitor.name, role, connected: true } } : {};
    const monitors = Object.entries(state.monitors ?? self)
      .map(([id, monitor]) => ({ ...monitor, id, isThis: id === session.monitor?.id, mayRevoke: role === 'admin' }))
      .sort((a, b) => b.isThis - a.isThis || b.connected - a.connected || a.name.localeCompare(b.name, 'en'));
    this.#rows.update(monitors, (monitor) => monitor.id);
    setAttribute(this.#invite.element, 'hidden', role !== 'admin');
    this.#invite.tick(now);
  }
}

class MonitorRow {
  #name = h('span', { class: 'monitor-name' });
  #facts = h('span', { class: 'hint' });
  #revoke;
  #monitor = null;
  element;

  constructor(revoke) {
    this.#revoke = twoStepButton('Revoke', 'Really revoke?', () => revoke(this.#monitor.id, this.#monitor.name));
    this.element = h('li', { class: 'monitor-row' },
      h('span', { class: 'presence' }), h('span', { class: 'monitor-words' }, this.#name, this.#facts), this.#revoke);
  }

  update(monitor) {
    this.#monitor = monitor;
    setAttribute(this.element, 'data-monitor', monitor.id);
    setAttribute(this.element, 'data-connected', monitor.connected);
    setText(this.#name, monitor.name);
    setText(this.#facts, [
      monitor.role, monitor.connected ? 'connected' : 'not connected', monitor.isThis ? 'this browser' : '',
    ].filter(Boolean).join(' · '));
    setAttribute(this.#revoke, 'hidden', !monitor.mayRevoke || monitor.isThis);
  }
}

/** A one-time code for another device. */
class Invitation {
  #role = h('select', {}, Object.entries(ROLES).map(([value, words]) => h('option', { value }, words)));
  #code = h('output', { class: 'code' });
  #addresses = h('div', { class: 'code-links' });
  #left = h('p', { class: 'hint' });
  #shown;
  #toasts;
  #endsAt = 0;
  element;

  constructor({ link, toasts }) {
    this.#role.value = 'operator';
    this.#toasts = toasts;
    this.#shown = h('div', { class: 'invitation', hidden: true },
      h('p', { class: 'hint' }, 'On the other device, open the rig\'s page by one of these links, or type the code there:'),
      this.#code, this.#addresses, this.#left);
    const form = h('form', { class: 'row-form' }, field('It may', this.#role), h('button', { class: 'primary' }, 'Make a pairing code'));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      try {
        this.#show(await link.call('pairing.create', { role: this.#role.value }));
      } catch (refusal) {
        toasts.refuse(refusal);
      }
    });
    this.element = h('section', { class: 'panel', 'aria-label': 'Pair another device' },
      h('h2', {}, 'Pair another device'), form, this.#shown);
  }

  #show({ code, expiresSeconds, urls = [] }) {
    this.#endsAt = performance.now() + expiresSeconds * 1000;
    setText(this.#code, code);
    // Only an address that leads to a page may become a link.
    this.#addresses.replaceChildren(...urls.filter((url) => /^https?:\/\//.test(url)).map((url) => this.#row(url)));
    setAttribute(this.#shown, 'hidden', false);
    this.tick(performance.now());
  }

  #row(url) {
    const copy = navigator.clipboard ? iconButton('copy', 'Copy the link', async () => {
      await navigator.clipboard.writeText(url);
      this.#toasts.say('The link is copied.');
    }) : null;
    return h('div', { class: 'code-row' }, h('a', { class: 'code-link', href: url }, url), copy);
  }

  tick(now) {
    if (this.#endsAt === 0) return;
    const seconds = (this.#endsAt - now) / 1000;
    if (seconds > 0) {
      setText(this.#left, `For one device, for ${roughTime(seconds)} more.`);
      return;
    }
    this.#endsAt = 0;
    setAttribute(this.#shown, 'hidden', true);
  }
}
