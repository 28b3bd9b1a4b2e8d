import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { readOrigin } from './model/store.ts'

/** Throws `conflict` if policy and rules come from a file, which the next one would replace. */
export async function refuseBesideFile(read: Read, workspaceId: WorkspaceId): Promise<void> {
  const origin = await readOrigin(read, workspaceId)
  if (!origin) return
  throw new Failure(
    'conflict',
    `Policy and rules come from the file ${origin.name}, so nothing was changed. Change the file and apply it, or let an owner give them back to the pages under Settings, Rules.`,
  )
}
