import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { compileSegment } from '../../ask/wire/matcher/segment.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { candidatesOf } from '../paths/candidates.ts'
import { workTreeOf } from '../paths/repository.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import { type GitEntry, gitSays, gitStatus, type Limit } from '../session/git-status.ts'
import type { Loss } from '../touches/losses.ts'
import { isCreatedFile } from './created-files.ts'
import type { Stake } from './stake-ask.ts'
import { readingsOf } from './touched.ts'

// Few commands need this, so a large repository can be given the time it takes.
const LOOK_MS = 1_500
const TOPS_MAX = 5
const SHOWN_MAX = 500

/** The work a call would destroy that has no other copy; nearly always empty. */
export async function lostWork(context: HookContext, place: SessionPlace): Promise<Stake[]> {
  const { call } = context
  const losses = (await readingsOf(call)).flatMap((reading) => reading.losses)
  const removed = call.touches.flatMap(({ touch, path }) =>
    touch === 'delete' || touch === 'tree' ? [path] : [],
  )
  if (removed.length > 0) losses.push({ how: 'both', places: [call.cwd], paths: removed })
  if (losses.length === 0) return []
  const limit = { until: performance.now() + LOOK_MS, signal: context.signal }
  const look = new GitStatusReader(context, place, limit)
  const stakes: Stake[] = []
  for (const loss of losses) stakes.push(...(await look.at(loss)))
  return merged(stakes)
}

const SAYS = {
  work: 'Work that is not committed would be lost',
  stash: 'Stashed work would be dropped',
  branch: 'Commits that no other branch has would be lost',
  history: 'Commits that no remote repository has would be lost',
  push: 'What the remote repository has would be overwritten or deleted',
  slow: 'Work that is not committed may be lost; git did not say in time which',
} as const

/** Reads the repositories that a call works in. */
class GitStatusReader {
  private readonly statuses = new Map<string, Promise<GitEntry[] | undefined>>()
  private readonly context: HookContext
  private readonly place: SessionPlace
  private readonly limit: Limit

  constructor(context: HookContext, place: SessionPlace, limit: Limit) {
    this.context = context
    this.place = place
    this.limit = limit
  }

  async at(loss: Loss): Promise<Stake[]> {
    const stakes: Stake[] = []
    for (const top of this.topsOf(loss)) {
      if (loss.how === 'push') stakes.push({ says: SAYS.push, names: [] })
      else if (loss.how === 'stash') stakes.push(...(await this.stashed(top)))
      else if (loss.how === 'branch') stakes.push(...(await this.onlyThere(top, loss.refs ?? [])))
      else stakes.push(...(await this.uncommitted(top, loss)))
    }
    return stakes
  }

  /** The work trees that it may affect: those it runs in, and those that contain its paths. */
  private topsOf({ places, paths = [] }: Loss): string[] {
    const folders = [...this.folders(places), ...paths.map((path) => this.placeOf(path))]
    const tops = folders.flatMap((folder) => {
      const top = workTreeOf(folder)?.top
      return top === undefined ? [] : [real(top)]
    })
    return [...new Set(tops)].slice(0, TOPS_MAX)
  }

  private folders(places: readonly string[]): string[] {
    const { cwd } = this.context.call
    return places.map((place) => (place === '\0' ? cwd : this.placeOf(place)))
  }

