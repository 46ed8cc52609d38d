import { h, icon } from './dom.js';

/** A small menu of the deck: its symbol says what is chosen there, so that the choice itself can be short. */
export function deckChoice(symbol, label, choices) {
  const select = h('select', { class: 'deck-select', 'aria-label': label, title: label },
    choices.map(([value, name]) => h('option', { value }, name)));
  return { select, element: h('span', { class: 'deck-choice' }, icon(symbol), select) };
}
