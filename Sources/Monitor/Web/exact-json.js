/** A member that is a whole number of 16 digits and more. What stands within a text never looks so: its quotes are escaped. */
const LONG_NUMBER = /([{,]\s*"(?:[^"\\]|\\.)*"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g;
const MAY_BE_LONG = /\d{16}/;

/** JSON in which whole numbers that no number of JavaScript holds exactly, such as 2^63 - 1, are texts. */
export function parseExactly(text) {
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(LONG_NUMBER, (whole, name, digits) => (Number.isSafeInteger(Number(digits)) ? whole : `${name}"${digits}"`)));
}
