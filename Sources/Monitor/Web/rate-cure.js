import { isFixed } from './camera-controls.js';
import { rateNumber } from './text.js';

/** As the rig counts: below this part of what was granted a camera is slow. */
const SLOW = 0.75;

/** The values for `control.set` that keep a camera's rate which gives it up for light; null where it does not, or has no such control. */
export function rateCure(camera, controls) {
  const measured = camera.stream?.measuredRate;
  // What has another cause is not cured by that.
  if (camera.state !== 'streaming' || camera.cause || !(measured < SLOW * rateNumber(camera.granted?.rate))) return null;
  const control = Object.values(controls ?? {}).find(({ role }) => role === 'keep-frame-rate');
  return control && Boolean(control.value) && !isFixed(control) ? { 'keep-frame-rate': true } : null;
}