  private async uncommitted(top: string, loss: Loss): Promise<Stake[]> {
    if (loss.refs && loss.paths && (await this.isBranch(top, loss.refs[0] ?? ''))) return []
    const entries = await this.status(top, loss.ignored === true)
    if (entries === undefined) return [{ says: SAYS.slow, names: [] }]
    // `git clean` only affects the folder that it runs in.
    const within = loss.how === 'untracked' ? this.folders(loss.places) : undefined
    const limits = loss.paths?.map((path) => this.placeOf(path)) ?? within
    const fits = (loss.names ?? []).map((name) => compileSegment(name, 'simple', { steps: 0 }))
    const lost = entries.filter(({ state, path }) => {
      const at = join(top, path)
      if (loss.how === 'changes' && state !== 'changed') return false
      if (loss.how === 'untracked' && state === 'changed') return false
      if (
        limits &&
        !limits.some((one) => at === one || at.startsWith(one === '/' ? one : `${one}/`))
      )
        return false
      if (fits.length > 0 && !fits.some((fit) => fit(basename(at)))) return false
      return state === 'changed' || !isCreatedFile(this.place, at)
    })
    const names = lost.slice(0, SHOWN_MAX).map(({ path }) => path)
    const takes = loss.how === 'both' && fits.length === 0
    const history = takes && limits?.some((one) => takesHistory(one, commonOf(top)))
    return [
      ...(names.length > 0 ? [{ says: SAYS.work, names }] : []),
      ...(history ? await this.unpushed(top) : []),
    ]
  }

  private status(top: string, ignored: boolean): Promise<GitEntry[] | undefined> {
    const key = `${ignored} ${top}`
    const cached = this.statuses.get(key)
    if (cached) return cached
    const pending = gitStatus(top, wholeEnvironment(), this.limit, { ignored }).then((status) => {
      if (status.is === 'slow') return undefined
      return status.is === 'seen' ? status.entries : []
    })
    this.statuses.set(key, pending)
    return pending
  }

  private async isBranch(top: string, name: string): Promise<boolean> {
    const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${name}`]
    return (await gitSays(top, words, this.limit)) !== undefined
  }

  private async stashed(top: string): Promise<Stake[]> {
    const text = await gitSays(top, ['stash', 'list', '--max-count=50'], this.limit)
    const names = linesOf(text)
    return names.length > 0 ? [{ says: SAYS.stash, names }] : []
  }

  /** For a repository that is removed as a whole. */
  private async unpushed(top: string): Promise<Stake[]> {
    const words = ['log', '--max-count=50', '--format=%h %s', '--branches', '--not', '--remotes']
    const names = linesOf(await gitSays(top, [...words, '--'], this.limit))
    return names.length > 0 ? [{ says: SAYS.history, names }] : []
  }

  /** For branches that are to be deleted: the commits that no other branch, tag or remote has. */
  private async onlyThere(top: string, refs: readonly string[]): Promise<Stake[]> {
    const branches = refs.slice(0, 20).filter((name) => !name.startsWith('-'))
    if (branches.length === 0) return []
    const excluded = branches.map((name) => `--exclude=${name}`)
    const words = ['log', '--max-count=50', '--format=%h %s']
    const own = branches.map((name) =>
      name.includes('*') ? `--glob=refs/heads/${name}` : `refs/heads/${name}`,
    )
    const others = ['--not', ...excluded, '--branches', '--tags', '--remotes']
    const text = await gitSays(top, [...words, ...own, ...others, '--'], this.limit)
    const names = linesOf(text)
    return names.length > 0 ? [{ says: SAYS.branch, names }] : []
  }

  /** The real path of a name: links in its folder are followed, the name itself is not. */
  private placeOf(path: string): string {
    const { cwd } = this.context.call
    const home = path.replace(/^~(?=\/|$)/, homedir())
    const full = join(home.startsWith('/') ? '' : cwd, home).replace(/(?<=.)\/$/, '')
    if (full === '/') return full
    return join(candidatesOf(dirname(full), { cwd, roots: [] }).absolute, basename(full))
  }
}

/** Where the commits of a work tree are: of a linked one, in the repository that it belongs to. */
function commonOf(top: string): string {
  return real(workTreeOf(top)?.common ?? join(top, '.git'))
}

/** Returns true if the removed path contains the commits that are in this folder. */
function takesHistory(path: string, common: string): boolean {
  return path === common || common.startsWith(path === '/' ? path : `${path}/`)
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

function merged(stakes: readonly Stake[]): Stake[] {
  const bySays = Map.groupBy(stakes, ({ says }) => says)
  return [...bySays].map(([says, all]) => ({
    says,
    names: [...new Set(all.flatMap(({ names }) => names))],
  }))
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
