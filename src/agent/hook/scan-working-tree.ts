import { realpathSync } from 'node:fs'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { headOf, workTreeOf } from '../paths/repository.ts'
import { type HookContext, type SessionPlace, sessionOf } from '../session/context.ts'
import { gitSays, gitStatus, type Limit } from '../session/git-status.ts'
import { findScope, type KeptScope } from '../session/kept-scope.ts'
import {
  type Agreed,
  type ChangedFile,
  isAgreed,
  type OutsideJudge,
  outsideJudge,
} from './changed-outside.ts'
import { rootsIn } from './judge-call.ts'
import {
  claim,
  dropSnapshot,
  forgetClaims,
  isAsBefore,
  isClaimed,
  isLatest,
  keepSnapshot,
  printOf,
  readSnapshot,
  type Snapshot,
  takeFindings,
} from './snapshot.ts'

const TOPS_MAX = 5
const NAMED_MAX = 50
const NAME_MAX = 200
// Each file has a mark of its own, so that only one of two hooks reports it; beyond this they share
// one.
const MARKED_MAX = 200
// Contents are read while there is this much time left; after that only the files' times are
// compared.
const HASHING_MS = 100

/** Files that changed outside the scope: the first ones by name, with the rule of each, and all. */
export type Changes = {
  files: Array<{ shown: string; rule?: string | undefined }>
  count: number
}

/**
 * Returns the changes outside the scope since its snapshot. Without a snapshot yet, the present
 * state becomes it, and nothing counts as changed.
 */
export async function scanWorkingTree(
  context: HookContext,
  current: ScopesInForce,
  limit: Limit,
  agreed: Agreed,
): Promise<Changes | undefined> {
  const before = readSnapshot(current.place)
  if (before?.scope === current.scope) return await compare(context, current, before, limit, agreed)
  await takeSnapshot(context, current, limit, true)
  return undefined
}

type ChangedOutside = ChangedFile & { path: string }

/** A scope that holds for a session. */
export type ScopesInForce = { place: SessionPlace; kept: KeptScope; scope: string }

/** The scope that holds for the session of this call; undefined without one. */
export function inForce(context: HookContext): ScopesInForce | undefined {
  const place = sessionOf(context)
  if (!place) return undefined
  const state = findScope(place, Date.now())
  if (state.is !== 'kept' || !state.kept.contract) return undefined
  return { place, kept: state.kept, scope: state.kept.contract.correlationId }
}

/** False once the scope ended or another replaced it, as happens while git is slow. */
function isStillInForce(context: HookContext, { scope }: ScopesInForce): boolean {
  return inForce(context)?.scope === scope
}

/** The work trees of the session; folders without git are not looked at. */
function topsOf({ call }: HookContext, scope: KeptScope): string[] {
  const tops = rootsIn(call, scope.roots).flatMap((root) => {
    const top = workTreeOf(root)?.top
    return top === undefined ? [] : realpathSync(top)
  })
  return [...new Set(tops)].slice(0, TOPS_MAX)
}

/**
 * `paths`: absolute, of files that differ from what is committed. `seen`: the work trees that git
 * reported on.
 */
type Changed = { paths: string[]; seen: string[] }

/** Undefined if there was no time to look. */
async function changedIn(tops: readonly string[], limit: Limit): Promise<Changed | undefined> {
  const changed: Changed = { paths: [], seen: [] }
  for (const top of tops) {
    const status = await gitStatus(top, wholeEnvironment(), limit)
    if (status.is === 'slow') return undefined
    if (status.is !== 'seen') continue
    changed.seen.push(top)
    changed.paths.push(...status.paths.map((path) => `${top}/${path}`))
  }
  return changed
}

/**
 * Keeps what differs now as the snapshot of the scope. `onlyNew`: not again for the same scope.
 * False if time ran out.
 */
export async function takeSnapshot(
  context: HookContext,
  current: ScopesInForce,
  limit: Limit,
  onlyNew: boolean,
): Promise<boolean> {
  const { place, kept: agreedScope, scope } = current
  const isKnown = () => readSnapshot(place)?.scope === scope
  if (onlyNew && isKnown()) return true
  // What changed since may be a person's work: without another snapshot nobody knows.
  if (!onlyNew) dropSnapshot(place)
  const changed = await changedIn(topsOf(context, agreedScope), limit)
  if (!changed) return false
  if (changed.seen.length === 0 || (onlyNew && isKnown())) return true
  const files = printsOf(changed.paths, outsideJudge(context, agreedScope), limit)
  if (!files) return false
  if (!isStillInForce(context, current)) return true
  if (!isKnown()) forgetClaims(place)
  // Findings that were not reported yet refer to the snapshot before.
  takeFindings(place)
  const id = crypto.randomUUID()
  keepSnapshot(place, { scope, id, tops: changed.seen, files, heads: headsOf(changed.seen) })
  return true
}

