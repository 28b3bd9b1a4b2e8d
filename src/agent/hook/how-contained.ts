import { wholeEnvironment } from '../../platform/config/env.ts'
import { type HookContext, type SessionPlace, sessionOf } from '../session/context.ts'
import { findScope } from '../session/kept-scope.ts'
import { isToRest, refreshScope, restFromServer } from '../session/refresh.ts'
import { noteReported, reportedBasis, weakerIn } from './containment.ts'
import type { Outside } from './judge-call.ts'
import { canReplace, replacesCommands } from './start-in-scope.ts'
import { type Contained, tryJail } from './try-jail.ts'

/** The variable in which `beckon setup` names the file that starts the commands of a client. */
const STARTER_IN: Readonly<Record<string, string>> = { claude: 'CLAUDE_CODE_SHELL_PREFIX' }

// A tool call waits for this when what contains its session has changed.
const REPORT_MS = 300

/**
 * Returns true if the commands of this client are started in the scope, by setup or by the hook.
 */
export function startsInScope(context: Pick<HookContext, 'client' | 'call'>): boolean {
  return replacesCommands(context) || isConfigured(context.call.client)
}

function isConfigured(client: string): boolean {
  const starter = wholeEnvironment()[STARTER_IN[client] ?? '']
  return /[/\\]beckon-shell$/.test(starter ?? '')
}

/**
 * Reports how the commands of this session are contained while a scope holds, with the rest of a
 * report. For a client that starts them in a jail, one is tried. Where the project is too large to
 * find all that its scope forbids they are not contained. True if the server has heard. Never
 * throws.
 */
export async function reportContained(
  context: HookContext,
  place: SessionPlace,
  report: Parameters<typeof refreshScope>[1],
  trying: { anew?: boolean } = {},
): Promise<boolean> {
  const basis = basisOf(context, place)
  const contained = await howContained(context, place, trying)
  const isReported = await refreshScope(context, { ...report, ...(contained ? { contained } : {}) })
  if (isReported) noteReported(place, withScope(place, basis))
  return isReported
}

/**
 * Tells the server when commands are no longer contained as it was told: a person may change the
 * mode of the client, its rules or its sandbox at any time. Never throws.
 */
export async function reportIfChanged(context: HookContext, place: SessionPlace): Promise<void> {
  if (!context.service || isToRest(place)) return
  if (reportedBasis(place) === withScope(place, basisOf(context, place))) return
  const isReported = await reportContained(context, place, { event: 'heartbeat', ms: REPORT_MS })
  if (!isReported) restFromServer(place)
}

async function howContained(
  context: HookContext,
  place: SessionPlace,
  trying: { anew?: boolean },
): Promise<Contained | undefined> {
  const basis = basisOf(context, place)
  if (basis === 'none') return 'none'
  try {
    const tried = await tryJail({ state: context.state, ...trying })
    if (!(await coversAll(place, context.call.cwd))) return 'none'
    return basis === 'landlock' && tried === 'namespaces' ? basis : tried
  } catch {
    return undefined
  }
}

/**
 * Summarises the facts beside the kernel that decide how the commands of a session are contained:
 * whether they are started in a jail at all, and what an earlier one showed or a sandbox of the
 * client leaves of it.
 */
function basisOf(context: HookContext, place: SessionPlace): Contained {
  if (!startsInScope(context)) return 'none'
  const weaker = weakerIn(place)
  if (weaker !== undefined) return weaker
  return context.client.hasSandbox?.(context.call, wholeEnvironment()) ? 'landlock' : 'namespaces'
}

/** With the scope that holds, because it decides whether a project is too large. */
function withScope(place: SessionPlace, basis: Contained): string {
  const state = findScope(place, Date.now())
  const scope = state.is === 'kept' ? state.kept.contract?.correlationId : undefined
  return scope === undefined ? basis : `${basis} ${scope}`
}

/** Returns true if a jail denies everything that the scope of the session forbids. */
export async function coversAll(place: SessionPlace, cwd: string): Promise<boolean> {
  const jail = await import('../jail/session-scope.ts')
  return jail.coversAll(place, cwd, wholeEnvironment())
}

/**
 * Returns true if the command of this call will run in a jail. The result of a trial is stored for
 * an hour, because every command that is not understood needs it. Never throws.
 */
export async function runsContained(context: HookContext): Promise<boolean> {
  const { call, state } = context
  try {
    // Other tools do not start their commands as setup configured it.
    const isStarted = call.toolName === 'Bash' && isConfigured(call.client)
    if (!isStarted && !(await canReplace(context))) return false
    const place = sessionOf(context)
    if (!place || weakerIn(place) === 'none' || !(await coversAll(place, call.cwd))) return false
    const containment = await tryJail({ state })
    return containment !== undefined && containment !== 'none'
  } catch {
    return false
  }
}

/**
 * Without the places in temporary folders, where a jail lets every command write. Other clients
 * have nothing that says where a command may write.
 */
export async function withoutTemporary(
  context: HookContext,
  places: readonly Outside[],
  roots: readonly string[],
): Promise<Outside[]> {
  const { call } = context
  const { temporaryFolders } = await import('../jail/state-folders.ts')
  const folders = temporaryFolders(wholeEnvironment())
  const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)
  const others = places.filter(
    ({ absolute }) =>
      !folders.some((folder) => isIn(absolute, folder)) ||
      roots.some((root) => absolute === root || isIn(absolute, root)),
  )
  if (others.length === places.length) return others
  const isFree = call.command === undefined ? startsInScope(context) : await runsContained(context)
  return isFree ? others : [...places]
}
