// A stream of pictures as the rig sends it: multipart, each part with its Content-Length.

const HEAD_LIMIT = 4096;
const ASCII = new TextDecoder('latin1');

/** Cuts what comes from the network into the bodies of its parts. */
export class MultipartReader {
  #rest = new Uint8Array(0);

  /** The parts that are whole now. Throws where it is no such stream. */
  push(chunk) {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    const parts = [];
    let at = 0;
    for (;;) {
      const body = endOfHead(bytes, at);
      if (body < 0) {
        if (bytes.length - at > HEAD_LIMIT) throw new Error('A part of the stream has no end of its head.');
        break;
      }
      const length = /^content-length: *(\d+)/im.exec(ASCII.decode(bytes.subarray(at, body)));
      if (!length) throw new Error('A part of the stream has no length.');
      const end = body + Number(length[1]);
      if (bytes.length < end) break;
      parts.push(bytes.slice(body, end));
      at = end;
    }
    this.#rest = bytes.slice(at);
    return parts;
  }
}

/** Where the body begins, behind the empty line; -1 where that has not come yet. */
function endOfHead(bytes, from) {
  const last = Math.min(bytes.length - 4, from + HEAD_LIMIT);
  for (let at = from; at <= last; at += 1) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4;
  }
  return -1;
}
