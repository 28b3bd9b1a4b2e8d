import type { HookClient } from '../clients/client.ts'
import { beginLooking } from './backstop.ts'
import type { HookContext } from './context.ts'
import { refreshScope, whereOf } from './refresh.ts'
import { callHook } from './server.ts'
import { tellBarred, tellStrayed, tellTried } from './tell-person.ts'
import type { HookCall } from './tool-call.ts'

// Nobody waits for it, and nobody should find it still there.
const ASIDE_MS = 10_000
const LOOK_MS = 3_000

/** The options of `beckon hook CLIENT`, as `--name=value`. */
export type HookOptions = ReadonlyMap<string, string[]>

/** The call of a process that works aside: what its options say about the session. */
export function callAside(client: HookClient, options: HookOptions): HookCall {
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
 * `--refresh` reads the boundary of a session again, `--end` tells the server that it is over,
 * `--barred` and `--guarded` tell a person what was tried, `--strayed` what changed outside of it.
 */
export async function workAside(context: HookContext, options: HookOptions): Promise<boolean> {
  if (options.has('refresh')) {
    const interactive = options.has('interactive') ? { interactive: true } : {}
    const done = await refreshScope(context, { event: 'heartbeat', ms: ASIDE_MS, ...interactive })
    await beginLooking(context, { ms: LOOK_MS, onlyNew: true })
    return done
  }
  const { service, call, signal } = context
  const [barred] = options.get('barred') ?? []
  if (barred !== undefined) {
    const [rule = ''] = options.get('rule') ?? []
    return await tellBarred(context, { path: barred, rule }, { ms: ASIDE_MS, signal })
  }
  const [guarded] = options.get('guarded') ?? []
  if (guarded !== undefined) return await tellTried(context, guarded, { ms: ASIDE_MS, signal })
  const strayed = options.get('strayed')
  if (strayed !== undefined) {
    const count = Number(options.get('count')?.[0]) || strayed.length
    return await tellStrayed(context, { paths: strayed, count }, { ms: ASIDE_MS, signal })
  }
  if (!options.has('end') || !service || call.sessionId === undefined) return false
  const request = { event: 'session_end', sessionId: call.sessionId, ...whereOf(context) } as const
  const said = await callHook(service, call.client, request, { ms: ASIDE_MS, signal })
  return said.ok
}
