import { WAIT_MAX_MS, WAIT_MIN_MS } from '../../ask/wire/limits.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { calledTool } from '../own-tools.ts'

// The server holds a question about a task for 25 s; the client gives up after 60.
const TASK_MS = 45_000

/** How a request is treated while the server is away. */
export type Patience = {
  /** From its first byte to its last, in milliseconds. */
  totalMs: number
  /** As long as no attempt got through to a server. */
  unreachedMs: number
  /** True if a request may be repeated when the server may have received it already. */
  again: boolean
}

/** How long the bridge waits for a server that is away, in milliseconds. */
export type BridgeLimits = {
  /** Until a call that reached nobody fails. */
  restartMs: number
  /** Until a server that has gone away is reported as away. */
  awayMs: number
  /** Until the bridge answers from its own list of tools. */
  listMs: number
  /** How long the client waits for a call, if it was set up to wait longer than any wait of the server. */
  holdMs?: number | undefined
}

export const BRIDGE_LIMITS: BridgeLimits = {
  // Longer than a restart takes, but short enough if the server stays away.
  restartMs: 10_000,
  awayMs: 15_000,
  // Clients give a server a few seconds to list its tools.
  listMs: 2_000,
}

export function patienceFor(
  method: string,
  params: Fields,
  { restartMs, listMs }: BridgeLimits,
): Patience {
  if (method.startsWith('tasks/')) {
    return { totalMs: TASK_MS, unreachedMs: restartMs, again: true }
  }
  if (method !== 'tools/call') return { totalMs: listMs, unreachedMs: listMs, again: true }
  const again = calledTool(params.name)?.repeatable ?? false
  const args = isFields(params.arguments) ? params.arguments : {}
  if (!waits(params)) {
    return { totalMs: restartMs, unreachedMs: restartMs, again }
  }
  const totalMs = Math.max(timeoutOf(args) ?? WAIT_MAX_MS, restartMs)
  return { totalMs, unreachedMs: restartMs, again }
}

/** Returns true if a call waits for a person. */
export function waits({ name, arguments: args }: Fields): boolean {
  return calledTool(name)?.waits === true && !(isFields(args) && args.wait === false)
}

/** The same call for the rest of its time. */
export function withTimeLeft(params: Fields, leftMs: number): Fields {
  const args = isFields(params.arguments) ? params.arguments : {}
  if (!waits(params) || (timeoutOf(args) === undefined && leftMs > WAIT_MAX_MS)) return params
  const timeoutMs = Math.round(Math.max(WAIT_MIN_MS, Math.min(timeoutOf(args) ?? leftMs, leftMs)))
  return { ...params, arguments: { ...args, timeoutMs } }
}

// The server measures with its own clock.
const SLACK_MS = 500

/**
 * How much longer the call should have lasted, in milliseconds, if the server ended it early
 * because it restarts; undefined for every other reply. `heldMs` is how long the server said that
 * it holds the call.
 */
export function cutShort(
  params: Fields,
  reply: Fields,
  tookMs: number,
  heldMs = 0,
): number | undefined {
  const args = isFields(params.arguments) ? params.arguments : {}
  const result = isFields(reply.result) ? reply.result : {}
  const content = isFields(result.structuredContent) ? result.structuredContent : {}
  const { timedOut, nextAction, handoffAction, policyTimeoutMs } = content
  if (timedOut !== true || nextAction !== 'wait_for_answer' || handoffAction) return undefined
  if (!calledTool(params.name)?.repeatable) return undefined
  const own = timeoutOf(args)
  const usual = own ?? policyTimeoutMs
  const usualMs = typeof usual === 'number' ? Math.min(usual, WAIT_MAX_MS) : 0
  const remainingMs = Math.max(usualMs, own === undefined ? heldMs : 0) - tookMs
  return remainingMs > SLACK_MS ? remainingMs : undefined
}

function timeoutOf({ timeoutMs }: Fields): number | undefined {
  const fits = typeof timeoutMs === 'number' && timeoutMs >= WAIT_MIN_MS && timeoutMs <= WAIT_MAX_MS
  return fits ? timeoutMs : undefined
}
