import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HookReply } from '../../ask/wire/hook-fields.ts'
import { restartWords } from '../../platform/program.ts'
import { cutText } from '../../platform/text.ts'
import { branchOf, repoKeyOf, rootsOf } from '../paths/repository.ts'
import { fileName, keepFile } from '../state/state-files.ts'
import { type HookContext, type SessionPlace, sessionOf } from './context.ts'
import { type FoundScope, findScope, type KeptScope, keepScope } from './kept-scope.ts'
import { keepRuleMatches, lastRuleMatches } from './rule-matches.ts'
import { callHook, type HookRequest } from './server.ts'

// The server's reply is valid for this long.
const FRESH_MS = 30_000
// The same while a proposed scope is open, which a person may agree to at any moment.
const PROPOSED_FRESH_MS = 1_000
// A scope question is open this long.
const PROPOSED_MS = 10 * 60_000
const NAME_MAX = 100
// File systems round, and clocks are adjusted by little.
const SKEW_MS = 2_000
// A tool call waits at most this long for news of its session.
const LOOK_UP_MS = 300
// On a machine that does not know yet which calls rules decide.
const FIRST_LOOK_UP_MS = 3_000

/**
 * Asks the server for the boundary of the session, and keeps it. True if it answered within `ms`.
 * Only the server that set a boundary can end it. Never throws.
 */
export async function refreshScope(
  context: HookContext,
  how: Pick<HookRequest, 'event' | 'examplePaths' | 'interactive' | 'contained' | 'gaps'> & {
    ms: number
  },
): Promise<boolean> {
  const place = sessionOf(context)
  const { service, call, signal } = context
  const { ms, ...body } = how
  const until = performance.now() + ms
  if (!place || !service) return false
  try {
    const before = storedScopeOf(findScope(place, Date.now()))
    if (before?.contract && before.serverUrl !== service.url) return false
    const reply = await callHook(
      service,
      call.client,
      {
        ...body,
        sessionId: place.sessionId,
        ...whereOf(context),
        ...(before ? { contractEtag: before.etag } : {}),
      },
      { ms, signal },
    )
    if (!reply.ok) return false
    learn(context, place, reply.value)
    const { contract, etag } = reply.value
    if (contract && etag !== before?.etag) {
      // The server counts on a contract only once the hook has reported that it holds it.
      const heartbeat = {
        event: 'heartbeat',
        sessionId: place.sessionId,
        contractEtag: etag,
      } as const
      const remainingMs = until - performance.now()
      await callHook(
        service,
        call.client,
        { ...heartbeat, ...whereOf(context) },
        { ms: remainingMs, signal },
      )
    }
    return true
  } catch {
    return false
  }
}

/**
 * Stores the server's reply, and whether a scope is proposed; paths that were allowed since are
 * dropped together with their scope.
 */
export function learn(context: HookContext, place: SessionPlace, reply: HookReply): void {
  const { service, call } = context
  if (!service) return
  const before = storedScopeOf(findScope(place, Date.now()))
  const same = before?.contract?.correlationId === reply.contract?.correlationId
  if (!same && reply.contract) rmSync(stampOf(place, 'proposed'), { force: true })
  if (reply.proposed) noteProposed(place)
  keepScope(place, {
    serverUrl: service.url,
    etag: reply.etag,
    checkedAt: Date.now(),
    contract: reply.contract,
    roots: before?.roots ?? [...new Set(call.roots.flatMap((root) => rootsOf(root)))],
    widened: (same && before?.widened) || [],
    ...(reply.ruleMatches ? { ruleMatches: reply.ruleMatches } : {}),
  })
  keepRuleMatches(place.state, service, reply.ruleMatches ?? [])
}

/** Returns the project, the branch, and who works in it. */
export function whereOf({ client, call }: HookContext) {
  const root = call.roots[0] ?? call.cwd
  const project = root.split(/[\\/]/).findLast(Boolean)
  const agentName = project ? `${client.title} - ${project}` : client.title
  const branch = branchOf(call.cwd)
  return {
    cwd: call.cwd,
    repoKey: repoKeyOf(root),
    ...(branch === undefined ? {} : { branch }),
    agentName: cutText(agentName, NAME_MAX),
  }
}

