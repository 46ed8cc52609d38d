// How long to wait before the next try of a connection.

const FIRST = 500;
const LONGEST = 10_000;

/**
 * Milliseconds before try number `attempt` (from 1): doubled each time up to ten seconds, and spread over its last
 * quarter, so that all pages do not come back to a restarted rig in the same moment.
 */
export function backoffDelay(attempt, random = Math.random()) {
  const full = Math.min(FIRST * 2 ** (attempt - 1), LONGEST);
  return Math.round(full * (0.75 + 0.25 * random));
}
