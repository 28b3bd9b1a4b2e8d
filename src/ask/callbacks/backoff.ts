// Long enough for a restart, short enough that nobody notices it.
const FIRST_MS = 5_000
const FACTOR = 3
const MOST_MS = 6 * 3_600_000
// Receivers that failed together do not all come back at one moment.
const JITTER = 0.2

/**
 * How long to wait before the next attempt, in milliseconds: from 5 seconds to 6 hours
 * (QS-EVENT-3). What the receiver asked for counts where it is longer. `random`: from 0 up to 1.
 */
export function backoffMs(
  attemptsBefore: number,
  random: number,
  askedMs: number | undefined,
): number {
  const plain = Math.min(FIRST_MS * FACTOR ** Math.min(attemptsBefore, 20), MOST_MS / (1 + JITTER))
  const own = Math.round(plain * (1 + JITTER * random))
  return Math.min(Math.max(own, askedMs ?? 0), MOST_MS)
}
