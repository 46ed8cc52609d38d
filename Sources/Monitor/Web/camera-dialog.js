import { BusPlan } from './bus-plan.js';
import { formatChoices, rateChoices, setRequest, sizeChoices } from './camera-formats.js';
import { causesText, cameraWords, formatLine, recordingOf } from './camera-words.js';
import { Dialog, field, twoStepButton } from './dialog.js';
import { h } from './dom.js';
import { microphoneForm } from './microphone-form.js';
import { rateNumber, rateText, sizeText } from './text.js';

const AUTOMATIC = { value: '', name: 'Automatic' };

function fill(select, choices, chosen) {
  select.replaceChildren(...[AUTOMATIC, ...choices].map(({ value, name }) => h('option', { value }, name)));
  select.value = chosen && choices.some((choice) => choice.value === chosen) ? chosen : '';
}

/** Name and format of a camera, and what is known of it. Opens with what the rig says now. */
export function openCameraDialog({ camera, recording, link, toasts }) {
  const microphones = microphoneForm({ camera, link, toasts });
  const parts = [nameForm(camera, link, toasts), formatForm(camera, recording, link, toasts),
    microphones?.element, about(camera), switches(camera, link, toasts)];
  return new Dialog(camera.name, ...parts.filter(Boolean)).open().finally(() => microphones?.rest());
}

function nameForm(camera, link, toasts) {
  const input = h('input', { type: 'text', maxlength: 64, value: camera.name, autocomplete: 'off', required: true });
  const form = h('form', { class: 'row-form' }, field('Name', input), h('button', {}, 'Rename'));
  submitting(form, toasts, async () => {
    await link.call('camera.rename', { camera: camera.id, name: input.value.trim() });
    toasts.say(`The camera is called ${input.value.trim()} now.`);
  });
  return form;
}

function formatForm(camera, recording, link, toasts) {
  if (!camera.device) return h('p', { class: 'hint' }, 'Plug the camera in to choose its format.');
  const format = h('select', { name: 'format' });
  const size = h('select', { name: 'size' });
  const rate = h('select', { name: 'rate' });
  const formats = formatChoices(camera);
  const offerSizes = (chosen) => fill(size, sizeChoices(camera, format.value).map((value) => ({ value, name: sizeText(value) })), chosen);
  const offerRates = (chosen) => {
    const rates = rateChoices(camera, format.value, size.value).map((value) => ({ value, name: `${rateText(value)} fps` }));
    // "30" and "30/1" are one rate.
    fill(rate, rates, rates.find(({ value }) => rateNumber(value) === rateNumber(chosen))?.value);
  };
  fill(format, formats, camera.wish.pixelFormat);
  offerSizes(camera.wish.size);
  offerRates(camera.wish.rate);
  const bus = new BusPlan(camera, link);
  const chosen = () => ({ format: format.value, size: size.value, rate: rate.value });
  format.addEventListener('change', () => { offerSizes(size.value); offerRates(rate.value); });
  size.addEventListener('change', () => offerRates(rate.value));
  for (const select of [format, size, rate]) select.addEventListener('change', () => bus.choose(chosen()));

  const isRecorded = Boolean(recordingOf(camera, recording));
  const save = h('button', { class: 'primary', disabled: isRecorded }, 'Use this format');
  const form = h('form', {},
    h('div', { class: 'fields' }, field('Format', format), field('Size', size), field('Rate', rate)),
    bus.element,
    h('p', { class: 'hint' }, isRecorded
      ? 'The camera is being recorded: its format can be changed when the take has ended.'
      : 'Automatic leaves the choice to the rig.'),
    h('div', { class: 'actions' }, save));
  submitting(form, toasts, async () => {
    const changed = await link.call('camera.set', setRequest(camera, chosen()));
    const line = formatLine(changed);
    toasts.say(line ? `${changed.name}: ${line}` : `${changed.name} will use this format when it starts.`);
  });
  return form;
}

function about(camera) {
  const facts = [
    ['State', [cameraWords(camera).title || 'Live', camera.message].filter(Boolean).join('. ')],
    ['Delivers', camera.granted ? [camera.granted.pixelFormat, formatLine(camera)].filter(Boolean).join(' · ') : ''],
    ['Lost since it started', causesText(camera.stream?.lost)],
    ['Model', camera.device?.card],
    ['Socket', camera.port],
    ['Serial number', camera.serial],
    ['ID', camera.id],
  ];
  const list = h('dl', { class: 'facts-list' },
    facts.filter(([, value]) => value).map(([term, value]) => [h('dt', {}, term), h('dd', {}, value)]));
  const twins = camera.sharesSerialWith?.length > 0
    ? h('p', { class: 'hint' }, 'Another camera has the same serial number: the rig tells them apart by their sockets only.')
    : null;
  return h('section', { class: 'about' }, list, twins);
}

function switches(camera, link, toasts) {
  const ask = async (method, said) => {
    try {
      await link.call(method, { camera: camera.id });
      toasts.say(said);
      document.querySelector('dialog[open]')?.close();
    } catch (refusal) {
      toasts.refuse(refusal);
    }
  };
  const enable = camera.enabled
    ? h('button', { type: 'button', onclick: () => ask('camera.disable', `${camera.name} is switched off: the rig leaves it alone.`) }, 'Switch camera off')
    : h('button', { type: 'button', onclick: () => ask('camera.enable', `${camera.name} is switched on again.`) }, 'Switch camera on');
  const forget = camera.state === 'offline'
    ? twoStepButton('Forget this camera', 'Forget its name and settings?', () => ask('camera.forget', `${camera.name} is forgotten.`))
    : null;
  return h('div', { class: 'actions start' }, enable, forget);
}

function submitting(form, toasts, act) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button:not([type=button])');
    button.disabled = true;
    try {
      await act();
    } catch (refusal) {
      toasts.refuse(refusal);
    } finally {
      button.disabled = false;
    }
  });
}
