import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { FileDeps } from './apply-file.ts'
import { checkFile } from './check-file.ts'
import type { Finding } from './model/finding.ts'
import { type PolicyState, readState } from './model/policy-state.ts'
import { readPolicyFile } from './model/read-policy-file.ts'

/** Returns everything to know about a file, in the order of its lines; without a state, alone. */
export function lintFile(text: string, state?: PolicyState): Finding[] {
  const { value, lineOf, findings } = readPolicyFile(text)
  const all = value ? [...findings, ...checkFile(value, lineOf, state)] : findings
  return all.toSorted((a, b) => a.line - b.line)
}

/** The same, with the people and groups of a workspace. */
export async function lintHere(
  { db }: Pick<FileDeps, 'db'>,
  workspaceId: WorkspaceId,
  text: string,
): Promise<Finding[]> {
  return lintFile(text, await readState(db.read, workspaceId))
}
