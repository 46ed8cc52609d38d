import { LiveSocket } from './live-socket.js';
import { HEADER_BYTES, readMediaHeader } from './media-header.js';

/** Messages on their way at once for each stream: two pictures, or half a second of sound. */
const CREDIT = { preview: 2, sound: 25 };
/** Going from one view to another closes and opens streams in one breath. */
const LINGER = 2000;

/** The one WebSocket that carries all pictures and sound. It exists while somebody looks or listens. */
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
    return this.#begin('preview', form, viewer);
  }

  /** Asks for a microphone's sound. `listener`: `sound(samples, header)`, of 16 bits and 48 kHz, interleaved; `ended(reason)`. */
  listen(microphone, listener) {
    return this.#begin('sound', { microphone }, listener);
  }

  #begin(family, form, viewer) {
    do this.#lastNumber = this.#lastNumber % 65_535 + 1; while (this.#streams.has(this.#lastNumber));
    const number = this.#lastNumber;
    this.#streams.set(number, { family, form, viewer });
    this.#adjust();
    this.#ask(number);
    return {
      change: (changed) => {
        const stream = this.#streams.get(number);
        if (!stream) return;
        stream.form = changed;
        this.#ask(number);
      },
      /** This message, and all before it, is shown or heard. */
      acknowledge: (sequence) => this.#tell(`${family}.credit`, { stream: number, sequence }),
      stop: () => {
        if (this.#streams.delete(number)) this.#tell(`${family}.stop`, { stream: number });
        this.#adjust();
      },
    };
  }

  /** Without the control connection no try is worth making. */
  setRigIsThere(isThere) {
    // Told with every change of the state: a try that is under way, or its pause, is left alone.
    const isBack = isThere && !this.#rigIsThere;
    this.#rigIsThere = isThere;
    this.#adjust();
    if (isBack) this.#socket.hurry();
  }

  setPageIsSeen(isSeen) {
    this.#pageIsSeen = isSeen;
    this.#adjust();
  }

  /** The page was asleep: what comes by the old connection, if it still does, is as old. */
  renew() {
    this.#socket.renew();
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
    const { family, form } = this.#streams.get(number);
    this.#tell(`${family}.start`, { stream: number, ...form, credit: CREDIT[family] });
  }

  #tell(method, params) {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  #receive(data) {
    if (typeof data === 'string') return this.#receiveText(data);
    const header = readMediaHeader(data);
    const stream = header && this.#streams.get(header.stream);
    if (header?.kind === 'sound') stream?.viewer.sound?.(new Int16Array(data, HEADER_BYTES), header);
    else stream?.viewer.picture?.(new Blob([new Uint8Array(data, HEADER_BYTES)], { type: 'image/jpeg' }), header);
  }

  #receiveText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.method !== 'preview.ended' && message.method !== 'sound.ended') return;
    this.#streams.get(message.params?.stream)?.viewer.ended(message.params.reason ?? '');
  }
}
