import type { HookCall } from '../calls/tool-call.ts'
import type { HookClient } from '../clients/client.ts'
import type { HookContext } from '../session/context.ts'
import { refreshScope, whereOf } from '../session/refresh.ts'
import { callHook } from '../session/server.ts'
import { WATCHES_TURNS } from '../turns/watcher-lock.ts'
import { scanInBackground, startScan } from './backstop.ts'
import { tellChangedOutside, tellOffLimits, tellTried } from './tell-person.ts'

// Nobody waits for this process, and it should end soon.
const BACKGROUND_MS = 10_000
const FIRST_LOOK_MS = 3_000
const LOOK_MS = 8_000
const NOTE_MS = 5_000

/** The options of `beckon hook CLIENT`, as `--name=value`. */
export type HookOptions = ReadonlyMap<string, string[]>

/** The call of a process that works in the background: what its options say about the session. */
export function backgroundCall(client: HookClient, options: HookOptions): HookCall {
  const [cwd = process.cwd()] = options.get('cwd') ?? []
  const [sessionId] = options.get('session') ?? []
  return {
    client: client.name,
    event: 'unknown',
    rawEvent: '',
    cwd,
    // A person who types it may stand anywhere: then each call says its own.
    roots: options.get('root') ?? [],
    touches: [],
    headless: true,
    ...(sessionId ? { sessionId } : {}),
  }
}

/**
 * `--refresh` reads the boundary of a session again, `--end` tells the server that the session is
 * over, `--off-limits` and `--guarded` tell a person what was attempted, `--changed-outside` what
 * changed outside the scope, `--look` looks for that, and `--turns` reports the turns of all
 * sessions of this machine.
 */
export async function workInBackground(
  context: HookContext,
  options: HookOptions,
): Promise<boolean> {
  if (options.has('refresh')) {
    const interactive = options.has('interactive') ? { interactive: true } : {}
    const done = await refreshScope(context, {
      event: 'heartbeat',
      ms: BACKGROUND_MS,
      ...interactive,
    })
    await startScan(context, { ms: FIRST_LOOK_MS, onlyNew: true })
    return done
  }
  const { service, call, signal } = context
  if (options.has(WATCHES_TURNS)) {
    if (!service) return false
    const { watchTurns } = await import('../turns/watch-turns.ts')
    await watchTurns({ state: context.state, service })
    return true
  }
  const [offLimits] = options.get('off-limits') ?? []
  if (offLimits !== undefined) {
    const [rule] = options.get('rule') ?? []
    return await tellOffLimits(context, { path: offLimits, rule }, { ms: BACKGROUND_MS, signal })
  }
  const [guarded] = options.get('guarded') ?? []
  if (guarded !== undefined) return await tellTried(context, guarded, { ms: BACKGROUND_MS, signal })
  const changedOutside = options.get('changed-outside')
  if (changedOutside !== undefined) {
    const count = Number(options.get('count')?.[0]) || changedOutside.length
    return await tellChangedOutside(
      context,
      { paths: changedOutside, count },
      { ms: BACKGROUND_MS, signal },
    )
  }
  if (options.has('look')) {
    const agreed = options.get('agreed') ?? []
    return await scanInBackground(context, { agreed, ms: LOOK_MS, noteMs: NOTE_MS })
  }
  if (!options.has('end') || !service || call.sessionId === undefined) return false
  const request = { event: 'session_end', sessionId: call.sessionId, ...whereOf(context) } as const
  const reply = await callHook(service, call.client, request, { ms: BACKGROUND_MS, signal })
  return reply.ok
}
