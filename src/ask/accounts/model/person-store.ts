import { and, asc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared, preparedFor } from '../../../platform/db/prepared.ts'
import { account, passkey, session, user, verification } from './auth-tables.ts'
import type { PersonId, WorkspaceId } from './ids.ts'
import type { Person, Role, Visibility } from './person.ts'
import { identities, members, pairingCodes, workspaces } from './table.ts'

/** Returns true if there is a person who can sign in. */
export async function anyPerson(read: Read): Promise<boolean> {
  const [somebody] = await read.select({ id: user.id }).from(user).limit(1)
  return somebody !== undefined
}

export type NewPerson = {
  id: PersonId
  name: string
  email: string
  workspaceId: WorkspaceId
  role: Role
}

/** Adds a person and their membership; false when the address is taken. */
export async function insertPerson(tx: Tx, person: NewPerson, now: number): Promise<boolean> {
  const { id, name, email, workspaceId, role } = person
  const at = new Date(now)
  const added = await tx
    .insert(user)
    .values({ id, name, email, emailVerified: true, createdAt: at, updatedAt: at })
    .onConflictDoNothing()
    .returning()
  if (added.length === 0) return false
  await tx.insert(members).values({ workspaceId, personId: id, role, createdAt: now })
  return true
}

/** The person, in the workspace they joined first; undefined for somebody without a workspace. */
export async function findPerson(read: Read, id: PersonId): Promise<Person | undefined> {
  const [row] = await people(read).where(eq(user.id, id)).orderBy(asc(members.workspaceId))
  return row && fromRow(row)
}

export async function findPersonByEmail(read: Read, email: string): Promise<Person | undefined> {
  const [row] = await people(read).where(eq(user.email, email)).orderBy(asc(members.workspaceId))
  return row && fromRow(row)
}

/** As `findPerson`, or in workspace `of`; undefined also for somebody who was switched off there. */
export async function findActivePerson(
  read: Read,
  id: PersonId,
  of?: WorkspaceId,
): Promise<Person | undefined> {
  const there = of === undefined ? undefined : eq(members.workspaceId, of)
  const [row] = await people(read)
    .where(and(eq(user.id, id), isNull(members.offAt), there))
    .orderBy(asc(members.workspaceId))
  return row && fromRow(row)
}

/** A sign-in with its person, when it was last used, when it ends, and what proved it. */
export type SignedIn = {
  id: string
  person: Person
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  /** The provider that signed them in, and until when that holds; null without one. */
  provider: string | null
  provenUntil: Date | null
  /** When they proved themselves to the provider; null if it does not say. */
  provenAt: Date | null
  /** Set if a pairing code signed it in. */
  pairedAt: Date | null
}

/** Finds the person who signed in with this token, in the workspace they joined first. */
export async function findSignedIn(read: Read, token: string): Promise<SignedIn | undefined> {
  const [row] = await findByToken(read).execute({ token })
  if (!row) return undefined
  const { signInId: id, createdAt, updatedAt, expiresAt, pairedAt, ...more } = row
  const { provider, provenUntil, provenAt, ...person } = more
  const times = { createdAt, updatedAt, expiresAt, pairedAt }
  return { id, person: fromRow(person), ...times, provider, provenUntil, provenAt }
}

export type ListedPerson = Person & {
  workspace: string
  createdAt: Date
  /** When they were switched off. */
  offAt: number | null
  /** What sets their role; null if owners do. */
  roleFrom: string | null
}

/**
 * Everybody, once for each workspace they belong to; only those of workspace `of`, and of them only
 * `among`, if given.
 */
export async function listPeople(
  read: Read,
  of?: WorkspaceId,
  among?: readonly PersonId[],
): Promise<ListedPerson[]> {
  if (of === undefined) return await listed(read)
  if (!among) return await listed(read, eq(members.workspaceId, of))
  return among.length > 0 ? await findAmong(read, among, { of }) : []
}

// Every vote reads it.
const findAmong = preparedFor((read: Read, ids) =>
  listed(
    read,
    and(eq(members.workspaceId, sql.placeholder('of')), inArray(members.personId, ids)),
  ).prepare(),
)

function listed(read: Read, where?: SQL) {
  return read
    .select({
      ...PERSON,
      workspace: workspaces.name,
      createdAt: user.createdAt,
      offAt: members.offAt,
      roleFrom: members.roleFrom,
    })
    .from(user)
    .innerJoin(members, eq(members.personId, user.id))
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(where)
    .orderBy(asc(user.email), asc(workspaces.id))
}

