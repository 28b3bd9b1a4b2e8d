import type { Read } from '../../platform/db/database.ts'
import { readSetting } from '../../platform/db/settings-store.ts'
import { type Check, failedCheck, passedCheck } from '../check.ts'
import { WATCHED_PROBLEM } from '../policy-file/model/watched-problem.ts'

/** Checks that the policy file of the server is in force; no row without one. */
export async function policyFileChecks(read: Read, path: string | undefined): Promise<Check[]> {
  if (path === undefined) return []
  const name = 'Policy file'
  const problem = await readSetting(read, WATCHED_PROBLEM)
  if (problem === undefined) return [passedCheck('people', name, `${path} is in force.`)]
  const cure =
    'Correct the file; until then the last one stays in force. beckon policy lint names the line.'
  return [failedCheck('people', name, problem, cure)]
}
