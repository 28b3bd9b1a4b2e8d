import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId } from '../../platform/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/record-change.ts'
import { must, type Person, type Role } from './model/person.ts'
import { anyOwnerBeside, listPeople, putRole } from './model/person-store.ts'

/**
 * Makes a person of the workspace of `by` an owner or a member, from their next request on. Throws
 * `forbidden`, `not_found`, and `conflict` if no owner would be left.
 */
export async function changeRole(
  { db, clock }: { db: Db; clock: Clock },
  by: Person,
  { personId, role }: { personId: PersonId; role: Role },
): Promise<Person> {
  must(by, 'people')
  const { workspaceId } = by
  const stamp = auditStamp(clock.now())
  return await db.write(async (tx) => {
    await tx.lock(`owners of ${workspaceId}`)
    const found = (await listPeople(tx, workspaceId)).find(({ id }) => id === personId)
    if (!found) throw new Failure('not_found', 'Nobody here has this id; nothing was changed.')
    const { id, name, email } = found
    const changed = { id, name, email, workspaceId, role }
    if (found.role === role) return changed
    if (role === 'member' && !(await anyOwnerBeside(tx, workspaceId, id))) throw lastOwner(name)
    await putRole(tx, { workspaceId, personId: id, role })
    const subject = { subjectId: id, subjectName: name, detail: role }
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'person.role_changed',
      personId: by.id,
      personName: by.name,
      ...subject,
    })
    return changed
  })
}

function lastOwner(name: string): Failure {
  return new Failure(
    'conflict',
    `${name} is the only owner; nothing was changed. Make somebody else an owner first.`,
  )
}
