import { HOLD_HEADER } from '../../ask/wire/limits.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { type BridgeLimits, waits } from './patience.ts'

/** How long one call may be held, where its client waits longer than any usual wait. */
type Hold = {
  /** The longest that the client waits, in milliseconds; 0 if it waits no longer than usual. */
  mostMs: number
  /**
   * Until when the server holds the call, in milliseconds from its start; 0 until the server has
   * said so.
   */
  untilMs(): number
  /** Reads a message of the attempt that began at `begunMs`. */
  hear(notification: Fields, begunMs: number): void
  /** What tells the server how long an attempt that begins now may take. */
  header(begunMs: number): Record<string, string>
}

/** Only the server knows whether its owner wants calls held longer; its progress says so. */
export function createHold({ holdMs = 0 }: BridgeLimits, params: Fields): Hold {
  const mostMs = waits(params) ? holdMs : 0
  let untilMs = 0
  return {
    mostMs,
    untilMs: () => untilMs,
    hear({ params: said }, begunMs) {
      const total = isFields(said) ? said.total : undefined
      if (typeof total !== 'number' || !(total > 0)) return
      untilMs = Math.min(mostMs, begunMs + total * 1000)
    },
    header(begunMs) {
      const leftS = Math.ceil((mostMs - begunMs) / 1000)
      return leftS > 0 ? { [HOLD_HEADER]: String(leftS) } : {}
    },
  }
}
