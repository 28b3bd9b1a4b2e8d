import { expandBraces, hasPairedBraces } from '../../wire/matcher/braces.ts'
import { withoutDrive } from '../../wire/matcher/glob.ts'

/** A glob that cannot be a rule: as sent, its index in the list, and why, as "must …". */
export type RefusedGlob = { glob: string; at: number; why: string }

// Braces may expand to at most this much, for one glob and for a list.
const CHOICES_MAX = 64
const LIST_MAX = 512

/**
 * A list of globs as it is enforced and shown (docs/scopes.md): cleaned, braces expanded, a bare
 * folder with its contents, a leading `**` at the root too. Keeps the order, removes duplicates,
 * and does not change its own result. Never throws.
 */
export function readGlobs(globs: readonly string[]): { paths: string[]; refused: RefusedGlob[] } {
  const refused: RefusedGlob[] = []
  const paths = new Set<string>()
  for (const [at, glob] of globs.entries()) {
    const read = readGlob(glob)
    const why = 'why' in read ? read.why : addAll(paths, read.globs)
    if (why !== undefined) refused.push({ glob, at, why })
  }
  return { paths: [...paths], refused }
}

function addAll(paths: Set<string>, globs: string[]): string | undefined {
  const expanded = globs.flatMap((glob) => expand(glob, paths))
  const added = new Set(expanded.filter((path) => !paths.has(path)))
  if (paths.size + added.size > LIST_MAX)
    return `must not make the list longer than ${LIST_MAX} globs: name a folder instead`
  for (const path of added) paths.add(path)
  return undefined
}

type Read = { globs: string[] } | { why: string }

function readGlob(glob: string): Read {
  const trimmed = glob.trim()
  const wrong = wrongIn(trimmed)
  if (wrong !== undefined) return { why: wrong }
  if (!trimmed.isWellFormed()) return { why: UNREADABLE }
  const text = trimmed.normalize('NFC').replaceAll('\\', '/')
  if (!hasPairedBraces(text)) return { why: 'must close each brace that it opens, as in {a,b}' }
  const choices = expandBraces(text, CHOICES_MAX)
  if (!choices)
    return { why: `must not stand for more than ${CHOICES_MAX} globs: use * or name a folder` }
  if (choices.some((choice) => choice.trim() === ''))
    return { why: 'must not stand for an empty path: leave that choice out' }
  const tidied = choices.map((choice) => withoutDrive(tidy(choice.trim())))
  // Expanded globs are checked as if they had been sent.
  const why = tidied.map(wrongIn).find((one) => one !== undefined)
  if (why !== undefined) return { why }
  const names = tidied.flatMap((choice) => choice.split('/'))
  if (names.includes('..'))
    return { why: 'must not contain ..: write the path as it is from the root of the project' }
  if (names.some((name) => /^\p{Cf}+$/u.test(name)))
    return { why: 'must not contain a name of invisible characters only: nobody could agree to it' }
  if (names.some((name) => name !== name.trim()))
    return {
      why: 'must not have spaces at the start or end of a name: if one is meant, write ? for it',
    }
  return { globs: tidied }
}

function wrongIn(glob: string): string | undefined {
  return WRONG.find(([pattern]) => pattern.test(glob))?.[1]
}

const UNREADABLE = 'must not contain control or invisible characters, nor half a character'
// Invisible characters, which make a rule look like another path. Those that join letters of some
// scripts, and signs, are allowed after a letter or sign.
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{DI}|(?<![^\0-\x7f])\p{DI}|\u2800/u

const WRONG: [RegExp, string][] = [
  [/^[\s\p{Cf}]*$/u, 'must not be empty: leave it out'],
  [/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u, UNREADABLE],
  [INVISIBLE, UNREADABLE],
  [/^!/, 'must not begin with !: there are no exceptions; name the paths themselves'],
  [/^~/, 'must not begin with ~: write it from the root of the project, or from /'],
  [/^\$\{?(HOME|PWD)\b/, 'must not begin with a variable: write it from the root of the project'],
  [/^[a-z][a-z0-9+.-]+:\/\//i, 'must be a path, not an address'],
  [/[@+?*!]\(/, 'must not use groups such as @(a|b): list the choices in braces, as in {a,b}'],
  [/\[\[?:\w+:\]/, 'must not use named sets such as [:alpha:]: write [a-z]'],
  [
    /\{[^{},/]+\.\.[^{},/]+\}/,
    'must not use ranges such as {1..3}: list the choices, as in {1,2,3}',
  ],
  [/\\[\]})]/, 'must not escape brackets: a name with brackets in it matches as it is written'],
]

/** Without `.`, doubled slashes and doubled `**`; a folder ends in a slash. */
function tidy(glob: string): string {
  const segments = glob.split('/').filter((segment) => segment !== '' && segment !== '.')
  const tidySegments = segments.filter(
    (segment, at) => segment !== '**' || segments[at - 1] !== '**',
  )
  const start = glob.startsWith('/') ? '/' : ''
  if (tidySegments.length === 0) return start || '**'
  const end = glob.endsWith('/') && tidySegments.at(-1) !== '**' ? '/' : ''
  return start + tidySegments.join('/') + end
}

function expand(glob: string, before: ReadonlySet<string>): string[] {
  if (glob === '/') return ['/', '/**']
  const folder = glob.endsWith('/')
  const path = folder ? glob.slice(0, -1) : glob
  if (path.startsWith('**/')) {
    const rest = path.slice('**/'.length)
    // A drive is only at its own root, and `~x` alone would mean something else.
    const both = isItself(rest) ? [path, rest] : [path]
    return folder ? [...both, ...both.map(contents)] : both
  }
  if (folder) return [path, contents(path)]
  // When a list is read again, a name beside `**/name` was made from it.
  const bare = !/[*?]/.test(path) && !before.has(`**/${path}`)
  return bare ? [path, contents(path)] : [path]
}

function isItself(glob: string): boolean {
  const read = readGlob(glob)
  return 'globs' in read && read.globs.length === 1 && read.globs[0] === glob
}

function contents(path: string): string {
  return `${path}/**`
}

/**
 * The globs of a list without those that the others imply, for people: `src` instead of `src` and
 * `src/**`. Reading the result again gives the full list.
 */
export function shortPaths(paths: readonly string[]): string[] {
  const all = new Set(paths)
  const short = paths.filter((path) => !isImplied(path, all))
  return isSame(readGlobs(short).paths, all) ? short : [...paths]
}

function isImplied(path: string, all: ReadonlySet<string>): boolean {
  const folder = path.endsWith('/**') ? path.slice(0, -'/**'.length) : undefined
  return (folder !== undefined && all.has(folder)) || all.has(`**/${path}`)
}

function isSame(paths: string[], all: ReadonlySet<string>): boolean {
  return paths.length === all.size && paths.every((path) => all.has(path))
}
