import {
  compileSpelling,
  endsInName,
  type GlobPattern,
  type Path,
  readPath,
  withoutDrive,
} from './glob.ts'
import { isAscii, type Spelling } from './spelling.ts'

/** The effect on a path; `tree` affects a whole folder: removing it, moving it. */
export type Touch = 'read' | 'write' | 'delete' | 'tree'

/** The boundary of a session. `widened` are exact paths; `protectedPaths` may be read. */
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
 * `fold`: this file system ignores case (off-limits rules always do). `roots`: the absolute folders
 * that relative candidates are in; absolute rules need them.
 */
export type JudgeOptions = { fold?: boolean; roots?: readonly string[] }

/**
 * Judges touching a path under a boundary. `candidates` are all the names of that path (as written,
 * and as the kernel resolves it), relative to a root, `.` for the root itself, absolute outside
 * every root. One name that is off limits decides; a path is within only if all its names are.
 * Reading is within unless off limits. Pass `tree` only for folders, or for what may be one: a rule
 * such as `src/*.ts` allows no whole tree. Never throws.
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
  const ruleOf = (rule: string) => ({ rule, covers: forbids(rule) })
  const offLimits = boundary.offLimitsPaths.map(ruleOf)
  const shielded = (boundary.protectedPaths ?? []).map(ruleOf)
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

// Protected paths are in every root: they would stop whatever is done to a whole project.
function isRoot({ own }: Candidate): boolean {
  return !own.exact.absolute && own.exact.segments.length === 0
}

/** An empty list allows everything in a root. */
function covered(allowed: Covers[], candidate: Candidate, tree: boolean): boolean {
  if (allowed.length === 0) return !candidate.own.exact.absolute
  return allowed.some((covers) => covers(candidate, { tree }))
}

/** The candidates, and the root itself if one of them is a folder that contains a root. */
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
  const ownKeys = keys(one)
  return keys(other).some((key) => ownKeys.includes(key))
}

/** True if a rule covers a path; with `tree`, the path and everything below it. */
type Covers = (candidate: Candidate, touch: { tree: boolean }) => boolean

/**
 * An off-limits rule, read as broadly as it may be meant: in any case; one that begins with `**`
 * anywhere on the machine; one that begins with `/` also from the root of the project. It covers
 * what is below whatever it matches, and a whole tree is touched if the rule names anything in it.
 */
function forbids(rule: string): Covers {
  const glob = `${rule}/**`
  const patterns = spellings(glob)
  const floating = glob.startsWith('**') ? spellings(`/${glob}`) : undefined
  const rooted = glob.startsWith('/') ? spellings(glob.slice(1)) : undefined
  return ({ own, joined }, { tree }) => {
    const touches = (pattern: GlobPattern, path: Spelled, how: Spelling) =>
      pattern.matches(path[how]) || (tree && pattern.reachesBelow(path[how]))
    const { absolute, segments } = own.exact
    if (some(patterns, own, touches)) return true
    if (floating) return absolute && some(floating, own, touches)
    if (!rooted || absolute) return false
    // Every absolute rule is below `/`, which says nothing about actions on a whole project.
    const below = segments.length > 0 && some(rooted, own, touches)
    return below || joined.some((path) => some(patterns, path, touches))
  }
}

/**
 * An allow rule, read narrowly: if absolute, below every root that the path may be in, and a whole
 * tree only if all of it is allowed.
 */
function allows(rule: string, fold: boolean): Covers {
  const glob = wholeRule(rule)
  const patterns = spellings(glob, fold ? ['simple', 'full'] : ['exact'])
  return ({ own, joined }, { tree }) => {
    const has = (pattern: GlobPattern, path: Spelled, how: Spelling) =>
      pattern.matches(path[how]) && (!tree || pattern.deep)
    if (some(patterns, own, has)) return true
    return joined.length > 0 && joined.every((path) => some(patterns, path, has))
  }
}

// A name at the end stands for the file, or for the folder and everything in it.
function wholeRule(rule: string): string {
  return endsInName(rule) ? `${rule}/**` : rule
}

type Patterns = { ascii: boolean; of(how: Spelling): GlobPattern; hows: Spelling[] }

// Negated sets match less if case is ignored, so `exact` counts as well.
function spellings(
  glob: string,
  hows: Spelling[] = glob.includes('[') ? ['exact', 'simple', 'full'] : ['simple', 'full'],
): Patterns {
  const patterns = new Map<Spelling, GlobPattern>()
  const of = (how: Spelling) => {
    const pattern = patterns.get(how) ?? compileSpelling(glob, how)
    patterns.set(how, pattern)
    return pattern
  }
  return { ascii: isAscii(glob), of, hows }
}

function some(
  { ascii, of, hows }: Patterns,
  path: Spelled,
  test: (pattern: GlobPattern, path: Spelled, how: Spelling) => boolean,
): boolean {
  return hows.some((how) => {
    const same = how === 'full' && ascii && path.ascii
    return !same && test(of(how), path, how)
  })
}

/** A path in each spelling; for ASCII the two case-folded spellings are the same. */
type Spelled = Record<Spelling, Path> & { ascii: boolean }

/**
 * A path as rules see it: `own` as given (with `..` resolved), `joined` below each root, for
 * absolute rules.
 */
type Candidate = { text: string; own: Spelled; joined: Spelled[] }

function readCandidate(text: string, roots: readonly string[]): Candidate {
  const own = follow(withoutDrive(text))
  const joined = own.startsWith('/') ? [] : roots.map((root) => spellAll(`${root}/${own}`))
  return { text, own: spellAll(own), joined }
}

/** Returns true if the path contains `..`: only the kernel knows what it means. */
function climbs(text: string): boolean {
  return text.split('/').includes('..')
}

function spellAll(text: string): Spelled {
  const ascii = isAscii(text)
  const simple = readPath(text, 'simple')
  const full = ascii ? simple : readPath(text, 'full')
  return { exact: readPath(text), simple, full, ascii }
}

// A path that leaves the root by `..` is elsewhere on the machine: absolute, as far as it is known.
function follow(text: string): string {
  if (!climbs(text)) return text
  const segments: string[] = []
  let absolute = text.startsWith('/')
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) absolute = true
  }
  return `${absolute ? '/' : ''}${segments.join('/')}`
}
