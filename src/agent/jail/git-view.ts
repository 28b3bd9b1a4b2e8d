import { lstatSync, readFileSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'
import type { WorkTree } from '../paths/repository.ts'
import { type Area, isAt } from './areas.ts'
import { type Entry, type FindTracked, openIndex } from './git-index.ts'
import type { Placeholder } from './placeholders.ts'

/** How git sees what is covered in a work tree. */
export type GitView = {
  tracked: FindTracked
  /**
   * True if git would read something that is covered, although its index records it as unchanged.
   */
  isLate: boolean
  /** The file of names that git does not look at, with the text it shall have. */
  excluded: { path: string; text: string } | undefined
}

type Hidden = { areas: readonly Area[]; placeholders: readonly Placeholder[] }

/** Undefined if the work tree has nothing of this. */
function gitView(tree: WorkTree, { areas, placeholders }: Hidden): GitView | undefined {
  const covered = areas.filter(({ path, mode }) => mode === 'none' && isAt(path, tree.top))
  // Git sees no empty folders.
  const files = placeholders.filter(
    ({ path, text }) =>
      text !== undefined && isAt(path, tree.top) && !isAt(path, `${tree.top}/.git`),
  )
  if (covered.length === 0 && files.length === 0) return undefined
  const names = [...covered, ...files].map(({ path }) => path.slice(tree.top.length))
  const find = openIndex(tree)
  const entriesByPath = new Map(covered.map(({ path }) => [path, find(path)]))
  const isLate = [...entriesByPath].some(([path, entries]) =>
    entries?.some((entry) => !entry.isTrusted && isAsBefore(path, entry)),
  )
  return { tracked: (path) => entriesByPath.get(path), isLate, excluded: excludedIn(tree, names) }
}

function isAsBefore(path: string, { below, changed }: Entry): boolean {
  const stat = lstatSync(below === '' ? path : `${path}/${below}`, { throwIfNoEntry: false })
  return stat !== undefined && Math.floor(stat.mtimeMs / 1000) === changed
}

// It happens once after a change of such a file, and in the second of the change it happens twice.
const LATE_MS = 2_000

/** As `gitView`, after git has looked again at what it would otherwise look at in the jail. */
export async function freshGitView(tree: WorkTree, hidden: Hidden): Promise<GitView | undefined> {
  const view = gitView(tree, hidden)
  if (!view?.isLate) return view
  const { refreshIndex } = await import('../session/git-status.ts')
  const limit = { until: performance.now() + LATE_MS, signal: AbortSignal.timeout(LATE_MS) }
  await refreshIndex(tree.top, limit)
  const next = gitView(tree, hidden)
  if (!next?.isLate) return next
  // Git distrusts what changed in the second in which it wrote its index.
  await Bun.sleep(1_000 - (Date.now() % 1_000))
  await refreshIndex(tree.top, limit)
  return gitView(tree, hidden)
}

/** Git would stop at a file that it does not track and cannot read. */
function excludedIn({ common }: WorkTree, names: readonly string[]): GitView['excluded'] {
  const path = `${common}/info/exclude`
  const lines = names
    .filter((name) => !name.includes('\n'))
    .map((name) => name.replace(/[*?[\\]|\s(?=\s*$)/g, '\\$&'))
  try {
    return { path, text: `${[readFileSync(path, 'utf8'), ...lines].join('\n')}\n` }
  } catch {
    return undefined
  }
}

/**
 * Variables for a git that compares a file with its index only by time, size and mode, beside those
 * that are there; as `NAME=VALUE` by their names.
 */
export function gitSettings(env: Environment): Map<string, string> {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0)
  if (!Number.isInteger(count) || count < 0) return new Map()
  const values = {
    GIT_CONFIG_COUNT: count + 1,
    [`GIT_CONFIG_KEY_${count}`]: 'core.checkStat',
    [`GIT_CONFIG_VALUE_${count}`]: 'minimal',
  }
  return new Map(Object.entries(values).map(([name, value]) => [name, `${name}=${value}`]))
}
