import { statSync } from 'node:fs'
import { join } from 'node:path'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { workTreeOf } from '../paths/repository.ts'
import { gitStatus } from '../session/git-status.ts'

const GIT_MS = 3_000
const FILES_MAX = 5_000

/**
 * How many files of the work tree differ from its last commit and were written since `since`.
 * Undefined where there is no git, and where it takes too long. Never throws.
 */
export async function countChanged(cwd: string, since: number): Promise<number | undefined> {
  try {
    const tree = workTreeOf(cwd)
    if (!tree) return undefined
    const limit = { until: performance.now() + GIT_MS, signal: AbortSignal.timeout(GIT_MS) }
    const status = await gitStatus(tree.top, wholeEnvironment(), limit)
    if (status.is !== 'seen' || status.paths.length > FILES_MAX) return undefined
    return status.paths.filter((path) => isWrittenSince(join(tree.top, path), since)).length
  } catch {
    return undefined
  }
}

/** A file that is gone was removed at an unknown time. */
function isWrittenSince(path: string, since: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since
}
