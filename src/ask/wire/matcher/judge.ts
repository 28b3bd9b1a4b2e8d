import { type Candidate, climbs, readCandidate } from './candidate.ts'
import { allows, type Covers, forbids } from './rules.ts'

/** What is done to a path; `tree` is what takes a whole folder with it: removing it, moving it. */
export type Touch = 'read' | 'write' | 'delete' | 'tree'

/** What holds for a session. `widened` are exact paths; `protectedPaths` may be read. */
export type Boundary = {
  allowedPaths: readonly string[]
  offLimitsPaths: readonly string[]
  widened: readonly string[]
  protectedPaths?: readonly string[]
}

export type Judgement =
  | { is: 'within' }
  | { is: 'outside'; path: string }
  | { is: 'off_limits'; path: string; rule: string }

/**
 * `fold`: on this file system upper and lower case are the same (off-limits rules always think so).
 * `roots`: the absolute folders that relative candidates lie in; absolute rules need them.
 */
export type JudgeOptions = { fold?: boolean; roots?: readonly string[] }

/**
 * What a boundary says to touching a path. `candidates` are all the names of that path (as it is
 * written, and as the kernel walks it), relative to a root, `.` for the root itself, absolute
 * outside every root. One name that is off limits decides; within are only paths whose names all
 * are. Reading is within unless off limits. Say `tree` of folders alone, or of what may be one: a
 * rule such as `src/*.ts` allows no whole tree. Never throws.
 */
export function judge(
  boundary: Boundary,
  candidates: readonly string[],
  touch: Touch,
  options: JudgeOptions = {},
): Judgement {
  return judgeOf(boundary, options)(candidates, touch)
}

/** As `judge`, for many paths under one boundary: its rules are read once. */
export function judgeOf(
  boundary: Boundary,
  { fold = false, roots = [] }: JudgeOptions = {},
): (candidates: readonly string[], touch: Touch) => Judgement {
  const named = (rule: string) => ({ rule, covers: forbids(rule) })
  const offLimits = boundary.offLimitsPaths.map(named)
  const shielded = (boundary.protectedPaths ?? []).map(named)
  const allowed = boundary.allowedPaths.map((rule) => allows(rule, fold))
  const widened = boundary.widened.map((path) => readCandidate(path, roots))
  return (paths, touch) => {
    const tree = touch === 'tree'
    const candidates = paths.map((path) => readCandidate(path, roots))
    for (const candidate of tree ? withRoots(candidates, roots) : candidates) {
      const readable = touch === 'read' || isRoot(candidate)
      const rules = readable ? offLimits : [...offLimits, ...shielded]
      const hit = rules.find(({ covers }) => covers(candidate, { tree }))
      if (hit) return { is: 'off_limits', path: candidate.text, rule: hit.rule }
    }
    if (touch === 'read') return { is: 'within' }
    const isIn = (candidate: Candidate) =>
      !climbs(candidate.text) &&
      (widened.some((path) => isSame(path, candidate, fold)) || covered(allowed, candidate, tree))
    const outside = candidates.find((candidate) => !isIn(candidate))
    return outside ? { is: 'outside', path: outside.text } : { is: 'within' }
  }
}

// What is protected lies in every root: it would stop whatever is done to a whole project.
function isRoot({ own }: Candidate): boolean {
  return !own.exact.absolute && own.exact.segments.length === 0
}

/** An empty list allows whatever is in a root. */
function covered(allowed: Covers[], candidate: Candidate, tree: boolean): boolean {
  if (allowed.length === 0) return !candidate.own.exact.absolute
  return allowed.some((covers) => covers(candidate, { tree }))
}

/** The candidates, and the root itself when one of them is a folder that a root lies in. */
function withRoots(candidates: Candidate[], roots: readonly string[]): Candidate[] {
  const above = candidates.filter(({ own }) =>
    roots.some((root) => isBelow(readCandidate(root, []).own.simple.segments, own.simple)),
  )
  return [...candidates, ...above.map(({ text }) => ({ ...readCandidate('.', roots), text }))]
}

function isBelow(
  root: string[],
  { absolute, segments }: { absolute: boolean; segments: string[] },
): boolean {
  return absolute && segments.every((segment, at) => segment === root[at])
}

function isSame(one: Candidate, other: Candidate, fold: boolean): boolean {
  const how = fold ? 'simple' : 'exact'
  const keys = ({ own, joined }: Candidate) =>
    [own, ...joined].map((path) => `${path[how].absolute}/${path[how].segments.join('/')}`)
  const known = keys(one)
  return keys(other).some((key) => known.includes(key))
}
