import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PersonId } from '../../platform/ids.ts'
import { auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/record-change.ts'
import { findPerson, findPersonByEmail } from './model/person-store.ts'

type Deps = { db: Db; clock: Clock }

/** What happened to a way of signing in, how, and from which address. */
export type SignInEvent = {
  kind: Extract<RecordedKind, `sign_in.${string}` | `passkey.${string}` | `password.${string}`>
  who: { id: PersonId } | { email: string }
  how: string
  from: string
}

/**
 * Adds the event to the audit trail of the person's workspace; an address that nobody has leaves no
 * entry.
 */
export async function recordSignIn({ db, clock }: Deps, event: SignInEvent): Promise<void> {
  const { kind, who, how, from } = event
  const person =
    'id' in who ? await findPerson(db.read, who.id) : await findPersonByEmail(db.read, who.email)
  if (!person) return
  const { workspaceId, id, name } = person
  // Somebody who failed to sign in has not shown that they are this person.
  const did = kind === 'sign_in.failed' ? {} : { personId: id, personName: name }
  const stamp = auditStamp(clock.now())
  await db.write((tx) =>
    recordChange(tx, stamp, {
      workspaceId,
      kind,
      ...did,
      subjectId: id,
      subjectName: name,
      detail: `${how}, from ${from}`,
    }),
  )
}
