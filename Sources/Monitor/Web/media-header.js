// The 32 bytes before each message on /monitor/media, little-endian: docs/ref/media-stream.md.

export const HEADER_BYTES = 32;
const VERSION = 1;
const KINDS = { 1: 'picture', 2: 'sound' };
const FLAG_REDUCED = 1;

/**
 * What stands before a picture or sound; null for anything that this page does not know, which is to be passed over.
 * `skipped`: messages left out before this one. `reduced`, of a picture: smaller or fewer than asked for, since the link
 * carries no more. `channels`, of sound.
 */
export function readMediaHeader(buffer) {
  if (buffer.byteLength < HEADER_BYTES) return null;
  const view = new DataView(buffer);
  const kind = KINDS[view.getUint8(0)];
  if (!kind || view.getUint8(1) !== VERSION) return null;
  return {
    kind,
    stream: view.getUint32(4, true),
    // Counted from 0 for each stream: it would take ages to leave what a number holds exactly.
    sequence: Number(view.getBigUint64(8, true)),
    skipped: view.getUint16(28, true),
    ...(kind === 'sound' ? { channels: view.getUint16(24, true) } : { reduced: (view.getUint16(2, true) & FLAG_REDUCED) !== 0 }),
  };
}
