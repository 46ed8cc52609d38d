// Who this browser is to the rig: plain requests, before and beside the WebSocket.

const USUAL_LIMIT = 10_000;

/** A refusal in words for people. `retryAfter`: seconds, where the rig names them. */
export class PairingRefusal extends Error {
  constructor(message, retryAfter = 0) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

function request(path, options = {}) {
  return fetch(path, { cache: 'no-store', credentials: 'same-origin', signal: AbortSignal.timeout(USUAL_LIMIT), ...options });
}

/** `{paired, role?, monitor?, rig}`. Throws where the rig does not answer. */
export async function readSession() {
  const response = await request('/session');
  if (!response.ok) throw new Error(`The rig answered ${response.status}.`);
  return response.json();
}

/** The session of the newly paired monitor. Throws a `PairingRefusal`. */
export function pair(code, name) {
  return ask('/pair', { code, name });
}

/** Asks the paired monitors to be let in: `{request, check}`, the four digits that they see, too. Throws a `PairingRefusal`. */
export function askToPair(name) {
  return ask('/pair/request', { name });
}

/** `{state: 'waiting' | 'approved' | 'denied' | 'expired'}`; approved, it is paired from now on. Throws where the rig does not answer. */
export async function pairingOutcome(id) {
  const response = await request(`/pair/request/${encodeURIComponent(id)}`);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new PairingRefusal(answer.error ?? `The rig refused (${response.status}).`);
}

async function ask(path, body) {
  let response;
  try {
    response = await request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new PairingRefusal('The rig does not answer. Is this device still in its network? Try again.');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  const usual = response.status === 429
    ? 'Too many tries. Wait a little, then try again.'
    : `The rig refused (${response.status}). Make a new code with: camrigctl pair`;
  throw new PairingRefusal(answer.error ?? usual, retryAfter);
}

/** A request that takes long, beside the WebSocket: there each waits for the one before. */
export async function askBeside(method, params) {
  const response = await fetch('/rpc', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = await response.json();
  if (!response.ok || answer.error) throw new Error(answer.error?.message ?? answer.error ?? `The rig answered ${response.status}.`);
  return answer.result;
}

export async function unpair() {
  const response = await request('/unpair', { method: 'POST' });
  if (!response.ok) throw new Error(`The rig answered ${response.status}.`);
}
