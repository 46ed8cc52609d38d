/** A text, or a member that is a whole number of 16 digits and more. */
const TEXT_OR_LONG_NUMBER = /("(?:[^"\\]|\\.)*")(?:(\s*:\s*)(-?\d{16,})(?=\s*[,}]))?/g;
const MAY_BE_LONG = /\d{16}/;

/** JSON in which whole numbers that no number of JavaScript holds exactly, such as 2^63 - 1, are texts. */
export function parseExactly(text) {
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TEXT_OR_LONG_NUMBER, (whole, name, colon, digits) => (
    !digits || Number.isSafeInteger(Number(digits)) ? whole : `${name}${colon}"${digits}"`)));
}
