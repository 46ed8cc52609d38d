import { LiveSocket } from './live-socket.js';
import { RigState } from './rig-state.js';
import { RPC } from './rpc.js';
import { Signal } from './signal.js';

const HEARTBEAT = 5000;
/** Whoever comes back to the page waits. A rig that is at a long wish is given the time that this takes. */
const WOKEN = 2500;
const WOKEN_BUSY = 10_000;

/** The control connection: the rig's state as it changes, its events, and what is asked of it. */
export class RigLink {
  #state = new RigState();
  #rpc;
  #heartbeat = null;
  #asking = false;

  socket;
  /** After each change of `state` or of the connection. */
  changed = new Signal();
  /** Events of takes: `{method, params}`. */
  event = new Signal();
  /** Since when the running take runs, by `performance.now()`; undefined until the rig has told. */
  recordingSince = undefined;
  #recordedTake = undefined;
  #heardAt = 0;

  /** `mayConnect`: see `LiveSocket`. */
  constructor(mayConnect) {
    this.socket = new LiveSocket('/monitor', 'camrig.monitor.v1', mayConnect);
    this.#rpc = new RPC(this.socket);
    this.socket.message.subscribe(() => { this.#heardAt = performance.now(); });
    this.#rpc.notification.subscribe((notification) => this.#notified(notification));
    this.socket.changed.subscribe((phase) => this.#phaseChanged(phase));
  }

  /** Null until the rig has told it once. After that always there, old while the connection is lost. */
  get state() {
    return this.#state.value;
  }

  /** Connected, and the state is the present one. */
  isLive = false;
  /** Counts the connections: what was asked of an earlier one must be asked again. */
  connection = 0;

  call(method, params, limit) {
    return this.#rpc.call(method, params, limit);
  }

  /**
   * The page may have been asleep. What was heard before says nothing, and whoever comes back waits neither for the next heartbeat
   * nor for the end of a pause.
   */
  async woke() {
    const { connection } = this;
    if (this.socket.isOpen) {
      try {
        await this.call('clock.ping', { t: performance.now() }, this.#rpc.isWaiting ? WOKEN_BUSY : WOKEN);
        return;
      } catch (refusal) {
        if (refusal.code !== undefined || connection !== this.connection) return;
        this.socket.drop();
      }
    }
    this.socket.hurry();
  }

  #phaseChanged(phase) {
    clearInterval(this.#heartbeat);
    this.#asking = false;
    if (phase === 'open') {
      this.#watch();
      this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT);
    } else {
      this.isLive = false;
      this.#state.detach();
    }
    this.changed.emit();
  }

  async #watch() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const answer = await this.call('state.watch');
      this.#state.snapshot(answer);
      this.isLive = true;
      this.connection += 1;
      this.#recordedTake = undefined;
      this.#followTake();
      this.changed.emit();
    } catch {
      this.socket.drop();
    } finally {
      this.#asking = false;
    }
  }

  #notified({ method, params }) {
    if (method !== 'state.changed') {
      this.event.emit({ method, params });
      return;
    }
    if (!this.isLive) return; // The answer with the whole is still to come.
    if (!this.#state.patch(params)) {
      this.#watch();
      return;
    }
    this.#followTake();
    this.changed.emit();
  }

  /**
   * How long a take has been running the state does not tell, since it grows by itself: it is asked once and counted on
   * here. The rig's time of day would do as well until somebody sets its clock.
   */
  async #followTake() {
    const take = this.state.recording?.take;
    if (take === this.#recordedTake) return;
    this.#recordedTake = take;
    this.recordingSince = undefined;
    if (take === undefined) return;
    try {
      const { recording } = await this.call('rig.status');
      if (recording?.take !== this.#recordedTake) return;
      this.recordingSince = performance.now() - recording.seconds * 1000;
      this.changed.emit();
    } catch {
      // With the next connection it is asked anew.
    }
  }

  /**
   * A network that swallows everything closes no socket: only a question without an answer shows it. The rig answers
   * one after the other, so while it is at a long wish nothing is asked.
   */
  async #beat() {
    if (this.#rpc.isWaiting || performance.now() - this.#heardAt < HEARTBEAT) return;
    try {
      await this.call('clock.ping', { t: performance.now() }, HEARTBEAT);
    } catch (refusal) {
      if (refusal.code === undefined) this.socket.drop();
    }
  }
}
