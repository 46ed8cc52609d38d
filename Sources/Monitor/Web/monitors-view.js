import { field, twoStepButton } from './dialog.js';
import { h, iconButton, KeyedParts, setAttribute, setText } from './dom.js';
import { bestLink } from './pairing-code.js';
import { qrPicture } from './qr-picture.js';
import { roughTime } from './text.js';

const ROLES = {
  viewer: 'Look only (viewer)',
  operator: 'Record and set up (operator)',
  admin: 'Also pair others (admin)',
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
      // However many are paired: what somebody comes here for stands above them.
      this.#invite.element,
      h('h2', {}, 'Paired'),
      this.#list,
      h('div', { class: 'actions start' }, twoStepButton('Unpair this browser', 'Really unpair it?', forgetThis)));
  }

  update({ state, session, role, now }) {
    // Who else is paired the rig tells admins alone.
    const self = session.monitor ? { [session.monitor.id]: { name: session.monitor.name, role, connected: true } } : {};
    const monitors = Object.entries(state.monitors ?? self)
      .map(([id, monitor]) => ({ ...monitor, id, isThis: id === session.monitor?.id, mayRevoke: role === 'admin' }))
      .sort((a, b) => b.isThis - a.isThis || b.connected - a.connected || a.name.localeCompare(b.name, 'en', { numeric: true }));
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
  #qr = h('div', { class: 'qr-place', hidden: true });
  #left = h('p', { class: 'hint' });
  #shown;
  #toasts;
  #endsAt = 0;
  element;

  constructor({ link, toasts }) {
    this.#role.value = 'operator';
    this.#toasts = toasts;
    this.#shown = h('div', { class: 'invitation', hidden: true },
      this.#qr,
      h('div', { class: 'invitation-words' },
        this.#code,
        h('p', { class: 'hint' }, 'Point the other device\'s camera at the squares, type this code there on the rig\'s page, or open one of these links:'),
        this.#addresses, this.#left));
    const form = h('form', { class: 'row-form' }, field('What it may do', this.#role), h('button', { class: 'primary' }, 'Make a pairing code'));
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

  #show({ code, expiresSeconds, urls = [], qrCodes = [] }) {
    this.#endsAt = performance.now() + expiresSeconds * 1000;
    setText(this.#code, code);
    // Only an address that leads to a page may become a link.
    const links = urls.map((url, index) => ({ url, rows: qrCodes[index] ?? [] })).filter(({ url }) => /^https?:\/\//.test(url));
    this.#addresses.replaceChildren(...links.map((link) => this.#row(link, links.length > 1)));
    this.#draw(links[bestLink(links.map(({ url }) => url), location.hostname)]);
    setAttribute(this.#shown, 'hidden', false);
    this.tick(performance.now());
    // On a small screen what is photographed and typed counts more than how it was asked for.
    this.#shown.scrollIntoView({ block: 'nearest' });
  }

  /** The squares of one link: a code that is photographed leads where its words say. */
  #draw(link) {
    setAttribute(this.#qr, 'hidden', !link?.rows.length);
    if (link?.rows.length) this.#qr.replaceChildren(qrPicture(link.rows, `QR code of ${new URL(link.url).host}`));
    for (const row of this.#addresses.children) setAttribute(row, 'data-drawn', row.dataset.url === link?.url);
  }

  #row({ url, rows }, areSeveral) {
    const draw = rows.length > 0 && areSeveral ? iconButton('qr', 'Show the QR code of this link', () => this.#draw({ url, rows })) : null;
    const copy = navigator.clipboard ? iconButton('copy', 'Copy the link', async () => {
      await navigator.clipboard.writeText(url);
      this.#toasts.say('The link is copied.');
    }) : null;
    return h('div', { class: 'code-row', 'data-url': url }, h('a', { class: 'code-link', href: url }, url), draw, copy);
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
