// How large and how often a preview is asked for.

const EDGES = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840];

/** The long edge to ask for, in the screen's own pixels. In steps, so that pages of about one size share a picture. */
export function longEdgeFor(width, height, devicePixelRatio) {
  const wanted = Math.ceil(Math.max(width, height) * devicePixelRatio);
  return EDGES.find((edge) => edge >= wanted) ?? EDGES.at(-1);
}

/** Pictures a second for a tile: many small ones share the machine, and a filmstrip is there to choose by. */
export function tileRate({ isStrip, tiles }) {
  if (isStrip) return '10';
  return tiles <= 4 ? '30' : '15';
}

/**
 * How wide a tile of 16:9 with a line of text below may be so that `count` of them fill a box best. Where all at once
 * would be too small to judge a picture by, the page scrolls instead.
 */
export function tileWidth(count, width, height, { gap = 8, caption = 40, least = 150 } = {}) {
  let best = 0;
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const byWidth = (width - gap * (columns - 1)) / columns;
    const byHeight = ((height - gap * (rows - 1)) / rows - caption) * (16 / 9);
    best = Math.max(best, Math.min(byWidth, byHeight));
  }
  if (best < least) {
    const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
    best = (width - gap * (columns - 1)) / columns;
  }
  return Math.floor(best);
}
