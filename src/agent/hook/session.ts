import { type Dirent, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import { reportedTool } from '../own-tools.ts'
import { type HookContext, type SessionPlace, sessionOf } from '../session/context.ts'
import { findScope, forgetScope } from '../session/kept-scope.ts'
import { faulty } from '../session/reasons.ts'
import { noteProposed, refreshScope, spawnHook } from '../session/refresh.ts'
import type { HookContract } from '../session/server.ts'
import { forgetContained } from './containment.ts'
import { deleteCreatedFiles } from './created-files.ts'
import { reportContained, reportIfChanged } from './how-contained.ts'
import { forgetSnapshot } from './snapshot.ts'
import { dropCall, dropSession } from './spool.ts'
import { deleteNoticeMarks } from './tell-person.ts'

// The hook must not delay the start of a session.
const START_MS = 300
// The next write after a yes must already be checked against it.
const RATIFIED_MS = 1_000
const LOOK_MS = 200
// The call has just waited for a person, so a large project may take longer here than later.
const FIRST_LOOK_MS = 1_000
const LISTED_MAX = 20

/** Fetches the scope of a session that starts or resumes, and informs the model. */
export async function sessionStart(context: HookContext): Promise<Verdict> {
  const place = sessionOf(context)
  const { fault } = context
  if (fault !== undefined) return { is: 'context', text: faulty(fault) }
  if (!place || !context.service) return SILENT
  const root = context.call.roots[0] ?? context.call.cwd
  forgetContained(place)
  const report = { event: 'session_start', examplePaths: exampleFiles(root), ms: START_MS } as const
  const [next] = await Promise.all([
    collectAtStart(context, place),
    reportContained(context, place, report, { anew: true }),
  ])
  sweepState(context.state, Date.now())
  const state = findScope(place, Date.now())
  const contract = state.is === 'kept' ? state.kept.contract : null
  if (contract) await (await import('./backstop.ts')).startScan(context, { ms: LOOK_MS })
  const own = `Beckon: the sessionId of this session is ${JSON.stringify(place.sessionId)}; pass exactly this to propose_scope and ask_user.`
  const parts = [own, contract && scopeText(contract), next].filter(Boolean)
  return { is: 'context', text: parts.join(' ') }
}

/** What a person told the session to do while it could not be reached. */
async function collectAtStart(
  { service, client }: HookContext,
  place: SessionPlace,
): Promise<string | undefined> {
  if (!service || !client.turns) return undefined
  const { collectForStart } = await import('../turns/collect-at-start.ts')
  return await collectForStart(service, place, { ms: START_MS })
}

/** If a person typed this at a terminal, the server is informed in the background. */
export async function prompted({ call, service }: HookContext): Promise<Verdict> {
  if (service && call.attended && call.sessionId !== undefined && (await mayBeTyped())) {
    spawnHook(['--refresh', '--interactive'], call)
  }
  return SILENT
}

/**
 * Queues, other sessions and our own texts cause prompts that look typed. False if nobody has
 * typed at the terminal just now; true where that is not known.
 */
async function mayBeTyped(): Promise<boolean> {
  const { findClientProcess, idleOf, TYPED_MS } = await import('../terminal.ts')
  const idle = idleOf(findClientProcess(process.ppid)?.terminal, Date.now())
  return idle.is === 'unknown' || idle.ms < TYPED_MS
}

/** After a tool: a scope that was just agreed to applies to the next one. */
export async function afterTool(context: HookContext): Promise<Verdict> {
  const place = sessionOf(context)
  const { toolName = '', toolUseId } = context.call
  if (!place) return SILENT
  if (toolUseId !== undefined) dropCall(place, toolUseId)
  const tool = reportedTool(toolName)
  if (!tool?.changesScope) return SILENT
  if (tool.name === 'propose_scope') noteProposed(place)
  const before = contractIn(place)
  await refreshScope(context, { event: 'heartbeat', ms: RATIFIED_MS })
  const now = contractIn(place)
  if (!now || now.correlationId === before?.correlationId) return SILENT
  await reportIfChanged(context, place)
  await (await import('./backstop.ts')).startScan(context, { ms: FIRST_LOOK_MS })
  return { is: 'context', text: `Beckon: ${scopeText(now)}` }
}

/** The scope ends with its session. The server is informed in the background, as the client does not wait. */
export function sessionEnd(context: HookContext): Verdict {
  const place = sessionOf(context)
  if (!place) return SILENT
  forgetScope(place)
  dropSession(place)
  deleteNoticeMarks(place)
  deleteCreatedFiles(place)
  forgetSnapshot(place)
  forgetContained(place)
  sweepState(context.state, Date.now())
  if (context.service) spawnHook(['--end'], context.call)
  return SILENT
}

function contractIn(place: NonNullable<ReturnType<typeof sessionOf>>): HookContract | undefined {
  const state = findScope(place, Date.now())
  return (state.is === 'kept' && state.kept.contract) || undefined
}

function scopeText({ allowedPaths, offLimitsPaths, widened, doneWhen }: HookContract): string {
  const allowed = [...allowedPaths, ...(allowedPaths.length > 0 ? widened : [])]
  return [
    'A scope that a person agreed to is in force, and this hook enforces it.',
    allowed.length > 0
      ? `Write only to: ${listed(allowed)}.`
      : 'Write anywhere in the project except where it is off limits.',
    ...(offLimitsPaths.length > 0 ? [`Off limits, also to read: ${listed(offLimitsPaths)}.`] : []),
    `Done when: ${doneWhen}`,
  ].join(' ')
}

function listed(paths: readonly string[]): string {
  const more = paths.length - LISTED_MAX
  return paths.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

// Twice as long as a scope holds.
const OLD_MS = 24 * 60 * 60_000
// The time for each folder, so that no session starts late; the next session continues.
const LOOKED_AT_MAX = 300
const FOLDERS = [
  'scope',
  'tried',
  'unheard',
  'proposed',
  'told',
  'spool',
  'baseline',
  'made',
  'agreed',
  'contained',
  'weaker',
  'turns',
]

/** Removes the files of sessions that ended without an event. Never throws. */
export function sweepState(state: string, now: number): void {
  for (const name of FOLDERS) sweepFolder(join(state, name), now)
}

function sweepFolder(folder: string, now: number): void {
  const names = namesIn(folder)
  const begin = names.length > LOOKED_AT_MAX ? Math.floor(Math.random() * names.length) : 0
  const turned = [...names.slice(begin), ...names.slice(0, begin)]
  for (const name of turned.slice(0, LOOKED_AT_MAX)) {
    const path = join(folder, name)
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats && now - stats.mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another hook may be deleting as well.
    }
  }
}

/** Empty when the folder does not exist yet. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const FILES_MAX = 200
// The walk takes a few milliseconds, whatever the size of the project.
const FOLDERS_MAX = 150
const ENTRIES_MAX = 4_000
const PATH_MAX = 200
// Generated by tools, so of no interest to a person who agrees to a scope.
const MADE =
  /^(node_modules|bower_components|vendor|dist|build|out|target|coverage|venv|__pycache__|\.(git|hg|svn|venv|cache|next|nuxt|turbo|gradle|idea|tox|mypy_cache|pytest_cache))$/

/**
 * Some files of a project, relative to its root, that show a person what a scope would allow. The
 * nearest come first, and no folder fills the list alone. Never throws.
 */
export function exampleFiles(root: string): string[] {
  const files: string[][] = []
  const folders = ['']
  let count = 0
  for (let at = 0; at < folders.length && at < FOLDERS_MAX && count < ENTRIES_MAX; at++) {
    const folder = folders[at] ?? ''
    const entries = entriesOf(join(root, folder))
    count += entries.length
    const path = ({ name }: Dirent) => (folder === '' ? name : `${folder}/${name}`)
    files.push(entries.filter((entry) => entry.isFile()).map(path))
    folders.push(
      ...entries.filter((entry) => entry.isDirectory() && !MADE.test(entry.name)).map(path),
    )
  }
  return inTurns(files).slice(0, FILES_MAX)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** The first of each folder, then the second of each. */
function inTurns(lists: string[][]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const turns = Array.from({ length: Math.min(longest, FILES_MAX) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  )
  return turns.flat().filter((path) => path.length <= PATH_MAX)
}
