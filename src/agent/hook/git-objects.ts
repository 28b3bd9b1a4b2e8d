import { relative } from 'node:path'
import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { type WorkTree, workTreeOf } from '../paths/repository.ts'
import { gitSays, type Limit } from '../session/git-status.ts'
import type { ObjectRead } from '../touches/object-read.ts'

/** Rules that put paths off limits, and the folders that they are relative to. */
export type OffLimits = { rules: readonly string[]; roots: readonly string[] }

/**
 * A path off limits that a command reads from git's objects: `worktree`, if a jail keeps it from
 * being read, because only the file in the work tree differs from the index. `unknown`: git does
 * not say.
 */
export type InObjects = { is: 'found'; path: string; worktree?: true } | { is: 'unknown' }

const READS_MAX = 16
const LOOK_MS = 3_000

/** Looks with git for something off limits in it; undefined: there is nothing. Never throws. */
export async function offLimitsInObjects(
  reads: readonly ObjectRead[],
  { rules, roots }: OffLimits,
): Promise<InObjects | undefined> {
  const limit = { until: performance.now() + LOOK_MS, signal: AbortSignal.timeout(LOOK_MS) }
  let worst: InObjects | undefined = reads.length > READS_MAX ? { is: 'unknown' } : undefined
  for (const read of unlike(reads).slice(0, READS_MAX)) {
    const tree = workTreeOf(read.place)
    if (!tree || (read.what === 'fill' && !isOther(tree, roots))) continue
    const isOff = offLimitsIn(tree, { rules, roots })
    const result = await lookAt(read, tree, { isOff, rules }, limit)
    if (result?.is === 'found' && !result.worktree) return result
    worst = worst?.is === 'unknown' ? worst : (result ?? worst)
  }
  return worst
}

/** Returns true if this is another work tree of the repository that the session began in. */
function isOther(tree: WorkTree, [began = '']: readonly string[]): boolean {
  const own = workTreeOf(began)
  return own?.common === tree.common && own.top !== tree.top
}

function unlike(reads: readonly ObjectRead[]): ObjectRead[] {
  return [...new Map(reads.map((read) => [JSON.stringify(read), read])).values()]
}

type IsOff = (name: string) => boolean

async function lookAt(
  read: ObjectRead,
  tree: WorkTree,
  { isOff, rules }: { isOff: IsOff; rules: readonly string[] },
  limit: Limit,
): Promise<InObjects | undefined> {
  if (read.what === 'objects') return await amongObjects(read, tree, { isOff, rules }, limit)
  const places = ['-C', read.place]
  const words = read.what === 'list' ? read.words : undefined
  const listed = words && (await gitSays(tree.top, [...places, ...words], limit))
  if (listed === undefined && read.what === 'list' && read.isLoose) return undefined
  // Words that git does not understand now may be names that the command makes.
  const names = listed === undefined ? await namesInHistory(tree, rules, limit) : namesIn(listed)
  const path = names?.find(isOff)
  if (names === undefined) return { is: 'unknown' }
  if (path === undefined) return undefined
  if (words?.[0] !== 'diff' || listed === undefined) return { is: 'found', path }
  // A jail covers what is in the work tree, so that git takes it from the index.
  const [diff, ...more] = words
  const cached = await gitSays(tree.top, [...places, diff, '--cached', ...more], limit)
  const isObject = cached === undefined || namesIn(cached).some(isOff)
  return { is: 'found', path, ...(isObject ? {} : { worktree: true }) }
}

const HISTORY = ['log', '--all', '--reflog', '--full-history', '--format=', '--no-renames']
HISTORY.push('--no-show-signature', '--no-ext-diff', '--no-textconv', '-z')

/**
 * The paths of any commit or of the index, at least those that the rules put off limits; undefined
 * if git does not say.
 */
export async function namesInHistory(
  tree: WorkTree,
  rules: readonly string[],
  limit: Limit,
): Promise<string[] | undefined> {
  const only = ['--', ...pathspecs(rules)]
  const index = await gitSays(tree.top, ['ls-files', '-z', ...only], limit)
  const commits = await gitSays(tree.top, [...HISTORY, '--name-only', ...only], limit)
  return index === undefined || commits === undefined
    ? undefined
    : [...new Set([...namesIn(index), ...namesIn(commits)])]
}

/**
 * Narrows the list that git prints: a path that a rule covers contains the longest plain part of
 * the rule.
 */
function pathspecs(rules: readonly string[]): string[] {
  const parts = rules.map((rule) => {
    const isSimple = /^(?![/~])[\w./* -]+$/.test(rule) && !rule.includes('..')
    const plain = isSimple ? rule.replace(/^(\.\/+)+/, '').split(/\*+/) : []
    const ends = plain.map((part) => part.replace(/^\/+|\/+$/g, '').replace(/\/+\.?\/*/g, '/'))
    return ends.reduce((one, other) => (other.length > one.length ? other : one), '')
  })
  return parts.includes('') ? [] : parts.map((part) => `:(top,icase)*${part}*`)
}

/** A file of a commit is known by its hash, which is in the history with its name. */
async function amongObjects(
  { place, names }: ObjectRead & { what: 'objects' },
  tree: WorkTree,
  { isOff, rules }: { isOff: IsOff; rules: readonly string[] },
  limit: Limit,
): Promise<InObjects | undefined> {
  const hashes = new Set<string>()
  for (const name of names.slice(0, READS_MAX)) {
    // Git says nothing of a folder, of a commit, and of what is not there.
    const words = ['-C', place, 'rev-parse', '--verify', '--quiet', '--end-of-options']
    const hash = await gitSays(tree.top, [...words, `${name}^{blob}`], limit)
    if (hash !== undefined) hashes.add(hash.trim())
  }
  if (hashes.size === 0) return undefined
  const only = ['--', ...pathspecs(rules)]
  const index = await gitSays(tree.top, ['ls-files', '-z', '--stage', ...only], limit)
  const commits = await gitSays(tree.top, [...HISTORY, '--raw', '--no-abbrev', ...only], limit)
  if (index === undefined || commits === undefined) return { is: 'unknown' }
  for (const entry of namesIn(index)) {
    const [, hash = '', name = ''] = /^\d+ ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? []
    if (hashes.has(hash) && isOff(name)) return { is: 'found', path: name }
  }
  const words = namesIn(commits)
  for (let at = 0; at + 1 < words.length; at++) {
    const [, before = '', after = ''] =
      /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) \w/.exec(words[at] ?? '') ?? []
    const name = words[at + 1] ?? ''
    if ((hashes.has(before) || hashes.has(after)) && isOff(name)) return { is: 'found', path: name }
  }
  return undefined
}

function namesIn(text: string): string[] {
  return text.split('\0').flatMap((name) => (name.trim() === '' ? [] : [name.replace(/^\n+/, '')]))
}

/**
 * Returns a function that is true for paths of a repository that are off limits, in any work tree
 * of the project.
 */
function offLimitsIn(tree: WorkTree, { rules, roots }: OffLimits): IsOff {
  const judge = judgeOf({ allowedPaths: [], offLimitsPaths: [...rules], widened: [] }, { roots })
  const own = roots.map(workTreeOf).find((one) => one?.common === tree.common)
  const { top } = own ?? tree
  const prefixes = roots.map((root) => relative(top, root)).filter((one) => !one.startsWith('..'))
  return (name) => {
    const below = prefixes.flatMap((prefix) => {
      if (prefix === '') return [name]
      return name.startsWith(`${prefix}/`) ? [name.slice(prefix.length + 1)] : []
    })
    return judge([...below, `${top}/${name}`], 'read').is === 'off_limits'
  }
}