/** Returns true if the workspace has an owner, not switched off, who is not this person. */
export async function anyOwnerBeside(
  read: Read,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<boolean> {
  const [other] = await read
    .select({ id: members.personId })
    .from(members)
    .where(
      and(
        eq(members.workspaceId, workspaceId),
        eq(members.role, 'owner'),
        isNull(members.offAt),
        ne(members.personId, personId),
      ),
    )
    .limit(1)
  return other !== undefined
}

/** The owners of a workspace who are not switched off. */
export async function listOwners(read: Read, workspaceId: WorkspaceId): Promise<PersonId[]> {
  const rows = await read
    .select({ id: members.personId })
    .from(members)
    .where(
      and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner'), isNull(members.offAt)),
    )
    .orderBy(asc(members.personId))
  return rows.map(({ id }) => id)
}

/** The person's role in the workspace; undefined if they are not a member, or switched off. */
export async function findRole(
  read: Read,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<Role | undefined> {
  const [member] = await read
    .select({ role: members.role })
    .from(members)
    .where(
      and(
        eq(members.workspaceId, workspaceId),
        eq(members.personId, personId),
        isNull(members.offAt),
      ),
    )
  return member?.role
}

/** Switches a person on or off in a workspace; false if they were so already. */
export async function putOff(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
  offAt: number | null,
): Promise<boolean> {
  const changed = await tx
    .update(members)
    .set({ offAt })
    .where(
      and(
        eq(members.workspaceId, workspaceId),
        eq(members.personId, personId),
        offAt === null ? isNotNull(members.offAt) : isNull(members.offAt),
      ),
    )
    .returning()
  return changed.length > 0
}

/** Sets the person's role in the workspace, and what it comes from if not from an owner. */
export async function putRole(
  tx: Tx,
  {
    workspaceId,
    personId,
    role,
    roleFrom = null,
  }: { workspaceId: WorkspaceId; personId: PersonId; role: Role; roleFrom?: string | null },
): Promise<void> {
  await tx
    .update(members)
    .set({ role, roleFrom })
    .where(and(eq(members.workspaceId, workspaceId), eq(members.personId, personId)))
}

/** The ids of people who have a password, a passkey or a provider's account; only `of` if given. */
export async function whoCanSignIn(read: Read, of?: PersonId): Promise<ReadonlySet<string>> {
  const accounts = await read
    .selectDistinct({ id: identities.personId })
    .from(identities)
    .where(of === undefined ? undefined : eq(identities.personId, of))
  return new Set([...(await whoSignsInLocally(read, of)), ...accounts.map(({ id }) => id)])
}

/** The ids of people who have a password or a passkey; only `of` if given. */
export async function whoSignsInLocally(read: Read, of?: PersonId): Promise<ReadonlySet<string>> {
  const passwords = await read
    .selectDistinct({ id: account.userId })
    .from(account)
    .where(of === undefined ? undefined : eq(account.userId, of))
  const passkeys = await read
    .selectDistinct({ id: passkey.userId })
    .from(passkey)
    .where(of === undefined ? undefined : eq(passkey.userId, of))
  return new Set([...passwords, ...passkeys].map(({ id }) => id))
}

/**
 * Anybody who changes how a person signs in holds this lock until commit, because links, passwords
 * and passkeys are several rows.
 */
export function lockEntry(tx: Tx, personId: PersonId): Promise<void> {
  return tx.lock(`entry of ${personId}`)
}

/** Returns true if the person has a password; a passkey does not count. */
export async function hasPassword(read: Read, personId: PersonId): Promise<boolean> {
  const [row] = await read
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.userId, personId), isNotNull(account.password)))
    .limit(1)
  return row !== undefined
}

/** Sets the person's password in place of any other. */
export async function putPassword(
  tx: Tx,
  password: { id: string; personId: PersonId; hash: string },
  now: number,
): Promise<void> {
  const { id, personId, hash } = password
  const at = new Date(now)
  await tx.delete(account).where(eq(account.userId, personId))
  await tx.insert(account).values({
    id,
    userId: personId,
    accountId: personId,
    providerId: 'credential',
    password: hash,
    createdAt: at,
    updatedAt: at,
  })
}

/**
 * Ends a membership; a person who belongs to no other workspace is deleted, with every way to sign
 * in.
 */
export async function leaveWorkspace(
  tx: Tx,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<void> {
  const mine = eq(members.personId, personId)
  await tx.delete(members).where(and(eq(members.workspaceId, workspaceId), mine))
  const [other] = await tx.select({ id: members.workspaceId }).from(members).where(mine).limit(1)
  tx.emit('sign_in', personId)
  if (other) return
  await shutOut(tx, personId)
  await tx.delete(identities).where(eq(identities.personId, personId))
  await tx.delete(verification).where(eq(verification.value, personId))
  await tx.delete(user).where(eq(user.id, personId))
}

/** Renames a person. */
export async function putName(
  tx: Tx,
  { personId, name }: { personId: PersonId; name: string },
  now: number,
): Promise<void> {
  await tx
    .update(user)
    .set({ name, updatedAt: new Date(now) })
    .where(eq(user.id, personId))
}

/** Deletes every way in: sign-ins, password, passkeys, pairings. */
export async function shutOut(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(session).where(eq(session.userId, personId))
  await tx.delete(account).where(eq(account.userId, personId))
  await tx.delete(passkey).where(eq(passkey.userId, personId))
  await tx.delete(pairingCodes).where(eq(pairingCodes.personId, personId))
}

const PERSON = {
  id: user.id,
  name: user.name,
  email: user.email,
  workspaceId: members.workspaceId,
  role: members.role,
}

// Every request of a signed-in person reads it.
const findByToken = prepared((read: Read) =>
  read
    .select({
      ...PERSON,
      visibility: workspaces.visibility,
      signInId: session.id,
      createdAt: session.createdAt,
      updatedAt: session.updatedAt,
      expiresAt: session.expiresAt,
      provider: session.provider,
      provenUntil: session.provenUntil,
      provenAt: session.provenAt,
      pairedAt: session.pairedAt,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(members, eq(members.personId, user.id))
    .leftJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(and(eq(session.token, sql.placeholder('token')), isNull(members.offAt)))
    .orderBy(asc(members.workspaceId))
    .limit(1)
    .prepare(),
)

function people(read: Read) {
  return read
    .select({ ...PERSON, visibility: workspaces.visibility })
    .from(user)
    .innerJoin(members, eq(members.personId, user.id))
    .leftJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .$dynamic()
}

function fromRow({ visibility, ...person }: Person & { visibility: Visibility | null }): Person {
  if (person.role !== 'member' || !visibility || visibility === 'workspace') return person
  return { ...person, sees: visibility }
}
