import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { addInvitation, dropInvitations } from '../accounts/model/invitation-store.ts'
import { must, type Person, type Role } from '../accounts/model/person.ts'
import { cleanEmail, wrongEmail, wrongPersonName } from '../accounts/model/person-rules.ts'
import {
  findPersonByEmail,
  insertPerson,
  listPeople,
  lockEntry,
  whoCanSignIn,
} from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { decidesHere } from '../policy/guard.ts'
import { INVITATION_MS } from './people.ts'
import { requireMember } from './switch-off.ts'

type Deps = { db: Db; clock: Clock }

/** Somebody who may use a link, once, until `expiresAt`; the code is shown now and never again. */
export type NewInvitation = { person: Person; code: string; expiresAt: number }

const SECRET_CHARS = 32
// Enough for a team of 200 and those who left it and were only switched off, who count; few enough
// that invitations fill no database.
export const PEOPLE_MAX = 500

/**
 * Adds a person to the workspace of `by`, who chooses a name and how to sign in with a one-time
 * link. Throws `forbidden`, `invalid_input`, and `conflict` if the address is taken or the
 * workspace is full.
 */
export async function invitePerson(
  { db, clock }: Deps,
  by: Person,
  details: { email: string; name: string; role: Role },
): Promise<NewInvitation> {
  must(by, 'people')
  const email = cleanEmail(details.email)
  const name = cleanLine(details.name) || email.replace(/(.)@[^@]*$/, '$1')
  const wrong = [...wrongEmail(email), ...wrongPersonName(name)]
  if (wrong.length > 0) throw wrongFields(wrong)
  const now = clock.now()
  const { workspaceId } = by
  const person = { id: randomText(SECRET_CHARS), name, email, workspaceId, role: details.role }
  const link = newLink(person, by, now)
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await tx.lock(`owners of ${workspaceId}`)
    if ((await listPeople(tx, workspaceId)).length >= PEOPLE_MAX) throw full()
    if (!(await insertPerson(tx, person, now))) throw await takenFailure(tx, by, email)
    await addInvitation(tx, link.row, now)
    await recordChange(tx, stamp, {
      ...change(by, person),
      kind: 'person.added',
      detail: details.role,
    })
  })
  return { person, code: link.code, expiresAt: link.row.expiresAt }
}

/**
 * A new link for somebody who has not signed in yet; earlier ones end. Throws `forbidden`,
 * `not_found`, and `conflict` for somebody who can already sign in.
 */
export async function inviteAgain(
  { db, clock }: Deps,
  by: Person,
  id: PersonId,
): Promise<NewInvitation> {
  must(by, 'people')
  const now = clock.now()
  const link = newLink({ id }, by, now)
  const stamp = auditStamp(now)
  const person = await db.write(async (tx) => {
    await lockEntry(tx, id)
    const invited = await requireMember(tx, by.workspaceId, id)
    if ((await whoCanSignIn(tx, id)).has(id)) throw signsIn(invited.name)
    // Whoever has the link is them: an owner would decide in their place.
    if (await decidesHere(tx, by.workspaceId, id)) throw decides(invited.name)
    await dropInvitations(tx, id)
    await addInvitation(tx, link.row, now)
    await recordChange(tx, stamp, { ...change(by, invited), kind: 'person.reset' })
    return invited
  })
  return { person, code: link.code, expiresAt: link.row.expiresAt }
}

function newLink({ id: personId }: { id: PersonId }, { id: invitedBy }: Person, now: number) {
  const code = randomText(SECRET_CHARS)
  const id = randomText(SECRET_CHARS)
  const expiresAt = now + INVITATION_MS
  return { code, row: { id, hash: hashToken(code), personId, expiresAt, invitedBy } }
}

function change(by: Person, { id, name }: Pick<Person, 'id' | 'name'>) {
  const { workspaceId, id: personId, name: personName } = by
  return { workspaceId, personId, personName, subjectId: id, subjectName: name }
}

/** Why the address is not free; who is invited, but has not signed in yet, needs a new link. */
async function takenFailure(tx: Tx, { workspaceId }: Person, email: string): Promise<Failure> {
  const person = await findPersonByEmail(tx, email)
  const isHere = person?.workspaceId === workspaceId
  if (person && isHere && !(await whoCanSignIn(tx, person.id)).has(person.id)) {
    const message = `${email} is invited already; nothing was added. “New link” replaces the link.`
    return new Failure('conflict', message)
  }
  return new Failure('conflict', `Somebody signs in as ${email} already; nobody was invited.`)
}

function decides(name: string): Failure {
  return new Failure(
    'conflict',
    `${name} guards or decides here, and has not signed in yet, so a new link would let its reader decide for them. Remove and invite them again; nothing was changed.`,
  )
}

function full(): Failure {
  return new Failure('conflict', `A workspace has at most ${PEOPLE_MAX} people; remove some first.`)
}

function signsIn(name: string): Failure {
  return new Failure(
    'conflict',
    `${name} signs in already, so that no link was made. On the server, beckon user reset makes one.`,
  )
}
