import {
  advance,
  type Bits,
  begin,
  bits,
  emptyRow,
  hasBit,
  haveCommon,
  type Meter,
  type Row,
  setBit,
} from './places.ts'
import { compileSegment } from './segment.ts'
import { type Spelling, spell } from './spelling.ts'

/** A path or a glob in segments; `climbs` if it contains `..`, and it then matches nothing. */
export type Path = { absolute: boolean; segments: string[]; climbs: boolean }

/** A glob that is ready to be matched against paths of the same spelling. */
export type GlobPattern = {
  /** True if the glob covers everything below whatever it matches. */
  deep: boolean
  matches(path: Path): boolean
  /**
   * Returns true if the glob names something below `path`, so that acting on the whole folder
   * touches it: no `**` is needed to get there, or a plain name follows it. `.git/config` after a
   * `**` reaches below `x/.git`; `*.pem` after one does not prove that there is something in a
   * folder.
   */
  reachesBelow(path: Path): boolean
}

/**
 * Returns true if a path matches a glob: `*` and `?` inside a segment, `**` across them, `[a-z]`,
 * `[!a]`; names with a dot are ordinary names; literal spelling first; Unicode in NFC; no negation,
 * no groups, no braces (see `readGlobs`). `fold` ignores case. A relative glob never matches an
 * absolute path, nor the other way round, and a path with `..` matches nothing. Takes any text,
 * never throws; the work is bounded by glob times path.
 */
export function compileGlob(
  pattern: string,
  options: { fold?: boolean; meter?: Meter } = {},
): (path: string) => boolean {
  const compiled = (options.fold ? FOLDED : EXACT).map((how) => ({
    how,
    pattern: compileSpelling(pattern, how, options.meter),
  }))
  return (path) => compiled.some(({ how, pattern }) => pattern.matches(readPath(path, how)))
}

const EXACT: Spelling[] = ['exact']
const FOLDED: Spelling[] = ['simple', 'full']

/** The segments of a path, without empty ones and `.`, in that spelling. */
export function readPath(text: string, how: Spelling = 'exact'): Path {
  const posix = withoutDrive(text)
  const segments = spell(posix, how)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  return { absolute: posix.startsWith('/'), segments, climbs: segments.includes('..') }
}

/**
 * `C:/x` as `/c/x`, `C:` as `/c`: an absolute path begins with a slash on every system
 * (`toolPath`).
 */
export function withoutDrive(path: string): string {
  return path.replace(/^([A-Za-z]):(?=\/|$)/, (_, drive: string) => `/${drive.toLowerCase()}`)
}

/** Returns true if the last segment is a name, or may be one: `[id]` may, `*.ts` is not. */
export function endsInName(glob: string): boolean {
  const last = readPath(glob).segments.at(-1)
  return last !== undefined && !/[*?]/.test(last)
}

export function compileSpelling(
  glob: string,
  how: Spelling,
  meter: Meter = { steps: 0 },
): GlobPattern {
  const { absolute, segments, climbs } = readPath(glob)
  const row = readParts(segments, how, meter)
  const never = glob === '' || climbs
  const reach = (path: Path) =>
    !never && path.absolute === absolute && !path.climbs && walk(row, path.segments)
  return {
    deep: hasBit(row.loops, row.size),
    matches: (path) => reach(path) && hasBit(row.places, row.size),
    reachesBelow: (path) => reach(path) && haveCommon(row.arrived, row.named),
  }
}

/** `named`: the states from which the glob continues to something below by name. */
type Parts = Row<string> & { named: Bits }

function walk(row: Parts, names: string[]): boolean {
  begin(row)
  return names.every((name) => advance(row, name))
}

function readParts(segments: string[], how: Spelling, meter: Meter): Parts {
  const texts = segments.filter((segment) => segment !== '**')
  const row = {
    ...emptyRow(texts.length, fitting(texts, how, meter), meter),
    named: bits(texts.length),
  }
  let at = 0
  let isNameSoFar = true
  for (const segment of segments) {
    if (segment === '**') setBit(row.loops, at)
    else {
      if (isNameSoFar) setBit(row.named, at)
      isNameSoFar = isPlain(segment) || (isNameSoFar && !hasBit(row.loops, at))
      at++
    }
  }
  return row
}

/** Matches the parts of the glob against a name; the result is valid until the next call. */
function fitting(texts: string[], how: Spelling, meter: Meter): (name: string) => Bits {
  const literals = new Map<string, Bits>()
  const wild: [at: number, fits: (name: string) => boolean][] = []
  for (const [at, text] of texts.entries()) {
    if (!isPlain(text)) wild.push([at, compileSegment(text, how, meter)])
    else {
      const name = spell(text, how)
      const fits = literals.get(name) ?? bits(texts.length)
      literals.set(name, fits)
      setBit(fits, at)
    }
  }
  const none = bits(texts.length)
  if (wild.length === 0) return (name) => literals.get(name) ?? none
  const all = bits(texts.length)
  return (name) => {
    all.set(literals.get(name) ?? none)
    for (const [at, fits] of wild) if (fits(name)) setBit(all, at)
    meter.steps += wild.length
    return all
  }
}

function isPlain(segment: string): boolean {
  return !/[*?[]/.test(segment)
}
