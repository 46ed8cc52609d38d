// What needs a person now, from what the rig tells. Each with its cure; the worst first.

import { cameraWords, inOrder, recordingOf } from './camera-words.js';
import { rateCure } from './rate-cure.js';
import { byteSize, roughTime } from './text.js';

const LITTLE_TIME = 15 * 60;
const HARDLY_TIME = 3 * 60;
const LITTLE_SPACE = 5e9;

/** Banners: `{key, level: 'alarm' | 'warning' | 'note', text, cure?}`; `cure`: `{words, method, params}` that a button does. */
export function rigTroubles(state) {
  const found = [];
  const add = (key, level, text, cure) => found.push({ key, level, text, ...(cure && { cure }) });
  const { recording, disk } = state;

  // A full disk ends the take for all cameras: of two alarms it is the worse one.
  const left = disk?.secondsLeft;
  if (disk?.message) {
    add('disk', 'alarm', disk.message);
  } else if (recording && left !== undefined && left < LITTLE_TIME) {
    add('disk', left < HARDLY_TIME ? 'alarm' : 'warning',
      `Room for ${roughTime(left)} more. Free space on the rig's disk, or stop in time.`);
  } else if (!recording && disk?.freeBytes !== undefined && disk.freeBytes < LITTLE_SPACE) {
    add('disk', 'warning', `Only ${byteSize(disk.freeBytes)} free. Move takes off the rig's disk before the next one.`);
  }

  for (const camera of inOrder(state.cameras)) {
    const part = recordingOf(camera, recording);
    const { title, message } = cameraWords(camera);
    if (part?.inGap) {
      const why = camera.state === 'offline'
        ? 'It is not plugged in. Plug it back into the same socket: its recording goes on by itself.'
        : message || 'The rig is starting it again.';
      add(`camera.${camera.id}`, 'alarm', `${camera.name} is not being recorded. ${why}`);
    } else if (camera.state === 'stalled') {
      add(`camera.${camera.id}`, 'warning',
        `${camera.name} sends no picture. ${message || 'The rig is starting it again.'}`);
    } else if (camera.state === 'busy' || camera.state === 'failed') {
      add(`camera.${camera.id}`, 'warning', `${camera.name}: ${message || title}`);
    } else if (camera.state === 'streaming' && message) {
      // Spoilt pictures, or others than were chosen.
      add(`camera.${camera.id}`, 'note', `${camera.name}: ${message}`);
    }
    const values = rateCure(camera, state.controls?.[camera.id]);
    // Of a slow camera the first hint is the one on its rate.
    const cure = values && { words: 'Keep the frame rate', method: 'control.set', params: { camera: camera.id, values } };
    for (const [index, hint] of (camera.hints ?? []).entries()) {
      add(`hint.${camera.id}.${index}`, 'note', `${camera.name}: ${hint}`, index === 0 && cure);
    }
  }

  if (state.rig.clockSync === 'unsynchronised') {
    add('clock', 'note', 'The rig\'s clock is not synchronised: takes may bear wrong times. Connect it to a time server.');
  }

  const said = new Set(found.map((trouble) => trouble.text));
  for (const [key, { text }] of Object.entries(state.problems ?? {})) {
    if (said.has(text)) continue;
    said.add(text);
    add(`problem.${key}`, 'warning', text);
  }
  const rank = { alarm: 0, warning: 1, note: 2 };
  return found.sort((a, b) => rank[a.level] - rank[b.level]);
}
