// What the page shows stands in the address, so that Back works and a reload changes nothing.

/** `#/live`, `#/live/CAMERA`, `#/takes`, `#/takes/TAKE`, `#/photos`, `#/monitors`. */
export function readRoute(fragment) {
  const [, view = '', item = ''] = fragment.split('/');
  let name = '';
  try {
    name = decodeURIComponent(item);
  } catch {
    // A broken link shows the whole instead of the part.
  }
  if (view === 'takes') return { view: 'takes', take: name };
  if (view === 'photos') return { view: 'photos' };
  if (view === 'monitors') return { view: 'monitors' };
  return { view: 'live', camera: name };
}

export function routeFragment(view, item = '') {
  return item ? `#/${view}/${encodeURIComponent(item)}` : `#/${view}`;
}
