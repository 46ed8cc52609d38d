// A phone that serves as a monitor shall not go to sleep while it shows live pictures, or while the rig records. Browsers grant it on
// secure pages only.

let wanted = false;
let lock = null;
let isAsking = false;

/** Asked as often as one likes. */
export function keepAwake(isWanted) {
  if (wanted === isWanted) return;
  wanted = isWanted;
  adjust();
}

async function adjust() {
  if (!wanted) {
    lock?.release();
    lock = null;
    return;
  }
  if (isAsking || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
  isAsking = true;
  try {
    lock = await navigator.wakeLock?.request('screen') ?? null;
  } catch {
    lock = null; // Refused, for example to save the battery: the device's own rule holds.
  } finally {
    isAsking = false;
  }
  if (!wanted) adjust();
}

// A page that goes out of sight loses it.
document.addEventListener('visibilitychange', adjust);
