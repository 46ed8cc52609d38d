// A camera's controls as people look for them. What the driver calls them is said where nothing better is known.

const ROLES = [
  ['zoom', 'Zoom'], ['pan', 'Pan'], ['tilt', 'Tilt'],
  ['focus-auto', 'Autofocus'], ['focus', 'Focus'],
  ['exposure-auto', 'Automatic exposure'], ['exposure', 'Exposure'], ['keep-frame-rate', 'Keep the frame rate'],
  ['gain-auto', 'Automatic gain'], ['gain', 'Gain'],
  ['white-balance-auto', 'Automatic white balance'], ['white-balance', 'White balance'],
  ['brightness', 'Brightness'], ['contrast', 'Contrast'], ['saturation', 'Saturation'], ['sharpness', 'Sharpness'],
  ['power-line-frequency', 'Flicker of mains light'],
];
const ORDER = new Map(ROLES.map(([role], index) => [role, index]));
const NAMES = new Map(ROLES);
const CLASSES = { user: 'Picture', camera: 'Camera', image: 'Image', flash: 'Flash', codec: 'Compression' };
const SHOWN = new Set(['integer', 'integer64', 'boolean', 'menu', 'integer-menu', 'button', 'bitmask', 'string']);

/** The driver's switch lets exposure lower the rate; the role, and with it the page, asks the other way round. */
export const isInverted = (control) => control.role === 'keep-frame-rate' && control.type === 'boolean';

export const controlName = (control) => NAMES.get(control.role) ?? control.name;

export const hasFlag = (control, ...flags) => flags.some((flag) => control.flags?.includes(flag));

/** Cannot be moved by hand just now. */
export const isFixed = (control) => hasFlag(control, 'read-only', 'inactive', 'grabbed', 'disabled');

/** Why not, for people; empty where it can. */
export function fixedReason(control) {
  if (hasFlag(control, 'inactive')) return 'automatic is on';
  if (hasFlag(control, 'grabbed')) return 'not while recording';
  if (hasFlag(control, 'read-only')) return 'set by the camera';
  return '';
}

/** `[{title, controls}]`: first those that everybody looks for, in a fixed order, then the rest by class. */
export function controlGroups(controls) {
  const all = Object.values(controls ?? {}).filter((control) => SHOWN.has(control.type) && !hasFlag(control, 'disabled'));
  const common = all.filter((control) => ORDER.has(control.role)).sort((a, b) => ORDER.get(a.role) - ORDER.get(b.role));
  const groups = common.length > 0 ? [{ title: '', controls: common }] : [];
  const rest = new Map();
  for (const control of all.filter((one) => !ORDER.has(one.role)).sort((a, b) => a.id - b.id)) {
    const title = CLASSES[control.class] ?? control.class ?? 'More';
    if (!rest.has(title)) rest.set(title, []);
    rest.get(title).push(control);
  }
  for (const [title, members] of rest) groups.push({ title, controls: members });
  return groups;
}

/** These two names the kernel gives to exposure in steps of 100 µs; of others nobody knows the unit. */
const UVC_EXPOSURE = /^exposure(_time)?_absolute$/;

/** As on a camera: "1/60 s", "0.5 s". */
function exposureText(steps) {
  const seconds = steps / 10_000;
  if (seconds <= 0) return String(steps);
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${Math.round(seconds * 10) / 10} s`;
}

/** The value beside a slider. */
export function controlValueText(control, value) {
  if (value === undefined) return '';
  if (control.role === 'white-balance') return `${value} K`;
  if (control.role === 'exposure' && UVC_EXPOSURE.test(control.key)) return exposureText(value);
  if (control.unit) return `${value} ${control.unit}`;
  return String(value);
}

/** The value as it stands in a field, and may be typed there: the bits of a mask as people count them. */
export const controlFieldText = (control, value) => (control.type === 'bitmask' && typeof value === 'number' ? `0x${value.toString(16)}` : String(value));

/** What may be typed, where no menu or slider says it. */
export function controlFieldHint({ type, minimum, maximum }) {
  if (minimum === undefined || maximum === undefined) return '';
  if (type === 'bitmask') return `Bits of 0x${maximum.toString(16)}`;
  return type === 'integer64' ? `A whole number from ${minimum} to ${maximum}; hexadecimal after 0x` : '';
}

/** What the drivers' words for automatic exposure mean to whoever holds a camera; webcams have no iris to move. */
const EXPOSURE_MODES = { 'Auto Mode': 'Automatic, with iris', 'Manual Mode': 'Manual', 'Shutter Priority Mode': 'Shutter priority', 'Aperture Priority Mode': 'Automatic' };

/** Menu entries: `{value, name}` in the order of their values; there may be gaps. */
export function menuChoices(control) {
  return Object.entries(control.items ?? {})
    .map(([value, name]) => ({ value: Number(value), name: (control.role === 'exposure-auto' && EXPOSURE_MODES[name]) || String(name) }))
    .sort((a, b) => a.value - b.value);
}
