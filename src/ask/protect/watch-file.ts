import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { readOrigin } from '../policy/model/store.ts'
import { applyFile, compareFile, releaseFile } from '../policy-file/apply-file.ts'
import { WATCHED_PROBLEM } from '../policy-file/model/watched-problem.ts'
import { readWatched } from '../policy-file/read-watched.ts'
import { fromDisk } from './break-glass.ts'

export type WatchDeps = { db: Db; clock: Clock; log: Log }

const EVERY_MS = 2_000
const PROBLEM_MAX = 1_000

/**
 * Keeps policy, groups and rules as the file says, until disposed. It looks at the text itself every two
 * seconds: that sees every way of replacing a file, which listeners of the file system do not.
 */
export function keepFile(
  deps: WatchDeps,
  path: string,
  report: (error: unknown) => void,
): AsyncDisposable {
  const look = createLook(deps, path)
  return repeatEvery(deps.clock, EVERY_MS, look, report)
}

/** Looks once: applies what has changed. What cannot be applied leaves the last one in force. */
export function createLook({ db, clock, log }: WatchDeps, path: string): () => Promise<void> {
  let seen: string | undefined
  return async () => {
    const file = readWatched(path)
    const state = 'text' in file ? sha256(file.text) : file.problem
    // People and groups may have changed since a file could not be applied.
    const isFine = (await readSetting(db.read, WATCHED_PROBLEM)) === undefined
    if (state === seen && isFine) return
    const problem = 'text' in file ? await take({ db, clock }, path, file.text) : file.problem
    if (problem === AGAIN) return
    if (problem !== undefined && state !== seen) {
      log.warn('the policy file cannot be applied, so the last one stays in force', {
        path,
        problem,
      })
    }
    seen = state
    await noteProblem({ db, clock }, problem === undefined ? undefined : `${path} ${problem}`)
  }
}

// Another process applied it, or somebody left, in between: the next look finds out.
const AGAIN = 'again'

/** Applies a file; returns why it cannot be. */
async function take(
  { db, clock }: Omit<WatchDeps, 'log'>,
  path: string,
  text: string,
): Promise<string | undefined> {
  const [home] = await listWorkspaces(db.read)
  // Before there is anybody nothing can be applied, and nothing is wrong.
  if (!home) return undefined
  const file = { text, name: path }
  try {
    const { state: base, differences } = await compareFile({ db, clock }, home.id, file)
    const origin = await readOrigin(db.read, home.id)
    if (differences.length === 0 && origin?.isWatched && origin.name === path) return undefined
    const guard = fromDisk({ at: clock.now(), path })
    const by = { name: 'BECKON_POLICY_FILE' }
    await applyFile({ db, clock, guard }, home.id, { ...file, base, by, isWatched: true })
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    return error.code === 'conflict' ? AGAIN : `cannot be applied: ${error.message}`
  }
}

async function noteProblem({ db, clock }: Omit<WatchDeps, 'log'>, problem: string | undefined) {
  const before = await readSetting(db.read, WATCHED_PROBLEM)
  const now = problem?.slice(0, PROBLEM_MAX)
  if (before === now) return
  await db.write((tx) =>
    now === undefined
      ? dropSetting(tx, WATCHED_PROBLEM)
      : putSetting(tx, WATCHED_PROBLEM, now, clock.now()),
  )
}

/** Without the setting, what was watched is given back to the pages. */
export async function leaveFile({ db, clock }: WatchDeps): Promise<void> {
  for (const { id } of await listWorkspaces(db.read)) {
    const origin = await readOrigin(db.read, id)
    if (origin?.isWatched) await releaseFile({ db, clock }, id, undefined, { isUnset: true })
  }
  await noteProblem({ db, clock }, undefined)
}
