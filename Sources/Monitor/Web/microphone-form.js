import { field } from './dialog.js';
import { h } from './dom.js';
import { LatestWins } from './latest-wins.js';
import { microphonesInOrder, microphonesOf, microphoneWords } from './microphones.js';

/** Which microphone goes with a camera, how loud it is, and by how much it is early or late. Nothing where the rig has none. */
export function microphoneForm({ camera, link, toasts }) {
  const all = microphonesInOrder(link.state.microphones);
  if (all.length === 0) return null;
  const [present] = microphonesOf(link.state.microphones, camera.id);
  /** The microphone as it is then; null where it was refused. */
  const ask = async (params, said) => {
    try {
      const microphone = await link.call('microphone.set', params);
      if (said) toasts.say(said);
      return microphone;
    } catch (refusal) {
      toasts.refuse(refusal);
      return null;
    }
  };

  const choice = h('select', {}, h('option', { value: '' }, 'None'), all.map((one) => h('option', { value: one.id }, one.name)));
  choice.value = present?.id ?? '';
  const details = h('div', { class: 'microphone-details' });
  const show = (microphone) => details.replaceChildren(...(microphone ? settings(microphone, link, toasts, ask) : []));
  choice.addEventListener('change', async () => {
    const chosen = all.find((one) => one.id === choice.value);
    const before = microphonesOf(link.state.microphones, camera.id);
    for (const one of before) if (one.id !== choice.value) await ask({ microphone: one.id, camera: 'off' });
    const granted = chosen && await ask({ microphone: chosen.id, camera: camera.id }, `${chosen.name} is recorded with ${camera.name}.`);
    if (chosen && !granted) choice.value = microphonesOf(link.state.microphones, camera.id)[0]?.id ?? '';
    show(granted ? { ...granted, id: chosen.id } : all.find((one) => one.id === choice.value));
  });
  show(present);
  return h('section', { class: 'sound-form', 'aria-label': 'Sound' }, field('Microphone', choice), details);
}

function settings(microphone, link, toasts, ask) {
  const rows = [h('p', { class: 'hint' }, microphoneWords(microphone))];
  if (microphone.gain) {
    const { minimum, maximum, step, value, unit = 'dB' } = microphone.gain;
    const output = h('output', { class: 'control-value' }, `${value} ${unit}`);
    const gain = h('input', { type: 'range', min: minimum, max: maximum, step: step || 'any', value });
    const sender = new LatestWins((id, level) => link.call('microphone.set', { microphone: id, gain: level }),
      (_id, granted, refusal) => {
        if (refusal) toasts.refuse(refusal);
        else if (granted?.gain) output.textContent = `${granted.gain.value} ${unit}`;
      });
    gain.addEventListener('input', () => sender.set(microphone.id, Number(gain.value)));
    gain.id = 'microphone-gain';
    rows.push(h('div', { class: 'control' }, h('div', { class: 'control-head' }, h('label', { for: gain.id }, 'Gain'), output), gain));
  }
  if (microphone.muted !== undefined) {
    const muted = h('input', { type: 'checkbox', role: 'switch' });
    muted.checked = microphone.muted;
    muted.addEventListener('change', async () => {
      const granted = await ask({ microphone: microphone.id, muted: muted.checked });
      if (!granted) muted.checked = !muted.checked;
    });
    rows.push(h('label', { class: 'switch-row' }, h('span', {}, 'Mute'), muted));
  }
  const offset = h('input', { type: 'text', inputmode: 'numeric', value: String(microphone.offsetMilliseconds ?? 0), autocomplete: 'off' });
  offset.addEventListener('change', () => {
    if (/^[-+]?\d+$/.test(offset.value.trim())) ask({ microphone: microphone.id, offsetMilliseconds: Number(offset.value) }, `The sound is moved by ${Number(offset.value)} ms.`);
    else toasts.say('Write whole milliseconds, such as 40 or -15.', 'alarm');
  });
  rows.push(field('Sound later by (ms)', offset, 'Negative: earlier. For a camera whose pictures come late.'));
  return rows;
}
