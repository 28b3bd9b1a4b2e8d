import { forgetBaseline } from './baseline.ts'
import { type HookContext, sessionOf } from './context.ts'
import { exampleFiles } from './example-files.ts'
import { findScope, forgetScope } from './kept-scope.ts'
import { forgetMade } from './made.ts'
import { refreshScope, spawnHook, whereArgs } from './refresh.ts'
import type { HookContract } from './server.ts'
import { dropCall, dropSession } from './spool.ts'
import { sweepState } from './sweep.ts'
import { forgetTold } from './tell-person.ts'
import { SILENT, type Verdict } from './tool-call.ts'

// A session must not start late because of us.
const START_MS = 300
// The next write after a yes has to be held against it already.
const RATIFIED_MS = 1_000
const LOOK_MS = 200
// A person was just waited for: here a large project has the time that it has not later.
const FIRST_LOOK_MS = 1_000
const SCOPE_TOOLS = /(^|[_:/-])(propose_scope|wait_for_answer)$/
const LISTED_MAX = 20

/** Learns the boundary of a session that begins or goes on, and tells the model where it stands. */
export async function sessionStart(context: HookContext): Promise<Verdict> {
  const place = sessionOf(context)
  if (!place || !context.service) return SILENT
  const root = context.call.roots[0] ?? context.call.cwd
  const examplePaths = exampleFiles(root)
  await refreshScope(context, { event: 'session_start', ms: START_MS, examplePaths })
  sweepState(context.state, Date.now())
  const found = findScope(place, Date.now())
  const contract = found.is === 'kept' ? found.kept.contract : null
  if (contract) await (await import('./backstop.ts')).beginLooking(context, { ms: LOOK_MS })
  const own = `Beckon: the sessionId of this session is ${JSON.stringify(place.sessionId)}; pass exactly this to propose_scope and ask_user.`
  return { is: 'context', text: contract ? `${own} ${told(contract)}` : own }
}

/** Somebody typed this at a terminal: the server hears of it while the client goes on. */
export function prompted({ call, service, client }: HookContext): Verdict {
  if (service && call.attended && call.sessionId !== undefined) {
    const session = `--session=${call.sessionId}`
    spawnHook(['--refresh', '--interactive', session, ...whereArgs(call)], client.name)
  }
  return SILENT
}

/** After a tool: a scope that was just agreed to holds for the next one. */
export async function afterTool(context: HookContext): Promise<Verdict> {
  const place = sessionOf(context)
  const { toolName = '', toolUseId } = context.call
  if (!place) return SILENT
  if (toolUseId !== undefined) dropCall(place, toolUseId)
  if (!SCOPE_TOOLS.test(toolName)) return SILENT
  const before = contractIn(place)
  await refreshScope(context, { event: 'heartbeat', ms: RATIFIED_MS })
  const now = contractIn(place)
  if (!now || now.correlationId === before?.correlationId) return SILENT
  await (await import('./backstop.ts')).beginLooking(context, { ms: FIRST_LOOK_MS })
  return { is: 'context', text: `Beckon: ${told(now)}` }
}

/** The boundary ends with its session; the server hears of it later, as the client waits for nobody. */
export function sessionEnd(context: HookContext): Verdict {
  const place = sessionOf(context)
  if (!place) return SILENT
  forgetScope(place)
  dropSession(place)
  forgetTold(place)
  forgetMade(place)
  forgetBaseline(place)
  sweepState(context.state, Date.now())
  if (context.service) {
    const args = ['--end', `--session=${place.sessionId}`, ...whereArgs(context.call)]
    spawnHook(args, place.client)
  }
  return SILENT
}

function contractIn(place: NonNullable<ReturnType<typeof sessionOf>>): HookContract | undefined {
  const found = findScope(place, Date.now())
  return (found.is === 'kept' && found.kept.contract) || undefined
}

function told({ allowedPaths, offLimitsPaths, widened, doneWhen }: HookContract): string {
  const allowed = [...allowedPaths, ...(allowedPaths.length > 0 ? widened : [])]
  return [
    'A scope that a person agreed to is in force, and this hook enforces it.',
    allowed.length > 0
      ? `Write only to: ${listed(allowed)}.`
      : 'Write anywhere in the project but where it is off limits.',
    ...(offLimitsPaths.length > 0 ? [`Off limits, also to read: ${listed(offLimitsPaths)}.`] : []),
    `Done when: ${doneWhen}`,
  ].join(' ')
}

function listed(paths: readonly string[]): string {
  const more = paths.length - LISTED_MAX
  return paths.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
