import { lstatSync, readdirSync } from 'node:fs'
import { type Boundary, type JudgeOptions, judgeOf } from '../../ask/wire/matcher/judge.ts'
import { protect } from '../../ask/wire/matcher/protected-paths.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { HookCall, PathTouch } from '../calls/tool-call.ts'
import { candidatesOf } from '../paths/candidates.ts'
import { foldsCase } from '../paths/case-probe.ts'
import { rootsOf } from '../paths/repository.ts'
import type { HookContext } from '../session/context.ts'
import type { KeptScope } from '../session/kept-scope.ts'
import type { ObjectRead } from '../touches/object-read.ts'
import { matcherOf } from '../touches/patterns.ts'
import { touchedBy } from './touched.ts'

/** A place that the call would change and nobody has agreed to. */
export type Outside = {
  /** The path that a person is asked about: relative to the project, or absolute. */
  path: string
  /** Every name of it that is outside the scope; a yes counts for all of them. */
  names: string[]
  /** The absolute path that it leads to. */
  absolute: string
}

export type CallJudgement =
  /**
   * `open`: why a command may do more than could be read from it. `unnamed`: why it changes files
   * that it does not name, or why text that may be a command is open. `taken`: says what it reads
   * from git's objects, which no jail covers.
   */
  | { is: 'within'; open?: string; unnamed?: string; taken?: string }
  | { is: 'off_limits'; path: string; rule: string }
  /** The path cannot be resolved. */
  | { is: 'unclear'; path: string; why: string }
  | { is: 'outside'; places: Outside[]; open?: string; taken?: string }

/** The worst verdict of a scope about anything that a tool call touches. */
export async function judgeCall(
  { call, own }: Pick<HookContext, 'call' | 'own'>,
  scope: KeptScope,
): Promise<CallJudgement> {
  if (!scope.contract) return { is: 'within' }
  const { touches, mentions, leftOut, objects, reads, unnamed, ...touched } = await touchedBy(call)
  const judge = judgeUnder({ call, own }, scope)
  const places: Outside[] = []
  let { open } = touched
  for (const touch of touches) {
    const judgement = judge(touch)
    if (judgement.is === 'off_limits' || judgement.is === 'unclear') return judgement
    if (judgement.is === 'outside') places.push(...judgement.places)
    else open ??= judgement.open
  }
  // Off-limits paths must not even be named, whatever a command does with them.
  for (const path of mentions) {
    const judgement = judge({ path, touch: 'read' })
    if (judgement.is === 'off_limits') return judgement
  }
  for (const path of open === undefined ? leftOut : []) {
    const judgement = judge({ path, touch: 'read' })
    if (judgement.is === 'off_limits') open = mayTake(judgement.path)
  }
  if (scope.contract.offLimitsPaths.length > 0) open ??= reads
  const exposure = await fromObjects(objects, { call, own }, scope)
  open ??= exposure.open
  const taken = exposure.taken === undefined ? {} : { taken: exposure.taken }
  if (places.length > 0) {
    const why = open === undefined ? {} : { open }
    return { is: 'outside', places: unlike(places), ...why, ...taken }
  }
  if (open !== undefined) return { is: 'within', open, ...taken }
  return unnamed === undefined ? { is: 'within', ...taken } : { is: 'within', unnamed, ...taken }
}

// As much of a path as a person needs to know it.
const NAME_MAX = 200

/** Finds paths off limits in the git objects that a command reads. */
async function fromObjects(
  objects: readonly ObjectRead[],
  { call }: Pick<HookContext, 'call' | 'own'>,
  scope: KeptScope,
): Promise<{ open?: string; taken?: string }> {
  const rules = scope.contract?.offLimitsPaths ?? []
  if (objects.length === 0 || rules.length === 0) return {}
  const { offLimitsInObjects } = await import('./git-objects.ts')
  const result = await offLimitsInObjects(objects, { rules, roots: rootsIn(call, scope.roots) })
  if (result === undefined) return {}
  if (result.is === 'unknown') return { taken: `What it reads from git's objects is not known` }
  const path = cutText(cleanLine(result.path), NAME_MAX)
  if (result.worktree) return { open: mayTake(path) }
  return { taken: `It reads ${path}, which is off limits, from git's objects` }
}

/** Notes a path that the filter of a program may leave out, because filters are not interpreted. */
function mayTake(path: string): string {
  return `it may take ${path}, which is off limits`
}

