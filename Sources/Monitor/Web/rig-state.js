import { mergePatch } from './merge-patch.js';

/** The rig as `state.watch` told it and the patches since have changed it. */
export class RigState {
  #revision = null;
  value = null;

  snapshot({ revision, state }) {
    this.#revision = revision;
    this.value = state;
  }

  /** False: a patch is missing before this one, and the whole must be asked for anew. An old one changes nothing. */
  patch({ revision, patch }) {
    if (this.#revision === null || revision > this.#revision + 1) return false;
    if (revision <= this.#revision) return true;
    this.#revision = revision;
    this.value = mergePatch(this.value, patch);
    return true;
  }

  /** The connection is gone: what is shown is what was known last, and no patch fits it. */
  detach() {
    this.#revision = null;
  }
}
