// RFC 7396: what `state.changed` carries.

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document after the patch. Nothing of `target` is changed; what the patch leaves alone is shared with it. */
export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value));
  }
  return Object.fromEntries(members);
}
