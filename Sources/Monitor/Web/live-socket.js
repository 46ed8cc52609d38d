import { backoffDelay } from './backoff.js';
import { Signal } from './signal.js';

const OPENING_LIMIT = 10_000;
/** A try that began so long ago, by the time of day, may have been slept through. */
const STALE = 3000;

/**
 * A WebSocket that comes back by itself. `phase` is `closed`, `connecting`, `open` or `waiting` (for the next try, at
 * `retryAt` of `performance.now()`).
 */
export class LiveSocket {
  #path;
  #protocol;
  #mayConnect;
  #socket = null;
  #attempt = 0;
  /** Of all tries: one that was given up has nothing to say any more. */
  #tries = 0;
  #triedAt = 0;
  #timer = null;
  #openingTimer = null;

  phase = 'closed';
  retryAt = 0;
  changed = new Signal();
  message = new Signal();

  /** `mayConnect` is asked before each try; false leaves the socket closed. It throws where the rig does not answer. */
  constructor(path, protocol, mayConnect = async () => true) {
    this.#path = path;
    this.#protocol = protocol;
    this.#mayConnect = mayConnect;
  }

  get isOpen() {
    return this.phase === 'open';
  }

  open() {
    if (this.phase === 'closed') this.#connect();
  }

  close() {
    clearTimeout(this.#timer);
    this.#letGo();
    this.#attempt = 0;
    this.#enter('closed');
  }

  /** Tries at once instead of at the end of the pause, and anew where a try makes no headway. */
  hurry() {
    const isStale = this.phase === 'connecting' && Date.now() - this.#triedAt > STALE;
    if (this.phase !== 'waiting' && !isStale) return;
    clearTimeout(this.#timer);
    this.#letGo();
    this.#attempt = 0;
    this.#connect();
  }

  /** The other side does not answer any more: what the browser still holds open is worth nothing. */
  drop() {
    if (this.phase === 'open') this.#lost();
  }

  /** Where it is open, another one in its place, for nobody knows whether it is still worth anything; else as `hurry`. */
  renew() {
    this.drop();
    this.hurry();
  }

  /** Of a connection that is just being closed the end is told soon; until then words to it are lost. */
  send(text) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  async #connect() {
    this.#attempt += 1;
    this.#tries += 1;
    this.#triedAt = Date.now();
    const number = this.#tries;
    this.#enter('connecting');
    let may;
    try {
      may = await this.#mayConnect();
    } catch {
      may = null;
    }
    if (this.phase !== 'connecting' || number !== this.#tries) return;
    if (may === false) return this.close();
    if (may === null) return this.#lost();

    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}${this.#path}`, this.#protocol);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#openingTimer = setTimeout(() => this.#lost(), OPENING_LIMIT);
    socket.onopen = () => {
      clearTimeout(this.#openingTimer);
      this.#attempt = 0;
      this.#enter('open');
    };
    socket.onmessage = (event) => this.message.emit(event.data);
    socket.onclose = () => this.#lost();
  }

  #lost() {
    this.#letGo();
    const delay = backoffDelay(Math.max(1, this.#attempt));
    this.retryAt = performance.now() + delay;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), delay);
    this.#enter('waiting');
  }

  #letGo() {
    clearTimeout(this.#openingTimer);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #enter(phase) {
    this.phase = phase;
    this.changed.emit(phase);
  }
}
