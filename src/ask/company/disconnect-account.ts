import { Failure } from '../../platform/failure.ts'
import { dropIdentities, listIdentities } from '../accounts/model/identity-store.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { listPasskeys } from '../accounts/model/passkey-store.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { hasPassword, lockEntry } from '../accounts/model/person-store.ts'
import { endSignIns, listProvenSignIns } from '../accounts/model/sign-in-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type ChangeDeps, nothing } from './change-providers.ts'

/**
 * Disconnects the account of a person, by themselves or an owner. Throws `forbidden`, `not_found`,
 * and `conflict` for the person’s own only way in.
 */
export async function disconnectAccount(
  { db, clock }: ChangeDeps,
  by: Person,
  { provider, personId }: { provider: string; personId: PersonId },
): Promise<void> {
  if (personId !== by.id) must(by, 'companySignIn')
  const now = clock.now()
  const stamp = auditStamp(now)
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

const onlyWay = () =>
  new Failure('conflict', 'You sign in with this account alone. Set a password or a passkey first.')
