import { parseExactly } from './exact-json.js';
import { Signal } from './signal.js';

const USUAL_LIMIT = 10_000;

/** An answer that is a refusal. `reason` is for programs, the message for people. */
class RigRefusal extends Error {
  constructor(message, code, reason) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** JSON-RPC 2.0 over a `LiveSocket`. */
export class RPC {
  #socket;
  #lastID = 0;
  #open = new Map();

  /** `{method, params}` */
  notification = new Signal();

  constructor(socket) {
    this.#socket = socket;
    socket.message.subscribe((data) => this.#receive(data));
    socket.changed.subscribe((phase) => {
      if (phase !== 'open') this.#failAll('The connection to the rig was lost before it answered.');
    });
  }

  get isWaiting() {
    return this.#open.size > 0;
  }

  call(method, params = {}, limit = USUAL_LIMIT) {
    if (!this.#socket.isOpen) return Promise.reject(new RigRefusal('There is no connection to the rig just now.'));
    this.#lastID += 1;
    const id = this.#lastID;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#open.delete(id);
        reject(new RigRefusal(`The rig did not answer within ${limit / 1000} s. Try again.`));
      }, limit);
      this.#open.set(id, { resolve, reject, timer });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  #receive(data) {
    if (typeof data !== 'string') return;
    let message;
    try {
      message = parseExactly(data);
    } catch {
      return; // Not for us to judge: what cannot be read is ignored, as unknown members are.
    }
    if (message.method) {
      this.notification.emit({ method: message.method, params: message.params ?? {} });
      return;
    }
    const call = this.#open.get(message.id);
    if (!call) return;
    this.#open.delete(message.id);
    clearTimeout(call.timer);
    const { error } = message;
    if (error) call.reject(new RigRefusal(error.message, error.code, error.data?.reason));
    else call.resolve(message.result);
  }

  #failAll(why) {
    const calls = [...this.#open.values()];
    this.#open.clear();
    for (const { reject, timer } of calls) {
      clearTimeout(timer);
      reject(new RigRefusal(why));
    }
  }
}
