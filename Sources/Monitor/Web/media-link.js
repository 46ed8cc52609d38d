import { LiveSocket } from './live-socket.js';
import { HEADER_BYTES, readMediaHeader } from './media-header.js';

/** Pictures on their way at once for each stream. */
const CREDIT = 2;
/** Going from one view to another closes and opens streams in one breath. */
const LINGER = 2000;

/** The one WebSocket that carries all pictures. It exists while somebody looks. */
export class MediaLink {
  #socket = new LiveSocket('/monitor/media', 'camrig.media.v1');
  #streams = new Map();
  #lastNumber = 0;
  #rigIsThere = false;
  #pageIsSeen = true;
  #linger = null;

  constructor() {
    this.#socket.message.subscribe((data) => this.#receive(data));
    this.#socket.changed.subscribe((phase) => this.#phaseChanged(phase));
  }

  /**
   * Asks for a camera's pictures. `form`: camera, longEdge, rate. `viewer`: `picture(jpeg, header)`, `ended(reason)`.
   */
  start(form, viewer) {
    do this.#lastNumber = this.#lastNumber % 65_535 + 1; while (this.#streams.has(this.#lastNumber));
    const number = this.#lastNumber;
    this.#streams.set(number, { form, viewer });
    this.#adjust();
    this.#ask(number);
    return {
      change: (changed) => {
        const stream = this.#streams.get(number);
        if (!stream) return;
        stream.form = changed;
        this.#ask(number);
      },
      /** This picture, and all before it, is shown. */
      acknowledge: (sequence) => this.#tell('preview.credit', { stream: number, sequence }),
      stop: () => {
        if (this.#streams.delete(number)) this.#tell('preview.stop', { stream: number });
        this.#adjust();
      },
    };
  }

  /** Without the control connection no try is worth making. */
  setRigIsThere(isThere) {
    this.#rigIsThere = isThere;
    this.#adjust();
    if (isThere) this.#socket.hurry();
  }

  setPageIsSeen(isSeen) {
    this.#pageIsSeen = isSeen;
    this.#adjust();
  }

  #adjust() {
    clearTimeout(this.#linger);
    if (!this.#pageIsSeen || !this.#rigIsThere) this.#socket.close();
    else if (this.#streams.size > 0) this.#socket.open();
    else this.#linger = setTimeout(() => this.#socket.close(), LINGER);
  }

  #phaseChanged(phase) {
    if (phase !== 'open') return;
    for (const number of this.#streams.keys()) this.#ask(number);
  }

  #ask(number) {
    if (!this.#socket.isOpen) return;
    const { form } = this.#streams.get(number);
    this.#tell('preview.start', { stream: number, ...form, credit: CREDIT });
  }

  #tell(method, params) {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  #receive(data) {
    if (typeof data === 'string') return this.#receiveText(data);
    const header = readMediaHeader(data);
    const stream = header && this.#streams.get(header.stream);
    stream?.viewer.picture(new Blob([new Uint8Array(data, HEADER_BYTES)], { type: 'image/jpeg' }), header);
  }

  #receiveText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.method !== 'preview.ended') return;
    this.#streams.get(message.params?.stream)?.viewer.ended(message.params.reason ?? '');
  }
}
