// The 32 bytes before each message on /monitor/media, little-endian: docs/ref/media-stream.md.

export const HEADER_BYTES = 32;
const VERSION = 1;
const KIND_PICTURE = 1;
const FLAG_REDUCED = 1;

/**
 * What stands before a picture; null for anything that this page does not know, which is to be passed over. `skipped`:
 * pictures left out before this one. `reduced`: smaller or fewer than asked for, since the link carries no more.
 */
export function readMediaHeader(buffer) {
  if (buffer.byteLength < HEADER_BYTES) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== KIND_PICTURE || view.getUint8(1) !== VERSION) return null;
  return {
    stream: view.getUint32(4, true),
    // Counted from 0 for each stream: it would take ages to leave what a number holds exactly.
    sequence: Number(view.getBigUint64(8, true)),
    skipped: view.getUint16(28, true),
    reduced: (view.getUint16(2, true) & FLAG_REDUCED) !== 0,
  };
}
