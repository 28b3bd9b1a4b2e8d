import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findInvitation, isFromPerson, takeInvitation } from '../accounts/model/invitation-store.ts'
import type { Person, Role } from '../accounts/model/person.ts'
import {
  cleanEmail,
  hashPassword,
  wrongEmail,
  wrongPassword,
  wrongPersonName,
} from '../accounts/model/person-rules.ts'
import {
  anyPerson,
  findPerson,
  insertPerson,
  lockEntry,
  putName,
  putPassword,
  shutOut,
  whoCanSignIn,
} from '../accounts/model/person-store.ts'
import { homeWorkspace } from '../accounts/model/workspace-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { afterSignOut } from './after-sign-out.ts'

type Deps = { db: Db; clock: Clock }

/** The setting that stores the hashes of the first-run codes, the newest first. */
export const SETUP_KEY = 'setup_key'
const CODE_CHARS = 32
// How many processes that share a database may each print a link.
const LINKS_MOST = 8

/**
 * While nobody can sign in: creates a new code for the first-run link, which makes its bearer the
 * owner. It is valid until one is used or the next one is created. With `others`, processes on the
 * same database that have printed their own links, the newest eight stay valid. Undefined once
 * there is a person.
 */
export async function openSetUp(
  { db, clock }: Deps,
  { others = false }: { others?: boolean } = {},
): Promise<string | undefined> {
  const code = randomText(CODE_CHARS)
  const now = clock.now()
  return await db.write(async (tx) => {
    await tx.lock('first-person')
    if (await anyPerson(tx)) return undefined
    const earlier = others ? await readCodes(tx) : []
    const hashes = [hashToken(code), ...earlier].slice(0, LINKS_MOST)
    await putSetting(tx, SETUP_KEY, hashes.join(' '), now)
    return code
  })
}

async function readCodes(read: Read): Promise<string[]> {
  return (await readSetting(read, SETUP_KEY))?.split(' ') ?? []
}

/** The address of the set-up page with this code. */
export function setUpUrl(baseUrl: string, code: string): string {
  return `${baseUrl}/setup?key=${code}`
}

/**
 * The addressee of a set-up link: the first owner, or an added or reset person who chooses a
 * password.
 */
export type SetUpInvitation =
  | { kind: 'owner' }
  | { kind: 'password'; name: string; email: string; isNew: boolean }

/**
 * Returns the invitation of the link with this code; undefined when it is used, replaced, expired
 * or unknown.
 */
export async function readInvitation(
  { db, clock }: Deps,
  code: string,
): Promise<SetUpInvitation | undefined> {
  const hash = hashToken(code)
  if ((await readCodes(db.read)).includes(hash)) return { kind: 'owner' }
  const personId = await findInvitation(db.read, hash, clock.now())
  const person = personId && (await findPerson(db.read, personId))
  if (!person) return undefined
  const isNew = !(await whoCanSignIn(db.read, person.id)).has(person.id)
  return { kind: 'password', name: person.name, email: person.email, isNew }
}

/** The role of whoever a person invited with this link; undefined for a link made on the server. */
export async function invitedAs({ db, clock }: Deps, code: string): Promise<Role | undefined> {
  const hash = hashToken(code)
  if (!(await isFromPerson(db.read, hash))) return undefined
  const personId = await findInvitation(db.read, hash, clock.now())
  return personId ? (await findPerson(db.read, personId))?.role : undefined
}

/**
 * The form that the person filled in; without a password they register a passkey once signed in.
 */
export type SetUpForm = { code: string; name: string; email: string; password: string | undefined }

/**
 * Uses up the link: creates the owner and their workspace, or gives an invited person a new start
 * (earlier sign-ins, password and passkeys end). Of two at once, one succeeds. Returns whom to sign
 * in. Throws `gone` for a used link, `invalid_input` naming each wrong field.
 */
export async function setUp(deps: Deps, form: SetUpForm): Promise<PersonId> {
  const invitation = await readInvitation(deps, form.code)
  if (!invitation) throw spentFailure()
  const clean = { ...form, name: cleanLine(form.name), email: cleanEmail(form.email) }
  const wrong = wrongForm(invitation, clean)
  if (wrong.length > 0) throw wrongFields(wrong)

  const now = deps.clock.now()
  const stamp = auditStamp(now)
  const spend = invitation.kind === 'owner' ? makeOwner(clean, now) : restart(clean, now)
  const password = form.password === undefined ? undefined : await hashPassword(form.password)
  const passwordId = randomText(CODE_CHARS)

  return await deps.db.write(async (tx) => {
    const person = await spend(tx)
    const { id, name, workspaceId } = person
    if (password) await putPassword(tx, { id: passwordId, personId: id, hash: password }, now)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'sign_in.set_up',
      detail: password ? 'password' : 'passkey',
      personId: id,
      personName: name,
      subjectId: id,
      subjectName: name,
    })
    return id
  })
}

function wrongForm(invitation: SetUpInvitation, { name, email, password }: SetUpForm) {
  const isOwner = invitation.kind === 'owner'
  const who = isOwner ? { name, email } : { name: name || invitation.name, email: invitation.email }
  return [
    ...(isOwner || name !== '' ? wrongPersonName(name) : []),
    ...(isOwner ? wrongEmail(email) : []),
    ...(password === undefined ? [] : wrongPassword(password, who)),
  ]
}

function makeOwner({ code, name, email }: SetUpForm, now: number) {
  const ids = { person: randomText(CODE_CHARS), workspace: newId('ws', now) }
  return async (tx: Tx): Promise<Person> => {
    await tx.lock('first-person')
    const isOpen = (await readCodes(tx)).includes(hashToken(code))
    if (!isOpen || (await anyPerson(tx))) throw spentFailure()
    await dropSetting(tx, SETUP_KEY)
    const workspaceId = await homeWorkspace(tx, ids.workspace, now)
    const owner = { id: ids.person, name, email, workspaceId, role: 'owner' } as const
    await insertPerson(tx, owner, now)
    return owner
  }
}

/** Somebody who signs in for the first time may choose another name than they were invited with. */
function restart({ code, name }: SetUpForm, now: number) {
  return async (tx: Tx): Promise<Person> => {
    const personId = await takeInvitation(tx, hashToken(code), now)
    const person = personId && (await findPerson(tx, personId))
    if (!person) throw spentFailure()
    await lockEntry(tx, person.id)
    const isNew = !(await whoCanSignIn(tx, person.id)).has(person.id)
    await shutOut(tx, person.id)
    await afterSignOut(tx, person.id, now)
    if (!isNew || name === '') return person
    await putName(tx, { personId, name }, now)
    return { ...person, name }
  }
}

function spentFailure(): Failure {
  return new Failure(
    'gone',
    'This set-up link has been used, has expired or was replaced by a newer one. Ask whoever runs the server for a new one.',
  )
}

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
