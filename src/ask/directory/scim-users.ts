import type { Read, Tx } from '../../platform/db/database.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import type { PersonGone } from '../accounts/model/person-gone.ts'
import { insertPerson, listPeople, putName } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { PEOPLE_MAX } from '../people/invite-person.ts'
import { switchOff, switchOn } from '../people/switch-off.ts'
import { refusalForOwners, scimError } from './model/scim-error.ts'
import {
  addDirectoryPerson,
  type Directory,
  type DirectoryPerson,
  isOfDirectory,
  listDirectoryPeople,
  putDirectoryPerson,
} from './model/store.ts'
import { emailOfUser, nameOfUser, type ScimUser, type UserChange } from './model/user.ts'

/** One request of a directory: ids and the time are made before its transaction. */
export type Turn = {
  directory: Directory
  now: number
  newPerson: string
  newUser: DirectoryPerson['id']
  parts: () => readonly PersonGone[]
  /** What happens once the transaction is committed. */
  afterwards: Array<() => void>
}

export function makeTurn(directory: Directory, now: number, parts: Turn['parts']): Turn {
  return {
    ...{ directory, now, parts, afterwards: [] },
    newPerson: randomText(32),
    newUser: newId('usr', now),
  }
}

/** The users that the directory sees: those that it made and has not deleted. */
export async function listUsers(read: Read, directory: Directory): Promise<DirectoryPerson[]> {
  return (await listDirectoryPeople(read, directory)).filter(({ deletedAt }) => deletedAt === null)
}

/** A user by its id. Throws a 404. */
export async function requireUser(tx: Tx, { directory }: Turn, id: string) {
  const user = (await listUsers(tx, directory)).find((one) => one.id === id)
  if (user) return user
  throw scimError(404, 'There is no such user here.')
}

/** Makes a user, or brings back the one that the directory had deleted. */
export async function createUser(tx: Tx, turn: Turn, change: UserChange): Promise<string> {
  const { directory, now } = turn
  const { workspaceId } = directory
  const { user, active = true } = change
  await tx.lock(`owners of ${workspaceId}`)
  const all = await listDirectoryPeople(tx, directory)
  const userName = user.userName.toLowerCase()
  const isSame = (one: DirectoryPerson) =>
    one.userName === userName ||
    (user.externalId !== undefined && one.externalId === user.externalId)
  const existing = all.find(isSame)
  if (existing?.deletedAt === null) throw taken('userName or externalId')
  if (existing) {
    await writeUser(tx, turn, existing, { user, active })
    return existing.id
  }
  const email = emailOfUser(user) ?? placeholder(directory, userName)
  const personId = (await adoptMember(tx, turn, email)) ?? (await addMember(tx, turn, user, email))
  const row = {
    ...{ id: turn.newUser, directoryId: directory.id, personId, userName },
    ...{ externalId: user.externalId ?? null, attributes: user },
    ...{ createdAt: now, updatedAt: now, deletedAt: null },
  }
  await addDirectoryPerson(tx, row)
  if (!active) await setActive(tx, turn, { ...row, offAt: null }, false)
  return turn.newUser
}

async function addMember(tx: Tx, turn: Turn, user: ScimUser, email: string): Promise<PersonId> {
  const { workspaceId } = turn.directory
  if ((await listPeople(tx, workspaceId)).length >= PEOPLE_MAX) {
    throw refusalForOwners(403, `There are ${PEOPLE_MAX} people here, the most there may be.`)
  }
  const id = turn.newPerson
  const person = { id, name: nameOfUser(user), email, workspaceId, role: 'member' } as const
  if (!(await insertPerson(tx, person, turn.now))) throw taken('address')
  await record(tx, turn, 'person.added', person)
  return id
}

/**
 * Makes a member who is here already a user of the directory, if it says their address. It does not
 * sign in as them, nor switch anybody on: owners, auditors, whoever is switched off, and the people of
 * another directory stay as they are, and are refused with a 409.
 */
