import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { newId, type WorkspaceId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { findWorkspace, homeWorkspace } from './model/workspace-store.ts'

/**
 * The workspace with this name or id; throws `not_found` if no workspace has it. If `nameOrId` is
 * undefined: the oldest workspace. If the database has no workspace yet, creates one, so that a
 * token can be made before anybody has signed in.
 */
export async function chooseWorkspace(
  { db, clock }: { db: Db; clock: Clock },
  nameOrId: string | undefined,
): Promise<WorkspaceId> {
  const now = clock.now()
  const id = newId('ws', now)
  if (nameOrId === undefined) return await db.write((tx) => homeWorkspace(tx, id, now))
  const found = await findWorkspace(db.read, nameOrId)
  if (found) return found.id
  throw new Failure('not_found', `There is no workspace "${cleanLine(nameOrId)}".`)
}
