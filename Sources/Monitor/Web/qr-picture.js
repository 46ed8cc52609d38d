/** Squares of white around a code, so that a camera finds it (ISO/IEC 18004). */
const MARGIN = 4;
const SVG = 'http://www.w3.org/2000/svg';

/** The dark squares of a QR code as one path; `rows` of 0 and 1, from the top. Neighbours in a row are one piece. */
export function qrPath(rows) {
  return rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)).join('');
}

/** A QR code, black on white whatever the colours of the page are. */
export function qrPicture(rows, words) {
  const side = rows.length + 2 * MARGIN;
  const picture = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', qrPath(rows));
  for (const [name, value] of Object.entries({ viewBox: `${-MARGIN} ${-MARGIN} ${side} ${side}`, class: 'qr', role: 'img', 'aria-label': words })) {
    picture.setAttribute(name, value);
  }
  picture.append(path);
  return picture;
}