/** As `judgeCall`, one touch after the other. `namesOf`: how the names of a path are found. */
export function judgeUnder(
  { call, own }: Pick<HookContext, 'call' | 'own'>,
  { contract, widened, roots: scopeRoots }: KeptScope,
  namesOf: typeof candidatesOf = candidatesOf,
): (touch: PathTouch) => CallJudgement {
  if (!contract) return () => ({ is: 'within' })
  const boundary = protect({ ...contract, widened: [...contract.widened, ...widened] }, own)
  return judgeIn({ cwd: call.cwd, roots: rootsIn(call, scopeRoots) }, boundary, namesOf)
}

/** The folders as they were when the session began, because the agent may change folders. */
export function rootsIn(call: HookCall, scopeRoots: readonly string[]): string[] {
  const began = scopeRoots.length > 0 ? scopeRoots : call.roots
  return [...new Set([...began, ...began.flatMap((root) => rootsOf(root, call.cwd))])]
}

function judgeIn(
  place: { cwd: string; roots: string[] },
  boundary: Boundary,
  namesOf: typeof candidatesOf,
) {
  const options: JudgeOptions = {
    roots: place.roots,
    fold: place.roots.some((root) => foldsCase(root)),
  }
  const judge = judgeOf(boundary, options)
  return judgeTouch

  function judgeTouch(pathTouch: PathTouch): CallJudgement {
    const { path, touch, goes, leavesOut, follows, nameFilter } = pathTouch
    const { paths, also, refused, absolute } = namesOf(path, place)
    if (refused !== undefined) return { is: 'unclear', path, why: refused }
    for (const names of [paths, also]) {
      const judgement = judge(names, touch)
      if (judgement.is === 'off_limits')
        return { is: 'off_limits', path: judgement.path, rule: judgement.rule }
    }
    let open: string | undefined
    let links = 0
    // An off-limits path inside a folder would be removed or copied with it.
    const isTaken = nameFilter === undefined ? () => true : hasName(nameFilter)
    for (const below of goes && boundary.offLimitsPaths.length > 0 ? inside(absolute) : []) {
      if (!isTaken(below)) continue
      const at = `${absolute}/${below}`
      if (follows && isLink(at)) {
        const led =
          ++links > LINKS_MAX
            ? { is: 'within' as const, open: 'it takes what many links lead to' }
            : judgeTouch({ path: at, touch: 'read', goes: true, leavesOut: true })
        if (led.is === 'off_limits') return led
        if (led.is === 'within') open ??= led.open
      }
      const all = [...paths, ...also].map((name) => (name === '.' ? below : `${name}/${below}`))
      const judgement = judge(all, 'read')
      if (judgement.is !== 'off_limits') continue
      if (!leavesOut) return { is: 'off_limits', path: judgement.path, rule: judgement.rule }
      open = mayTake(judgement.path)
      break
    }
    const names = paths.filter((name) => judge([name], touch).is === 'outside')
    const [first] = names
    return first === undefined
      ? { is: 'within', ...(open === undefined ? {} : { open }) }
      : { is: 'outside', places: [{ path: first, names, absolute }] }
  }
}

/**
 * Returns a function that is true for paths whose name one of these patterns of `find` matches, in
 * any case of letters.
 */
function hasName(patterns: readonly string[]): (path: string) => boolean {
  const fits = patterns.map((one) => matcherOf(one.toLowerCase()))
  return (path) =>
    path
      .toLowerCase()
      .split('/')
      .some((name) => fits.some((fit) => fit(name)))
}

function unlike(places: Outside[]): Outside[] {
  return [...new Map(places.map((place) => [place.path, place])).values()]
}

// How many links of a folder that is copied are followed.
const LINKS_MAX = 20
const ENTRIES_MAX = 2_000
const LOOK_MS = 20
// The most names that are read, even on a busy machine.
const ENTRIES_MIN = 200

/**
 * The contents of a folder, the nearest first, as paths relative to it: at most 2,000 names, found
 * within 20 ms (at most 200). Links are named but not followed, because no command that removes or
 * moves a folder follows them. Never throws.
 */
export function* inside(folder: string): Generator<string> {
  const until = performance.now() + LOOK_MS
  const todo = ['']
  let count = 0
  for (const below of todo) {
    for (const entry of entriesOf(`${folder}/${below}`)) {
      if (count++ === ENTRIES_MAX || (count > ENTRIES_MIN && performance.now() > until)) return
      const name = `${below}${entry.name}`
      yield name
      if (entry.isDirectory()) todo.push(`${name}/`)
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
