import { compileSegment, type Meter } from './segment.ts'
import { isAscii, type Spelling, spell } from './spelling.ts'

/** A path or a glob in segments; `climbs` when a `..` stands in it, and it then matches nothing. */
export type Path = { absolute: boolean; segments: string[]; climbs: boolean }

/** A glob that is ready to be held against paths of the same spelling. */
export type Pattern = {
  absolute: boolean
  /** Whether it covers all that is below whatever it matches. */
  deep: boolean
  matches(path: Path): boolean
  /** Whether it names something below `path`: what acting on the whole folder would touch. */
  reachesBelow(path: Path): boolean
}

/**
 * Whether a path matches a glob (design: path matching): `*` and `?` inside a segment, `**` across
 * them, `[a-z]`, `[!a]`; names with a dot are names; literal spelling first; Unicode in NFC; no
 * negation, no groups, no braces (see `readGlobs`). `fold` leaves upper and lower case out of
 * account. A relative glob never matches an absolute path, nor the other way round, and a path
 * with `..` matches nothing. Takes any text, never throws; the work is bounded by
 * glob times path.
 */
export function compileGlob(
  pattern: string,
  options: { fold?: boolean; meter?: Meter } = {},
): (path: string) => boolean {
  const spellings: Spelling[] = options.fold ? ['simple', 'full'] : ['exact']
  const compiled = spellings.map((how) => ({
    how,
    pattern: compilePattern(pattern, how, options.meter),
  }))
  return (path) => compiled.some(({ how, pattern }) => pattern.matches(readPath(path, how)))
}

/** The segments of a path, without empty ones and `.`, in that spelling. */
export function readPath(text: string, how: Spelling = 'exact'): Path {
  const segments = spell(text, how)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  return { absolute: text.startsWith('/'), segments, climbs: segments.includes('..') }
}

/** The spellings that a glob and a path need when case counts for nothing. */
export function foldedSpellings(...texts: string[]): Spelling[] {
  return texts.every(isAscii) ? ['simple'] : ['simple', 'full']
}

/** Whether the last segment is a name, or may be one: `[id]` may, `*.ts` is none. */
export function endsInName(glob: string): boolean {
  const last = readPath(glob).segments.at(-1)
  return last !== undefined && !/[*?]/.test(last)
}

export function compilePattern(glob: string, how: Spelling, meter: Meter = { steps: 0 }): Pattern {
  const { absolute, segments, climbs } = readPath(glob)
  const parts = segments.map((text) => ({
    across: text === '**',
    literal: !/[*?[]/.test(text),
    fits: compileSegment(text, how, meter),
  }))
  const never = glob === '' || climbs
  const comparable = (path: Path) => !never && path.absolute === absolute && !path.climbs
  return {
    absolute,
    deep: parts.at(-1)?.across === true,
    matches: (path) => comparable(path) && walk(parts, path.segments, meter)[parts.length] !== 0,
    reachesBelow: (path) => comparable(path) && leads(parts, walk(parts, path.segments, meter)),
  }
}

type Part = { across: boolean; literal: boolean; fits(name: string): boolean }

// How a place in the glob was come to: by a name that fits (the root counts), or by way of a `**`.
const BY_NAME = 1
const BY_ACROSS = 2

/** The places in the glob that are come to when all the names are used up; 0 for the others. */
function walk(parts: Part[], names: string[], meter: Meter): Uint8Array {
  let places = open(parts, Uint8Array.of(BY_NAME, ...parts.map(() => 0)))
  for (const name of names) {
    const next = new Uint8Array(parts.length + 1)
    let any = false
    for (const [at, part] of parts.entries()) {
      if (places[at] === 0) continue
      meter.steps++
      if (!part.across && !part.fits(name)) continue
      const to = part.across ? at : at + 1
      next[to] = (next[to] ?? 0) | (part.across ? BY_ACROSS : BY_NAME)
      any = true
    }
    if (!any) return next
    places = open(parts, next)
  }
  return places
}

/** A `**` may also stand for nothing. */
function open(parts: Part[], places: Uint8Array): Uint8Array {
  for (const [at, part] of parts.entries()) {
    if (places[at] !== 0 && part.across) places[at + 1] = (places[at + 1] ?? 0) | BY_ACROSS
  }
  return places
}

/**
 * Whether a place leads on to something below that the glob names: no `**` was needed to come
 * there, or a plain name stands after it (`.git/config` after a `**` reaches below `x/.git`, but
 * `*.pem` after one says of no folder that it has something to protect).
 */
function leads(parts: Part[], places: Uint8Array): boolean {
  let named = true
  for (const [at, part] of parts.entries()) {
    if (named && (places[at] ?? 0) & BY_NAME) return true
    if (part.across) named = false
    else if (part.literal) named = true
  }
  return false
}
