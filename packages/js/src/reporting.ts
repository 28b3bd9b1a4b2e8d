import { digestOf } from './canonical.ts'
import { reportOutcome } from './protect.ts'
import type { Server } from './server.ts'

type StartedCall = { server: Server; permit: string }

// Calls that were approved here and whose outcome nobody has reported, by their digest. Where none is
// reported, old ones are forgotten.
const startedCalls = new Map<string, StartedCall[]>()
const STARTED_CALLS_MAX = 1_000

/** Remembers a permit that was used up here, until its call has ended. */
export function rememberStartedCall(actionHash: string, one: StartedCall): void {
  startedCalls.set(actionHash, [...(startedCalls.get(actionHash) ?? []), one])
  const [oldest] = startedCalls.keys()
  if (startedCalls.size > STARTED_CALLS_MAX && oldest !== undefined) startedCalls.delete(oldest)
}

/**
 * Takes the permit that was used up here for a call with these arguments, to report what becomes of
 * it; undefined for a call that needed none. Never throws.
 */
export async function takeStartedCall(
  tool: string,
  args: unknown,
): Promise<StartedCall | undefined> {
  const actionHash = await digestOf({ tool, arguments: args }).catch(() => '')
  const others = [...(startedCalls.get(actionHash) ?? [])]
  // An earlier one may be of a call that its framework never made.
  const one = others.pop()
  if (others.length > 0) startedCalls.set(actionHash, others)
  else startedCalls.delete(actionHash)
  return one
}

/**
 * Reports how each approved call of a tool ended, for the audit trail. `tool` is the name by which
 * it was asked about. What it returns or throws stays as it is; arguments that the framework
 * changed before are another call, of which nothing is reported.
 */
export function reporting<A extends readonly unknown[], R>(
  tool: string,
  execute: (...args: A) => R | Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    const one = await takeStartedCall(tool, args[0])
    try {
      const value = await execute(...args)
      if (one) void reportOutcome(one.server, one.permit, 'succeeded')
      return value
    } catch (error) {
      if (one) void reportOutcome(one.server, one.permit, 'failed', error)
      throw error
    }
  }
}