function headsOf(tops: readonly string[]): Snapshot['heads'] {
  const heads: Snapshot['heads'] = new Map()
  for (const top of tops) {
    const tree = workTreeOf(top)
    const head = tree && headOf(tree)
    if (head !== undefined) heads.set(top, head)
  }
  return heads
}

/** The files that commits have changed since: git's status no longer names them. */
async function committedSince(heads: Snapshot['heads'], limit: Limit): Promise<string[]> {
  const now = headsOf([...heads.keys()])
  const paths: string[] = []
  for (const [top, then] of heads) {
    const head = now.get(top)
    if (head === undefined || head === then) continue
    const output = await gitSays(top, [...BETWEEN, then, head, '--'], limit)
    const names = (output ?? '').split('\0').filter(Boolean)
    paths.push(...names.map((name) => `${top}/${name}`))
  }
  return paths
}

const BETWEEN = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv']

/** Undefined if time runs out: with half a snapshot, unchanged files would be reported. */
function printsOf(
  paths: readonly string[],
  isOutside: OutsideJudge,
  { until }: Limit,
): Snapshot['files'] | undefined {
  const files: Snapshot['files'] = new Map()
  for (const path of paths) {
    const remainingMs = until - performance.now()
    if (remainingMs < 0) return undefined
    if (isOutside(path)) files.set(path, printOf(path, { hashed: remainingMs > HASHING_MS }))
  }
  return files
}

async function compare(
  context: HookContext,
  current: ScopesInForce,
  before: Snapshot,
  limit: Limit,
  agreed: Agreed,
): Promise<Changes | undefined> {
  const changedOutside = await changedOutsideIn(context, current, before, limit)
  if (changedOutside.length === 0 || !isStillInForce(context, current)) return undefined
  if (!isLatest(current.place, before)) return undefined
  const isNew = ({ path }: ChangedOutside) => claim(current.place, path)
  // These were agreed to with this command, so they become part of the snapshot.
  changedOutside.filter(({ path }) => isAgreed(path, agreed)).forEach(isNew)
  const others = changedOutside.filter(({ path }) => !isClaimed(current.place, path))
  const news = others.slice(0, MARKED_MAX).filter(isNew)
  if (news.length === 0) return undefined
  const rest = others.slice(MARKED_MAX).map(({ path }) => path)
  if (rest.length > 0) {
    const prints = rest.map((path) => [path, printOf(path, { hashed: false })] as const)
    keepSnapshot(current.place, { ...before, files: new Map([...before.files, ...prints]) })
  }
  const count = news.length + rest.length
  const summaries = news
    .slice(0, NAMED_MAX)
    .map(({ shown: file, rule }) => ({ shown: nameOf(file), rule }))
  return { files: summaries, count }
}

/** Lists the files outside the scope that changed since the snapshot. */
async function changedOutsideIn(
  context: HookContext,
  current: ScopesInForce,
  before: Snapshot,
  limit: Limit,
): Promise<ChangedOutside[]> {
  const { place, kept: agreedScope } = current
  const { tops, files, heads } = before
  const present = await changedIn(topsOf(context, agreedScope), limit)
  if (!present) return []
  const judge = outsideJudge(context, agreedScope)
  const added = present.seen.filter((top) => !tops.includes(top))
  const isIn = (path: string) => added.some((top) => path.startsWith(`${top}/`))
  if (added.length > 0) {
    const more = printsOf(present.paths.filter(isIn), judge, limit)
    const merged = {
      ...before,
      tops: [...tops, ...added],
      files: new Map([...files, ...(more ?? [])]),
      heads: new Map([...heads, ...headsOf(added)]),
    }
    const isStill = isStillInForce(context, current) && isLatest(place, before)
    if (more && isStill) keepSnapshot(place, merged)
  }
  // A file that equals its commit again has changed too, if it differs from the snapshot.
  const committed = await committedSince(heads, limit)
  const unlike = present.paths.filter((path) => !isIn(path))
  const changed = new Set([...unlike, ...files.keys(), ...committed])
  const changedOutside: ChangedOutside[] = []
  for (const path of changed) {
    if (performance.now() > limit.until) break
    const print = files.get(path)
    if (print && isAsBefore(path, print)) continue
    const change = judge(path)
    if (change) changedOutside.push({ path, ...change })
  }
  return changedOutside
}

/** For a line that a model and a person read. Whoever named the file is not trusted. */
function nameOf(path: string): string {
  return cutText(cleanLine(path), NAME_MAX)
}
