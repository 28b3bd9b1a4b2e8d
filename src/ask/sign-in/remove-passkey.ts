import { Failure } from '../../platform/failure.ts'
import { dropPasskey, listPasskeys } from '../accounts/model/passkey-store.ts'
import type { Person } from '../accounts/model/person.ts'
import { hasPassword, lockEntry } from '../accounts/model/person-store.ts'
import { recordSignIn } from './sign-in-trail.ts'

type Deps = Parameters<typeof recordSignIn>[0]

/**
 * Removes a passkey of the person, who asked from the address `from`. Throws `not_found`, and
 * `conflict` for the only way to sign in.
 */
export async function removePasskey(
  deps: Deps,
  person: Person,
  { id, from }: { id: string; from: string },
): Promise<void> {
  await deps.db.write(async (tx) => {
    await lockEntry(tx, person.id)
    const passkeys = await listPasskeys(tx, person.id)
    if (!passkeys.some((one) => one.id === id)) throw notTheirs()
    if (passkeys.length === 1 && !(await hasPassword(tx, person.id))) throw onlyWay()
    await dropPasskey(tx, person.id, id)
  })
  await recordSignIn(deps, { kind: 'passkey.removed', how: 'passkey', who: person, from })
}

function notTheirs(): Failure {
  return new Failure('not_found', 'You have no such passkey; nothing was removed.')
}

function onlyWay(): Failure {
  return new Failure(
    'conflict',
    'Without this passkey you could not sign in again, so it was not removed. Add another one first.',
  )
}
