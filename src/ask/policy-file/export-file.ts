import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { FileDeps } from './apply-file.ts'
import { SCHEMA_PATH } from './model/policy-file.ts'
import { digestOf, fileOf, readState } from './model/policy-state.ts'
import { newPolicyText, updatedPolicyText } from './model/write-policy-file.ts'

type Exported = {
  /** The address of the server, without a slash at the end. */
  baseUrl: string
  /** The text of a file that is brought up to date. */
  before?: string | undefined
}

/** What is in force in a workspace, as the text of a policy file. */
export async function exportFile(
  { db }: Pick<FileDeps, 'db'>,
  workspaceId: WorkspaceId,
  { baseUrl, before }: Exported,
): Promise<string> {
  const file = fileOf(await readState(db.read, workspaceId))
  const written = { file, digest: digestOf(file), schemaUrl: `${baseUrl}${SCHEMA_PATH}` }
  return before === undefined ? newPolicyText(written) : updatedPolicyText(before, written)
}
