import type { ClientTurns } from '../client-turns.ts'

/** How long Claude Code waits for the end-of-turn hook, in seconds; the hook waits less. */
export const CLAUDE_STOP_S = 1_800
/** How long it lets the hook live that may wake an idle session. */
export const CLAUDE_WAKE_S = 24 * 60 * 60

const MARGIN_MS = 10_000

/**
 * While the hook of `Stop` waits, the client shows a running hook. The hook of `Notification` runs
 * beside an idle session and keeps nothing busy.
 */
export const CLAUDE_TURNS: ClientTurns = {
  blocks: true,
  waits({ rawEvent }) {
    if (rawEvent === 'Stop') return { ms: CLAUDE_STOP_S * 1000 - MARGIN_MS, blocks: true }
    if (rawEvent !== 'Notification') return undefined
    return { ms: CLAUDE_WAKE_S * 1000 - MARGIN_MS, blocks: false }
  },
}
