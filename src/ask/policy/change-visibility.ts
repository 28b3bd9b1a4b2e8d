import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { wrongFields } from '../../platform/failure.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { must, type Person, VISIBILITIES, type Visibility } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { putVisibility, readVisibility } from '../accounts/model/workspace-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'

export type VisibilityDeps = { db: Db; clock: Clock }

/** Sets what members see of the questions of others. Throws `forbidden` and `invalid_input`. */
export async function changeVisibility(
  { db, clock }: VisibilityDeps,
  person: Person,
  text: string,
): Promise<void> {
  must(person, 'people')
  const visibility = VISIBILITIES.find((one) => one === text)
  if (!visibility) {
    throw wrongFields([{ field: 'visibility', must: `must be one of ${VISIBILITIES.join(', ')}` }])
  }
  const { workspaceId, id: personId } = person
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    await tx.lock(`visibility of ${workspaceId}`)
    const before = await readVisibility(tx, workspaceId)
    if (before === visibility) return
    await refuseBesideFile(tx, workspaceId)
    await writeVisibility(tx, workspaceId, visibility)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'visibility.changed',
      personId,
      detail: `${before} → ${visibility}`,
    })
  })
}

/** The same as a part of a transaction. */
export async function writeVisibility(
  tx: Tx,
  workspaceId: WorkspaceId,
  visibility: Visibility,
): Promise<void> {
  await putVisibility(tx, workspaceId, visibility)
  // Open streams begin anew, with what each person sees from now on.
  for (const { id } of await listPeople(tx, workspaceId)) tx.emit('sign_in', id)
}
