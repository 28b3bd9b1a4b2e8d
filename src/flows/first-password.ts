import { hashPassword } from '../accounts/password.ts'
import { wrongPassword } from '../accounts/person-rules.ts'
import { putPassword, whoCanSignIn } from '../accounts/person-store.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { Failure, wrongFields } from '../kernel/failure.ts'
import { type PersonId, randomText } from '../kernel/ids.ts'

/**
 * Gives a person who is signed in and has no way of signing in again (a passkey that was never
 * made) a password. Throws `invalid_input`, and `gone` for everybody else.
 */
export async function setFirstPassword(
  { db, clock }: { db: Db; clock: Clock },
  personId: PersonId,
  password: string,
): Promise<void> {
  const wrong = wrongPassword(password)
  if (wrong.length > 0) throw wrongFields(wrong)
  const [now, id, hash] = [clock.now(), randomText(32), await hashPassword(password)]
  await db.write(async (tx) => {
    if ((await whoCanSignIn(tx, personId)).has(personId))
      throw new Failure('gone', 'This set-up was finished already.')
    await putPassword(tx, { id, personId, hash }, now)
  })
}
