import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { type PersonId, randomText } from '../../platform/ids.ts'
import { hashPassword } from './model/password.ts'
import { wrongPassword } from './model/person-rules.ts'
import { findPerson, lockEntry, putPassword, whoCanSignIn } from './model/person-store.ts'

/**
 * Sets a password for a signed-in person who has no other way of signing in again, because their
 * passkey was never created. Throws `invalid_input`, and `gone` for everybody else.
 */
export async function setFirstPassword(
  { db, clock }: { db: Db; clock: Clock },
  personId: PersonId,
  password: string,
): Promise<void> {
  const person = await findPerson(db.read, personId)
  if (!person) throw new Failure('gone', 'This set-up is already finished.')
  const wrong = wrongPassword(password, person)
  if (wrong.length > 0) throw wrongFields(wrong)
  const [now, id, hash] = [clock.now(), randomText(32), await hashPassword(password)]
  await db.write(async (tx) => {
    await lockEntry(tx, personId)
    if ((await whoCanSignIn(tx, personId)).has(personId))
      throw new Failure('gone', 'This set-up is already finished.')
    await putPassword(tx, { id, personId, hash }, now)
  })
}