async function adoptMember(tx: Tx, turn: Turn, email: string): Promise<PersonId | undefined> {
  const { directory, now } = turn
  const { workspaceId } = directory
  const person = (await listPeople(tx, workspaceId)).find((one) => one.email === email)
  if (!person) return undefined
  const isFree = person.role === 'member' && person.offAt === null
  if (!isFree || (await isOfDirectory(tx, person.id))) throw addressTaken(person)
  await recordChange(tx, auditStamp(now), {
    ...{ workspaceId, kind: 'directory.changed', subjectId: person.id, subjectName: person.name },
    detail: `a user of ${directory.name} from now on`,
  })
  return person.id
}

/** An address for somebody without one; nothing is ever sent to it. */
function placeholder({ id }: Directory, userName: string): string {
  return `${sha256(`${id} ${userName}`).slice(0, 16)}@directory.invalid`
}

/** Writes what changed of a user, and switches them on or off. */
export async function writeUser(
  tx: Tx,
  turn: Turn,
  before: DirectoryPerson,
  { user, active }: UserChange,
): Promise<void> {
  const { directory, now } = turn
  await tx.lock(`owners of ${directory.workspaceId}`)
  const userName = user.userName.toLowerCase()
  const all = await listDirectoryPeople(tx, directory)
  if (all.some((one) => one.id !== before.id && one.userName === userName)) throw taken('userName')
  await putDirectoryPerson(tx, before.id, {
    ...{ userName, externalId: user.externalId ?? null, attributes: user },
    ...{ updatedAt: now, deletedAt: null },
  })
  const name = nameOfUser(user)
  if (name !== nameOfUser(before.attributes)) {
    await putName(tx, { personId: before.personId, name }, now)
  }
  if (active !== undefined) await setActive(tx, turn, before, active)
}

/** Deletes a user for the directory: the person is switched off, and stays for the trail. */
export async function deleteUser(tx: Tx, turn: Turn, user: DirectoryPerson): Promise<void> {
  await tx.lock(`owners of ${turn.directory.workspaceId}`)
  await setActive(tx, turn, user, false)
  await putDirectoryPerson(tx, user.id, { ...user, updatedAt: turn.now, deletedAt: turn.now })
}

async function setActive(tx: Tx, turn: Turn, user: DirectoryPerson, isOn: boolean): Promise<void> {
  const { directory, now } = turn
  const of = {
    ...{ workspaceId: directory.workspaceId, personId: user.personId, by: undefined },
    how: byDirectory(directory),
  }
  if (isOn) turn.afterwards.push(await switchOn(tx, of, auditStamp(now)))
  else turn.afterwards.push(await switchOff(tx, turn.parts(), of, auditStamp(now)))
}

export function byDirectory({ name }: Directory): string {
  return `by directory ${name}`
}

function record(
  tx: Tx,
  { directory, now }: Turn,
  kind: 'person.added',
  { id, name }: Pick<Person, 'id' | 'name'>,
): Promise<void> {
  const { workspaceId } = directory
  const subject = { subjectId: id, subjectName: name, detail: `member, ${byDirectory(directory)}` }
  return recordChange(tx, auditStamp(now), { workspaceId, kind, ...subject })
}

function addressTaken({ name, email }: Pick<Person, 'name' | 'email'>) {
  const why = `${name} is here already, with its address ${email}, and is no active member whom it may take on. Members may be taken on: give them that role, or another address to either.`
  return refusalForOwners(409, 'Somebody here has this address already.', why)
}

function taken(what: string) {
  return scimError(409, `Somebody here has this ${what} already.`, 'uniqueness')
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A user as directories read it; `groups` are those it is in by this directory. */
export function shownUser(
  { id, attributes, externalId, offAt, createdAt, updatedAt }: DirectoryPerson,
  { base, groups }: { base: string; groups: { id: string; name: string }[] },
) {
  const { userName, displayName, name, emails }: ScimUser = attributes
  const location = `${base}/Users/${id}`
  return {
    schemas: [USER],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(displayName === undefined ? {} : { displayName }),
    ...(name === undefined ? {} : { name }),
    ...(emails === undefined ? {} : { emails }),
    active: offAt === null,
    groups: groups.map((group) => ({
      value: group.id,
      display: group.name,
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: { resourceType: 'User', ...metaTimes(createdAt, updatedAt), location },
  }
}

export function metaTimes(createdAt: number, updatedAt: number) {
  const iso = (at: number) => new Date(at).toISOString()
  return { created: iso(createdAt), lastModified: iso(updatedAt) }
}
