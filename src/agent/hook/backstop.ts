import { SILENT, type Verdict } from '../calls/tool-call.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import type { Limit } from '../session/git-status.ts'
import { filesChangedOutside } from '../session/reasons.ts'
import { spawnHook } from '../session/refresh.ts'
import { type Agreed, agreedIn } from './changed-outside.ts'
import {
  type Changes,
  inForce,
  type ScopesInForce,
  scanWorkingTree,
  takeSnapshot,
} from './scan-working-tree.ts'
import {
  beginLook,
  claim,
  countSlow,
  endLook,
  forgetSlow,
  isResting,
  keepFindings,
  takeFindings,
} from './snapshot.ts'
import { tellChangedInBackground, tellChangedOutside } from './tell-person.ts'

// The agent waits this long after each command.
const LOOK_MS = 200

/**
 * Remembers which files outside the scope already differ from their last commit, so that they do
 * not count against the session later. `onlyNew`: not again for the same scope. What takes longer
 * than `ms` is done in the background. Never throws.
 */
export async function startScan(
  context: HookContext,
  { ms, onlyNew = false }: { ms: number; onlyNew?: boolean },
): Promise<void> {
  const began = performance.now()
  try {
    const current = inForce(context)
    if (!current) return
    const limit = { until: began + ms, signal: context.signal }
    if (await takeSnapshot(context, current, limit, onlyNew)) return
    lookInBackground(context, current.place, [])
  } catch {
    // The next look starts over.
  }
}

/**
 * After a command, and when the turn ends: finds what changed outside the scope without a call that
 * named it. Each file is reported once, to the model and to a person; nothing is restored. What
 * takes longer than 200 ms is looked at in the background: the person is told then, and the model
 * after its next command or turn. Never throws.
 */
export async function reportChanges(context: HookContext): Promise<Verdict> {
  const limit = { until: performance.now() + LOOK_MS, signal: context.signal }
  try {
    const current = inForce(context)
    if (!current) return SILENT
    const agreed = await agreedIn(context, current.kept)
    for (const path of agreed.places) claim(current.place, path)
    const changed = mayHaveChanged(context) && (await scanNow(context, current, limit, agreed))
    const texts = canTell(context) ? takeFindings(current.place) : []
    if (changed) texts.push(textOf(changed))
    return texts.length === 0 ? SILENT : { is: 'context', text: texts.join(' ') }
  } catch {
    // This is only a backstop: what it cannot determine is ignored.
  }
  return SILENT
}

/** Scans as much as there is time for; another process does the rest. */
async function scanNow(
  context: HookContext,
  current: ScopesInForce,
  limit: Limit,
  agreed: Agreed,
): Promise<Changes | undefined> {
  const { place } = current
  const rests = isResting(place, Date.now())
  const changes = rests ? undefined : await scanWorkingTree(context, current, limit, agreed)
  if (changes) tellChangedInBackground(context, pathsOf(changes))
  if (!rests && performance.now() < limit.until) forgetSlow(place)
  else {
    if (!rests) countSlow(place)
    lookInBackground(context, place, [...agreed.places, ...agreed.trees])
  }
  return changes
}

/** Another process looks, and takes a snapshot if there is none. `agreed`: as `scanInBackground`. */
function lookInBackground(context: HookContext, place: SessionPlace, agreed: string[]): void {
  if (!beginLook(place, Date.now(), { again: agreed.length === 0 })) return
  spawnHook(['--look', ...agreed.map((path) => `--agreed=${path}`)], context.call)
}

/**
 * Looks as `reportChanges` does, for up to `ms`, and tells a person what it finds; the model is told
 * by the next `reportChanges`. `agreed`: paths that were agreed to with the last command. False if time ran
 * out.
 */
export async function scanInBackground(
  context: HookContext,
  { agreed, ms, noteMs }: { agreed: string[]; ms: number; noteMs: number },
): Promise<boolean> {
  const { signal } = context
  const current = inForce(context)
  if (!current) return false
  const began = performance.now()
  for (;;) {
    const until = performance.now() + ms
    const changes = await scanWorkingTree(
      context,
      current,
      { until, signal },
      { places: agreed, trees: [] },
    )
    const isLate = performance.now() > until || signal.aborted
    if (changes) {
      keepFindings(current.place, textOf(changes))
      await tellChangedOutside(context, pathsOf(changes), { ms: noteMs, signal })
    }
    if (isLate) return false
    // After that long the next command starts another process.
    const isLast = performance.now() - began > ms / 4
    if (endLook(current.place, { isLast })) return true
  }
}

const textOf = ({ files, count }: Changes) => filesChangedOutside(files, count)
const pathsOf = ({ files, count }: Changes) => ({
  paths: files.map(({ shown: path }) => path),
  count,
})

/** File tools name what they change; a failed tool counts only if the model can be told. */
function mayHaveChanged({ call, client }: HookContext): boolean {
  if (call.event === 'stop') return true
  const isShell = call.command !== undefined || (call.scripts?.length ?? 0) > 0
  return isShell && (call.event !== 'tool_failed' || canTell({ call, client }))
}

/** Returns true if the client passes the text of this hook to the model. */
function canTell({ call, client }: Pick<HookContext, 'call' | 'client'>): boolean {
  return client.render({ is: 'context', text: '.' }, call).stdout !== ''
}
