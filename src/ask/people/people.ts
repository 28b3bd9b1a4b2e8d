import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { dropSetting } from '../../platform/db/settings-store.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { hashToken } from '../accounts/model/agent.ts'
import { dropInvitationsBy } from '../accounts/model/gone-store.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { addInvitation, dropInvitations } from '../accounts/model/invitation-store.ts'
import { must, type Person, type Role } from '../accounts/model/person.ts'
import {
  cleanEmail,
  hashPassword,
  wrongEmail,
  wrongPassword,
  wrongPersonName,
} from '../accounts/model/person-rules.ts'
import {
  anyPerson,
  findPersonByEmail,
  insertPerson as keepPerson,
  lockEntry,
  putPassword,
  putRole,
  shutOut,
} from '../accounts/model/person-store.ts'
import { homeWorkspace } from '../accounts/model/workspace-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { afterSignOut } from '../sign-in/after-sign-out.ts'
import { SETUP_KEY } from '../sign-in/set-up.ts'
import type { RemoveDeps } from './remove-person.ts'
import { endActing, requireMember, requireOtherOwner, switchTokens } from './switch-off.ts'

type Deps = { db: Db; clock: Clock }

/** A person, and the code of their one-time link unless they were given a password. */
export type Invited = { person: Person; code: string | undefined }

const SECRET_CHARS = 32
// Long enough to send it to somebody in another way, short enough that a forgotten link is
// harmless.
export const INVITATION_MS = 24 * 60 * 60 * 1_000

/**
 * Adds a person who may sign in. The first one becomes the owner unless said otherwise, and ends
 * the first-run link. Throws `invalid_input`, and `conflict` if the address is taken.
 */
export async function addPerson(
  { db, clock }: Deps,
  input: { email: string; name?: string; role?: Role; password?: string },
): Promise<Invited> {
  const email = cleanEmail(input.email)
  const name = cleanLine(input.name ?? '') || email.replace(/(.)@[^@]*$/, '$1')
  const wrong = [
    ...wrongEmail(email),
    ...wrongPersonName(name),
    ...wrongOptional(input.password, { name, email }),
  ]
  if (wrong.length > 0) throw wrongFields(wrong)

  const now = clock.now()
  const id = randomText(SECRET_CHARS)
  const newWorkspace = newId('ws', now)
  const entry = await makeEntry(input.password)
  const stamp = auditStamp(now)
  const person = await db.write(async (tx) => {
    await tx.lock('first-person')
    const role = input.role ?? ((await anyPerson(tx)) ? 'member' : 'owner')
    const workspaceId = await homeWorkspace(tx, newWorkspace, now)
    const added = { id, name, email, workspaceId, role }
    if (!(await keepPerson(tx, added, now))) throw takenFailure(email)
    await dropSetting(tx, SETUP_KEY)
    await openEntry(tx, id, entry, now)
    const subject = { subjectId: id, subjectName: name, detail: role }
    await recordChange(tx, stamp, { workspaceId, kind: 'person.added', ...subject })
    return added
  })
  return { person, code: entry.code }
}

/**
 * Resets a person's access: with a password at once, or with a one-time link. Until the link is
 * used, nothing changes for them. Throws `not_found` and `invalid_input`.
 */
export async function resetPerson(
  { db, clock }: Deps,
  input: { email: string; password?: string },
): Promise<Invited> {
  const email = cleanEmail(input.email)
  const person = await findPersonByEmail(db.read, email)
  if (!person) throw new Failure('not_found', `Nobody signs in as ${email}; nothing was changed.`)
  const wrong = wrongOptional(input.password, person)
  if (wrong.length > 0) throw wrongFields(wrong)

  const now = clock.now()
  const entry = await makeEntry(input.password)
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await lockEntry(tx, person.id)
    await dropInvitations(tx, person.id)
    if (entry.hash) {
      await shutOut(tx, person.id)
      await afterSignOut(tx, person.id, now)
    }
    await openEntry(tx, person.id, entry, now)
    const { workspaceId, id, name } = person
    const subject = { subjectId: id, subjectName: name }
    await recordChange(tx, stamp, { workspaceId, kind: 'person.reset', ...subject })
  })
  return { person, code: entry.code }
}

type Entry = { id: string; hash: string | undefined; code: string | undefined }

async function makeEntry(password: string | undefined): Promise<Entry> {
  const id = randomText(SECRET_CHARS)
  if (password === undefined) return { id, hash: undefined, code: randomText(SECRET_CHARS) }
  return { id, hash: await hashPassword(password), code: undefined }
}

async function openEntry(tx: Tx, personId: PersonId, { id, hash, code }: Entry, now: number) {
  if (hash) await putPassword(tx, { id, personId, hash }, now)
  if (!code) return
  const expiresAt = now + INVITATION_MS
  await addInvitation(tx, { id, hash: hashToken(code), personId, expiresAt }, now)
}

function wrongOptional(password: string | undefined, who: Pick<Person, 'name' | 'email'>) {
  return password === undefined ? [] : wrongPassword(password, who)
}

function takenFailure(email: string): Failure {
  return new Failure(
    'conflict',
    `Somebody signs in as ${email} already; nothing was added. An owner changes roles under Settings, People.`,
  )
}

/**
 * Makes a person of the workspace of `by` an owner, a member or an auditor, from their next request on.
 * Of an auditor all that acts in their name ends, as of somebody who is switched off. Throws `forbidden`, `not_found`, and `conflict` if no owner would be left.
 */
export async function changeRole(
  { db, clock, personGone }: RemoveDeps,
  by: Person,
  { personId, role }: { personId: PersonId; role: Role },
): Promise<Person> {
  must(by, 'people')
  const { workspaceId } = by
  const stamp = auditStamp(clock.now())
  const done = await db.write(async (tx) => {
    await tx.lock(`owners of ${workspaceId}`)
    const member = await requireMember(tx, workspaceId, personId)
    const { id, name, email, offAt } = member
    const changed = { id, name, email, workspaceId, role }
    if (member.role === role) return { changed }
    // A provider's groups make owners and members; an auditor an owner makes.
    if (member.roleFrom !== null && role !== 'auditor') throw setElsewhere(name, member.roleFrom)
    await requireOtherOwner(tx, member, 'nothing was changed')
    await putRole(tx, { workspaceId, personId: id, role })
    // Only owners invite.
    if (role !== 'owner') await dropInvitationsBy(tx, id)
    const whose = { workspaceId, personId: id, personName: name, by, at: stamp.at }
    const after =
      role === 'auditor' ? await endActing(tx, personGone(), { ...whose, is: role }) : undefined
    if (member.role === 'auditor' && offAt === null) await switchTokens(tx, whose, null)
    tx.emit('subscriber', workspaceId)
    tx.emit('sign_in', id)
    const subject = { subjectId: id, subjectName: name, detail: role }
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'person.role_changed',
      personId: by.id,
      personName: by.name,
      ...subject,
    })
    return { changed, after }
  })
  done.after?.()
  return done.changed
}

function setElsewhere(name: string, from: string): Failure {
  return new Failure(
    'conflict',
    `${from} sets the role of ${name}, by their groups there; nothing was changed. Change it there.`,
  )
}
