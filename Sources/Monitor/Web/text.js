// Values as people read them. Sizes are decimal, as on the label of a disk.

const two = (number) => String(number).padStart(2, '0');

/** 00:12:05, as a recorder counts. */
export function timecode(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** The length of a clip: 0:07, 12:05, 1:02:03. */
export function clipLength(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  return whole >= 3600
    ? `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** What is left or past, to two units and never more than there is: "6 h 20 min". */
export function roughTime(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3600) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes >= 1) return `${minutes} min`;
  return `${whole} s`;
}

export function byteSize(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  // Downwards: nobody shall be promised space that is not there.
  const cut = Math.floor(value * 10 ** digits) / 10 ** digits;
  return `${cut.toFixed(digits)} ${units[unit]}`;
}

/** "30000/1001" is 29.97, "30" is 30. Empty where it is no rate. */
export function rateText(rate) {
  const perSecond = rateNumber(rate);
  return Number.isFinite(perSecond) ? String(Math.round(perSecond * 100) / 100) : '';
}

/** Pictures a second of a rate such as "29.97" or "30000/1001"; NaN where it is none. */
export function rateNumber(rate) {
  if (typeof rate === 'number') return rate;
  const [numerator, denominator = '1'] = String(rate ?? '').split('/');
  const perSecond = numerator === '' ? NaN : Number(numerator) / Number(denominator);
  return perSecond > 0 ? perSecond : NaN;
}

/** "1920x1080" as 1920×1080. */
export const sizeText = (size) => String(size ?? '').replace('x', '×');

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** A moment that the rig tells (RFC 3339), in this device's zone. */
export function dateTime(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit',
  }).format(date);
}

export function timeOfDay(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(date);
}
