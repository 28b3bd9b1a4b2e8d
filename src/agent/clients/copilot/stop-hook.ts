import type { ClientTurns } from '../client-turns.ts'

/** How long Copilot CLI waits for the end-of-turn hook, in seconds; the hook waits less. */
export const COPILOT_STOP_S = 8 * 60 * 60

const MARGIN_MS = 10_000
const STOPS = new Set(['agentStop', 'Stop'])

export const COPILOT_TURNS: ClientTurns = {
  blocks: true,
  waits: ({ rawEvent }) =>
    STOPS.has(rawEvent) ? { ms: COPILOT_STOP_S * 1000 - MARGIN_MS, blocks: true } : undefined,
}
