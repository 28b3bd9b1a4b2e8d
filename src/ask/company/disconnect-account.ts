import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { dropIdentities, listIdentities } from '../accounts/model/identity-store.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listPasskeys } from '../accounts/model/passkey-store.ts'
import { must, type Person } from '../accounts/model/person.ts'
import {
  anyOwnerBeside,
  hasPassword,
  listPeople,
  lockEntry,
  putRole,
} from '../accounts/model/person-store.ts'
import { endSignIns, listProvenSignIns } from '../accounts/model/sign-in-store.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type ChangeDeps, nothing } from './change-providers.ts'
import { readProvider } from './providers.ts'
import { leaveGroups } from './sync-groups.ts'

/**
 * Disconnects the account of a person, by themselves or an owner. What it gave them ends with it: else
 * the same account could give it to a second person here. Throws `forbidden`, `not_found`,
 * and `conflict` for the person’s own only way in.
 */
export async function disconnectAccount(
  { db, clock, config: { company } }: ChangeDeps,
  by: Person,
  { provider, personId }: { provider: string; personId: PersonId },
): Promise<void> {
  if (personId !== by.id) must(by, 'companySignIn')
  const now = clock.now()
  const [stamp, second] = [auditStamp(now), auditStamp(now)]
  await db.write(async (tx) => {
    await lockEntry(tx, personId)
    const all = await listIdentities(tx, personId)
    const own = all.filter((one) => one.provider === provider)
    const [identity] = own
    if (identity?.workspaceId !== by.workspaceId) throw nothing()
    const isOnly =
      own.length === all.length &&
      !(await hasPassword(tx, personId)) &&
      (await listPasskeys(tx, personId)).length === 0
    if (isOnly && personId === by.id) throw onlyWay()
    await dropIdentities(tx, personId, provider)
    const { name = provider } = (await readProvider({ read: tx, company }, provider)) ?? {}
    await leaveGroups(tx, { workspaceId: by.workspaceId, personId }, { id: provider, name, now })
    await leaveRole(tx, { workspaceId: by.workspaceId, personId }, name, second)
    const signIns = await listProvenSignIns(tx, { provider, personId })
    await endSignIns(
      tx,
      signIns.map(({ id }) => id),
    )
    await recordChange(tx, stamp, {
      workspaceId: by.workspaceId,
      kind: 'identity.unlinked',
      personId: by.id,
      personName: by.name,
      subjectId: provider,
      subjectName: identity.label,
    })
  })
}

/** A role of the provider’s groups is over; the last owner stays one. */
async function leaveRole(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
  provider: string,
  stamp: AuditStamp,
): Promise<void> {
  await tx.lock(`owners of ${workspaceId}`)
  const person = (await listPeople(tx, workspaceId)).find((one) => one.id === personId)
  if (person?.roleFrom !== provider) return
  const isLast = !(await anyOwnerBeside(tx, workspaceId, personId))
  const role = person.role === 'owner' && !isLast ? 'member' : person.role
  await putRole(tx, { workspaceId, personId, role })
  if (role === person.role) return
  await recordChange(tx, stamp, {
    ...{ workspaceId, kind: 'person.role_changed', subjectId: personId, subjectName: person.name },
    detail: `${role}, as the account of ${provider} was disconnected`,
  })
}

const onlyWay = () =>
  new Failure('conflict', 'You sign in with this account alone. Set a password or a passkey first.')
