// Elements without templates: whatever comes from the rig enters the page as text.

/** `attributes`: `class`, `hidden`, `aria-…`, …, and `onclick` and the like as functions. Texts become text nodes. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else setAttribute(element, name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** False and undefined take the attribute away. */
export function setAttribute(element, name, value) {
  if (value === false || value === undefined || value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Brings icons.svg into the page, where its symbols are there without the network, too. */
export async function loadIcons() {
  const response = await fetch('/assets/icons.svg');
  const sprite = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement;
  sprite.setAttribute('class', 'sprite');
  sprite.setAttribute('aria-hidden', 'true');
  document.documentElement.append(document.importNode(sprite, true));
}

/** A symbol of icons.svg. It says nothing; its button does. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#${name}`);
  svg.append(use);
  return svg;
}

export function setIcon(element, name) {
  const use = element.querySelector('use');
  const href = `#${name}`;
  if (use.getAttribute('href') !== href) use.setAttribute('href', href);
}

/** A button with a symbol; its words are for those who cannot see it, and for the pointer that rests on it. */
export function iconButton(name, words, onclick, attributes = {}) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': words, title: words, onclick, ...attributes },
    icon(name));
}

/** Tells whether a pointer holds a slider: what the rig tells meanwhile must not move it. */
export function whileHeld(slider, tell) {
  slider.addEventListener('pointerdown', () => tell(true));
  for (const end of ['pointerup', 'pointercancel', 'blur']) slider.addEventListener(end, () => tell(false));
}

/**
 * Keeps one part for each key in the container, in the order of `items`. What stays keeps its element, and with it
 * focus and picture. `make(item)` returns a part with `element` and `update(item)`.
 */
export class KeyedParts {
  #container;
  #make;
  #parts = new Map();

  constructor(container, make) {
    this.#container = container;
    this.#make = make;
  }

  update(items, keyOf, ...context) {
    const wanted = new Set(items.map(keyOf));
    for (const [key, part] of this.#parts) {
      if (wanted.has(key)) continue;
      part.remove?.();
      part.element.remove();
      this.#parts.delete(key);
    }
    items.forEach((item, index) => {
      const key = keyOf(item);
      let part = this.#parts.get(key);
      if (!part) {
        part = this.#make(item);
        this.#parts.set(key, part);
      }
      const there = this.#container.children[index];
      if (there !== part.element) this.#container.insertBefore(part.element, there ?? null);
      part.update(item, ...context);
    });
  }

  get(key) {
    return this.#parts.get(key);
  }
}
