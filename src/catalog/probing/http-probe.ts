import { type Clock, pause } from '../../platform/clock.ts'
import type { GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { ProbeTarget } from '../facts/answers/fact.ts'
import { isUp } from '../facts/answers/fact.ts'
import { httpOutcome, mcpOutcome, type ProbeAttempt } from '../facts/answers/probe-attempt.ts'
import { followed } from '../facts/follow.ts'
import type { PoliteFetch } from './polite-fetch.ts'

/** Pauses between three attempts: a hiccup is over by the second, a restart by the third. */
const TRY_AGAIN_AFTER_MS = [5_000, 20_000]
// The body matters only for MCP.
const BODY_BYTES = 16 * 1024

// The smallest MCP request: it starts no session and makes no list.
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const JSON_TYPE = 'application/json'

const REQUESTS: Record<string, GuardedRequest> = {
  GET: { method: 'GET' },
  HEAD: { method: 'HEAD' },
  POST: { method: 'POST', headers: { 'content-type': JSON_TYPE }, body: '{}' },
  mcp: {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, text/event-stream` },
    body: PING,
  },
}

type Deps = { outside: Pick<PoliteFetch, 'fetch'>; clock: Clock; signal?: AbortSignal }

/** Asks once. */
export async function tryTarget(
  { outside }: Pick<Deps, 'outside'>,
  { target, method }: ProbeTarget,
): Promise<ProbeAttempt> {
  const request = REQUESTS[method] ?? { method: 'GET' }
  const fetched = await followed(outside, target, { ...request, maxBytes: BODY_BYTES })
  return method === 'mcp' ? mcpOutcome(fetched) : httpOutcome(fetched)
}

/**
 * Probes a tool up to three times, because it only counts as down if every attempt fails. Undefined
 * if it was cancelled.
 */
export async function askTarget(
  deps: Deps,
  target: ProbeTarget,
): Promise<ProbeAttempt | undefined> {
  let tried = await tryTarget(deps, target)
  for (const wait of TRY_AGAIN_AFTER_MS) {
    if (isUp(tried.outcome) !== false) break
    await pause(deps.clock, wait, deps.signal)
    if (deps.signal?.aborted) break
    const next = await tryTarget(deps, target)
    // A host that failed and then asked for a rest counts as failed.
    if (isUp(next.outcome) === undefined) break
    tried = next
  }
  return deps.signal?.aborted ? undefined : tried
}
