// Which part of a camera's picture is seen: `{zoom, x, y}`, the centre as shares of the whole picture, as it is seen.

export const MOST_ZOOM = 8;
export const WHOLE = { zoom: 1, x: 0.5, y: 0.5 };

const within = (value, least, most) => Math.min(most, Math.max(least, value));
const rounded = (value, digits) => Number(value.toFixed(digits));

/** The nearest part that lies inside of the picture. */
export function clampView({ zoom, x, y }) {
  const near = rounded(within(zoom, 1, MOST_ZOOM), 2);
  const half = 0.5 / near;
  return { zoom: near, x: rounded(within(x, half, 1 - half), 4), y: rounded(within(y, half, 1 - half), 4) };
}

/** What a camera's description says of it; what is not there is as it comes from the camera. */
export function viewOf(picture) {
  return clampView({ ...WHOLE, ...picture });
}

/** After a drag by shares of what is seen: the picture goes with the finger. */
export function movedView(view, right, down) {
  return clampView({ zoom: view.zoom, x: view.x - right / view.zoom, y: view.y - down / view.zoom });
}

/** Nearer by a factor, so that what lies under the finger stays there: `at` in shares of what is seen. */
export function zoomedView(view, factor, at = { x: 0.5, y: 0.5 }) {
  const zoom = within(view.zoom * factor, 1, MOST_ZOOM);
  const there = (centre, share) => centre + (share - 0.5) / view.zoom - (share - 0.5) / zoom;
  return clampView({ zoom, x: there(view.x, at.x), y: there(view.y, at.y) });
}
