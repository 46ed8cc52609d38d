// What keys do. Typing in a field stays typing, and whoever goes through the page with Tab presses buttons with Space.

const TYPING = 'input:not([type=range], [type=checkbox], [type=radio]), select, textarea, [contenteditable]';
const PRESSABLE = 'button, a[href], summary, video, input';
const BY_ARROWS = 'video, input[type=range], input[type=radio]';

export const KEYS = [
  ['Space', 'The shutter: record and stop, or a photo; in Takes: play and pause'],
  ['M', 'Next mode: photo, video, timelapse'],
  ['C', 'Controls of the camera'],
  ['O', 'Torch or torches'],
  ['1 – 9', 'Show that camera large'],
  ['← →', 'Previous, next camera'],
  ['Esc', 'Back: all cameras, all takes'],
  ['F', 'Full screen'],
  ['T', 'Takes'],
  ['P', 'Photos'],
  ['L', 'Live'],
  ['?', 'This help'],
];

/** `actions`: space, number(n), step(by), escape, fullScreen, takes, photos, live, mode, controls, torch, help. Until `signal` is aborted. */
export function listenToKeys(actions, signal) {
  let byTab = false;
  addEventListener('pointerdown', () => { byTab = false; }, { capture: true, signal });
  addEventListener('keydown', (event) => {
    if (event.key === 'Tab') byTab = true;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector('dialog[open]')) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.matches(TYPING)) return;
    if (event.key === ' ' && byTab && target.matches(PRESSABLE)) return;
    if (event.key.startsWith('Arrow') && target.matches(BY_ARROWS)) return;
    const act = actionFor(event.key, actions);
    if (!act) return;
    event.preventDefault();
    // A key that is held down is one wish; going through cameras is not.
    if (event.repeat && !event.key.startsWith('Arrow')) return;
    act();
  }, { signal });
  // Whoever chose from a menu with the mouse is done with it: Space is the shutter again.
  addEventListener('change', ({ target }) => {
    if (!byTab && target instanceof Element && target.matches('select') && !target.closest('dialog')) target.blur();
  }, { signal });
  // Firefox presses a focused button on the way up.
  addEventListener('keyup', (event) => {
    if (event.key === ' ' && !byTab && event.target instanceof Element && event.target.matches('button, summary, input')
      && !document.querySelector('dialog[open]')) event.preventDefault();
  }, { signal });
}

function actionFor(key, actions) {
  if (key === ' ') return actions.space;
  if (/^[1-9]$/.test(key)) return () => actions.number(Number(key));
  return {
    ArrowLeft: () => actions.step(-1), ArrowRight: () => actions.step(1), Escape: actions.escape,
    f: actions.fullScreen, t: actions.takes, p: actions.photos, l: actions.live, m: actions.mode, c: actions.controls,
    o: actions.torch, '?': actions.help,
  }[key.length === 1 ? key.toLowerCase() : key];
}