/**
 * Asks in a process of its own, at most every 30 seconds, a server that is too slow for the tool
 * call to wait for.
 */
export function refreshIfStale(
  { service, call }: HookContext,
  place: SessionPlace,
  state: FoundScope,
): void {
  if (!service) return
  const scope = storedScopeOf(state)
  if (scope && isWithin(FRESH_MS, scope.checkedAt)) return
  const stamp = stampOf(place, 'tried')
  try {
    if (isWithin(FRESH_MS, timeOf(stamp))) return
    keepFile(stamp, '')
    spawnHook(['--refresh'], call)
  } catch {
    // It is tried again with the next call.
  }
}

/**
 * Returns true if a tool call must wait for the server's state of its session: none is stored, or a
 * scope may have begun or been replaced since. Never throws.
 */
export function isToLookUp(
  { service }: HookContext,
  place: SessionPlace,
  state: FoundScope,
): boolean {
  if (!service) return false
  try {
    if (state.is === 'kept') {
      const fresh = isProposed(place) ? PROPOSED_FRESH_MS : FRESH_MS
      if (isWithin(fresh, state.kept.checkedAt)) return false
    }
    return !isToRest(place)
  } catch {
    return true
  }
}

/** Returns true if the server did not answer for this session within the last 30 seconds. */
export function isToRest(place: SessionPlace): boolean {
  return isWithin(FRESH_MS, timeOf(stampOf(place, 'unheard')))
}

/** The server did not answer: no tool call waits for it within the next 30 seconds. Never throws. */
export function restFromServer(place: SessionPlace): void {
  try {
    keepFile(stampOf(place, 'unheard'), '')
  } catch {
    // It is tried again with the next call.
  }
}

/**
 * Asks the server whether a scope holds for the session. If there is no answer it waits 30 seconds
 * before it asks again. Never throws.
 */
export async function lookUpScope(context: HookContext, place: SessionPlace): Promise<void> {
  const { service, state } = context
  const isFirst = service !== undefined && lastRuleMatches(state, service) === undefined
  const ms = isFirst ? FIRST_LOOK_UP_MS : LOOK_UP_MS
  if (!(await refreshScope(context, { event: 'heartbeat', ms }))) restFromServer(place)
}

/** A scope was proposed, and a person may still agree to it. Never throws. */
export function noteProposed(place: SessionPlace): void {
  try {
    keepFile(stampOf(place, 'proposed'), '')
  } catch {
    // A yes is then noticed with the next regular look.
  }
}

function isProposed(place: SessionPlace): boolean {
  return isWithin(PROPOSED_MS, timeOf(stampOf(place, 'proposed')))
}

/** Returns true if that was less than `ms` ago; not if it is to come, as after a clock set back. */
function isWithin(ms: number, at: number): boolean {
  const age = Date.now() - at
  return age >= -SKEW_MS && age < ms
}

/** When the file was last written, in milliseconds since the epoch; 0 if it does not exist. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function stampOf(
  { state, client, sessionId }: SessionPlace,
  kind: 'tried' | 'unheard' | 'proposed',
): string {
  return join(state, kind, fileName(client, sessionId))
}

/** Starts another `beckon hook` for the session of this call, and does not wait for it. */
export function spawnHook(
  args: string[],
  { client, sessionId, cwd, roots }: HookContext['call'],
): void {
  const where = [`--cwd=${cwd}`, ...roots.map((root) => `--root=${root}`)]
  const session = sessionId === undefined ? [] : [`--session=${sessionId}`]
  Bun.spawn([...restartWords(), 'hook', client, ...args, ...session, ...where], {
    stdio: ['ignore', 'ignore', 'ignore'],
    // Not the project: Bun would read its settings.
    cwd: dirname(process.execPath),
    detached: true,
    windowsHide: true,
  }).unref()
}

function storedScopeOf(state: FoundScope): KeptScope | undefined {
  return state.is === 'kept' ? state.kept : undefined
}
