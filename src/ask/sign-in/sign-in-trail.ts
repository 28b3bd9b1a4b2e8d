import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findPerson, findPersonByEmail } from '../accounts/model/person-store.ts'
import { auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { afterSignOut } from './after-sign-out.ts'

type Deps = { db: Db; clock: Clock }

/** The event of a way of signing in, how, and from which address. */
export type SignInEvent = {
  kind: Extract<RecordedKind, `sign_in.${string}` | `passkey.${string}` | `password.${string}`>
  who: { id: PersonId } | { email: string }
  how: string
  from: string
}

/**
 * Adds the event to the audit trail of the person's workspace; an address that nobody has leaves no
 * entry. If sign-ins have ended, their pages and codes end, too: call it afterwards.
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
  await db.write(async (tx) => {
    if (ENDS.has(kind)) await afterSignOut(tx, id, stamp.at)
    await recordChange(tx, stamp, {
      workspaceId,
      kind,
      ...did,
      subjectId: id,
      subjectName: name,
      detail: `${how}, from ${from}`,
    })
  })
}

const ENDS: ReadonlySet<SignInEvent['kind']> = new Set(['sign_in.ended', 'password.changed'])

type Event = Pick<SignInEvent, 'kind' | 'how'>

const done = (kind: SignInEvent['kind'], how: string) => ({ done: { kind, how } })

/** The trail events of a change of password, done or refused. */
export const PASSWORD_CHANGE = {
  ...done('password.changed', 'password'),
  refused: { kind: 'sign_in.failed', how: 'password of a signed-in browser' },
} as const satisfies { done: Event; refused: Event }

/** The trail events when somebody ends their sign-ins in all other browsers. */
export const SIGNED_OUT_ELSEWHERE = {
  kind: 'sign_in.ended',
  how: 'all other sign-ins ended',
} as const satisfies Event

/** The trail events of each address under `/api/auth`, on success and on refusal. */
export const TRAIL: Record<string, { done: Event; refused?: Event }> = {
  '/sign-in/email': {
    ...done('sign_in.succeeded', 'password'),
    refused: { kind: 'sign_in.failed', how: 'password' },
  },
  '/passkey/verify-authentication': done('sign_in.succeeded', 'passkey'),
  '/passkey/verify-registration': done('passkey.added', 'passkey'),
  '/passkey/delete-passkey': done('passkey.removed', 'passkey'),
  '/change-password': PASSWORD_CHANGE,
  '/sign-out': done('sign_in.ended', 'signed out'),
  '/revoke-sessions': done('sign_in.ended', 'all sign-ins ended'),
  '/revoke-other-sessions': { done: SIGNED_OUT_ELSEWHERE },
}

/** The person a request is about: who was signed in, the address typed, or whom the reply names. */
export async function whoOf(
  signedIn: string | undefined,
  body: unknown,
  response: Response,
): Promise<SignInEvent['who'] | undefined> {
  if (signedIn) return { id: signedIn }
  const { email } = (body ?? {}) as { email?: unknown }
  if (typeof email === 'string') return { email: email.trim().toLowerCase() }
  if (!response.ok) return undefined
  const sessionBody = (await response
    .clone()
    .json()
    .catch(() => ({}))) as {
    session?: { userId?: unknown }
  }
  const id = sessionBody.session?.userId
  return typeof id === 'string' ? { id } : undefined
}
