// A phone that serves as a monitor shall not go to sleep while it is recording. Browsers grant it on secure pages only.

let wanted = false;
let lock = null;

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
  try {
    lock = await navigator.wakeLock?.request('screen');
    if (!wanted) adjust();
  } catch {
    // Refused, for example to save the battery: the device's own rule holds.
  }
}

// A page that goes out of sight loses it.
document.addEventListener('visibilitychange', () => {
  if (wanted && document.visibilityState === 'visible') adjust();
});
