import { createOutbox, type Outbox, type OutboxDeps } from '../../platform/db/outbox.ts'
import type { Callback } from './callback.ts'
import { callbacks } from './table.ts'

// One server gets this many requests at a time; another's slowness is not its business.
const LANE_WIDTH = 8
// What is on its way when the server stops may still arrive; what does not is sent by the next one.
const CLOSING_MS = 1_000

/** What receivers have to be told, a lane for each of their servers. */
export function createCallbackOutbox(deps: OutboxDeps): Outbox<Callback> {
  const rules = { table: callbacks, lane: callbacks.origin }
  return createOutbox(deps, { ...rules, laneWidth: LANE_WIDTH, closingMs: CLOSING_MS })
}
