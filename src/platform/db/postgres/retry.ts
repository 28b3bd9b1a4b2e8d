import { isCollision, isLost, isTooLate, OutcomeUnknown, wasAbandoned } from './errors.ts'

// When transactions collide, one gets through at each try. When a server restarts, every connection
// of the pool ends, so the next ones that are tried may be gone, too.
const TRIES_MAX = 8
// Connections that time out take seconds each, and nobody should wait for several of them.
const LOST_MS_MAX = 2_000
const PAUSE_MS = 10

/**
 * Tries again if others were in the way, this process stood still, or the connection was gone.
 */
export async function tried<T>(attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= TRIES_MAX || !isWorthATry(error, performance.now() - began)) throw error
      await Bun.sleep(Math.random() * PAUSE_MS * tries)
    }
  }
}

function isWorthATry(error: unknown, elapsedMs: number): boolean {
  if (error instanceof OutcomeUnknown) return false
  if (isCollision(error) || wasAbandoned(error)) return true
  return isLost(error) && elapsedMs < LOST_MS_MAX
}

/**
 * Returns true if the server did not answer in time. Then all writes of a group fail, because each
 * would only wait as long again.
 */
export function isTimeUp(error: unknown, elapsedMs: number): boolean {
  return isTooLate(error) || (isLost(error) && elapsedMs >= LOST_MS_MAX)
}
