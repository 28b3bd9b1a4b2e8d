import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { wholeEnvironment } from '../../platform/config/env.ts'
import type { HookEnvironment } from '../clients/client.ts'

// More than a person or a model would read; a program that prints more is ended.
const OUTPUT_MAX_BYTES = 4 * 1024 * 1024
const DRIVERS_MAX = 50

/** The deadline, on the clock of `performance.now()`. */
export type Limit = { until: number; signal: AbortSignal }

/**
 * Paths relative to the top of the work tree that differ from what is committed there, including
 * new files. `slow`: git took too long. `nothing`: there is no git here, or it refuses the folder.
 */
export type GitStatus =
  | { is: 'seen'; paths: string[]; entries: GitEntry[] }
  | { is: 'slow' }
  | { is: 'nothing' }

/** `changed`: git knows the file, and it is unlike its last commit. */
export type GitEntry = { state: 'changed' | 'untracked' | 'ignored'; path: string }

/**
 * `git status` of a work tree (its real path) whose owner is not trusted: no program that its files
 * name is run (hooks, file monitors, filters, ways to fetch), and nothing is written. Never throws.
 */
export async function gitStatus(
  top: string,
  env: HookEnvironment,
  limit: Limit,
  { ignored = false }: { ignored?: boolean } = {},
): Promise<GitStatus> {
  const result = await runGit(top, ignored ? [...STATUS, '--ignored'] : STATUS, env, limit)
  if (result.is === 'slow') return result
  if (result.is === 'failed') return { is: 'nothing' }
  const entries = entriesIn(result.text)
  return { is: 'seen', entries, paths: entries.map(({ path }) => path) }
}

/**
 * As `gitStatus`, for any command that only reads; its output is text. With `writesIndex` git may
 * write down what it learns of unchanged files. Never throws.
 */
async function runGit(
  top: string,
  words: readonly string[],
  env: HookEnvironment,
  limit: Limit,
  writesIndex = false,
): Promise<Ran> {
  const path = pathOutside(top, env)
  const git = Bun.which('git', { PATH: path })
  if (git === null) return { is: 'failed' }
  const place = { cwd: top, env: cleanEnvironment(top, env, path) }
  const names = await run([git, ...LISTING], place, limit)
  if (names.is === 'slow') return names
  const filters = withoutFilters(names.is === 'said' ? names.text : '')
  if (filters === undefined) return { is: 'failed' }
  const own = writesIndex ? { ...place, env: { ...place.env, GIT_OPTIONAL_LOCKS: '1' } } : place
  return await run([git, ...SAFE, ...filters, ...words], own, limit)
}

// The environment forbids optional locks.
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
const LISTING = [...SAFE, 'config', '--includes', '--show-scope', '-z', '--name-only']
LISTING.push('--get-regexp', '^filter\\.')
// Submodules have settings of their own, and git would run in them.
const STATUS = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames']
STATUS.push('--ignore-submodules=dirty')

/**
 * `PATH` without the project: a program in the project belongs to the project, whatever its name.
 */
function pathOutside(top: string, { PATH = '' }: HookEnvironment): string {
  const isOutside = (folder: string) => !`${realOf(folder)}/`.startsWith(`${top}/`)
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(folder))
  return folders.join(delimiter)
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function cleanEnvironment(
  top: string,
  env: HookEnvironment,
  path: string,
): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !/^(GIT_.*|PATH)$/i.test(name))
  return {
    ...Object.fromEntries(rest),
    // The person's own filters are found there as well.
    PATH: path,
    // The settings of the repository may name another folder.
    GIT_WORK_TREE: top,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** Options that switch off the filters of this repository; undefined when one cannot be named. */
function withoutFilters(listing: string): string[] | undefined {
  const words = listing.split('\0')
  const drivers = new Set<string>()
  for (let at = 0; at + 1 < words.length; at += 2) {
    const driver = /^filter\.(.*)\.[^.]*$/s.exec(words[at + 1] ?? '')?.[1]
    const isTheirs = words[at] === 'local' || words[at] === 'worktree'
    if (driver !== undefined && isTheirs) drivers.add(driver)
  }
  if (drivers.size > DRIVERS_MAX || [...drivers].some((name) => name.includes('=')))
    return undefined
  const off = ['clean=', 'smudge=', 'process=', 'required=false']
  return [...drivers].flatMap((name) => off.flatMap((one) => ['-c', `filter.${name}.${one}`]))
}

/** Each entry is two letters, a space, and the path as it is, without quotes. */
function entriesIn(text: string): GitEntry[] {
  return text.split('\0').flatMap((entry) => {
    const path = bare(entry.slice(3))
    return path === '' ? [] : [{ path, state: STATES[entry.slice(0, 2)] ?? 'changed' }]
  })
}

const STATES: Readonly<Record<string, GitEntry['state']>> = { '??': 'untracked', '!!': 'ignored' }

/** A repository within the repository is one entry, with a slash behind it. */
function bare(path: string): string {
  return path.replace(/\/+$/, '')
}

type Ran = { is: 'said'; text: string } | { is: 'slow' } | { is: 'failed' }

async function run(
  command: string[],
  place: { cwd: string; env: Record<string, string | undefined> },
  { until, signal }: Limit,
): Promise<Ran> {
  const ms = until - performance.now()
  if (ms <= 0 || signal.aborted) return { is: 'slow' }
  const late = Promise.withResolvers<undefined>()
  try {
    const child = Bun.spawn(command, { ...place, stdio: ['ignore', 'pipe', 'ignore'] })
    const end = () => {
      child.kill('SIGKILL')
      // A program that git started may hold the output open.
      late.resolve(undefined)
    }
    // Timers count whole milliseconds: one that rings early would look like an answer in time.
    const timer = setTimeout(end, Math.ceil(ms) + 1)
    signal.addEventListener('abort', end)
    const text = await Promise.race([allOf(child.stdout), late.promise])
    if (text === undefined) end()
    const code = text === undefined ? undefined : await Promise.race([child.exited, late.promise])
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    if (text === undefined || code === undefined) return { is: 'slow' }
    return code === 0 ? { is: 'said', text } : { is: 'failed' }
  } catch {
    return { is: 'failed' }
  }
}

/** Undefined if the output is too long. */
async function allOf(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > OUTPUT_MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Git looks again at files that changed about when it wrote its index. Never throws. */
export async function refreshIndex(top: string, limit: Limit): Promise<void> {
  await runGit(top, [...STATUS, '--untracked-files=no'], wholeEnvironment(), limit, true)
}

/**
 * Returns the output of a git command about a work tree, bounded as in `gitStatus`; undefined if it
 * fails or takes too long.
 */
export async function gitSays(
  top: string,
  words: readonly string[],
  limit: Limit,
): Promise<string | undefined> {
  const result = await runGit(top, words, wholeEnvironment(), limit)
  return result.is === 'said' ? result.text : undefined
}
