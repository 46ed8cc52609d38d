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

/** Narrower or wider than this a picture is shown with bars beside it, so that one of them does not take all the room. */
const ASPECTS = { least: 0.5, most: 2.4, usual: 16 / 9 };

/** Width by height of a camera's picture as it is seen: as drawn, else as the driver granted it and it is turned. */
export function aspectOf(camera, drawn) {
  let [width, height] = drawn ?? (camera.granted?.size ?? '').split('x').map(Number);
  if (!drawn && (camera.picture?.rotate ?? 0) % 180 !== 0) [width, height] = [height, width];
  const aspect = width > 0 && height > 0 ? width / height : ASPECTS.usual;
  return Math.min(ASPECTS.most, Math.max(ASPECTS.least, aspect));
}

/**
 * How high the pictures may be so that tiles of these aspects, side by side in rows, fill a box best; each has a line of
 * text below. Where all at once would be too small to judge a picture by, the page scrolls instead.
 */
export function tileHeight(aspects, width, height, { gap = 8, caption = 40, least = 150 } = {}) {
  if (aspects.length === 0) return 0;
  const widest = Math.max(...aspects);
  const fits = (tile) => {
    let rows = 1;
    let used = 0;
    for (const aspect of aspects) {
      const next = Math.floor(tile * aspect);
      if (next > width) return false;
      const more = used === 0 ? next : used + gap + next;
      if (more > width) rows += 1;
      used = more > width ? next : more;
    }
    return rows * (tile + caption) + gap * (rows - 1) <= height;
  };
  let low = 0;
  let high = Math.max(height, 1);
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  if (low * widest >= Math.min(least, width)) return low;
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  return (width - gap * (columns - 1)) / columns / widest;
}
