import { Dialog } from './dialog.js';
import { h } from './dom.js';
import { KEYS } from './keyboard.js';

export function openHelp({ rig, session }) {
  const keys = h('dl', { class: 'keys' }, KEYS.map(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)]));
  const who = session.monitor ? `This browser is ${session.monitor.name}, ${session.role}.` : '';
  return new Dialog('Keys', keys, h('p', { class: 'hint' }, `${rig.name}, camrig ${rig.version}. ${who}`)).open();
}
