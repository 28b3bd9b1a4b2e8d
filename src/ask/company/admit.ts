import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { type Id, newId, randomText } from '../../platform/ids.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import {
  addIdentity,
  findIdentity,
  type Identity,
  listIdentities,
  renewIdentity,
} from '../accounts/model/identity-store.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { dropInvitations, listInvitations } from '../accounts/model/invitation-store.ts'
import { isAuditor, type Person, type Role } from '../accounts/model/person.ts'
import {
  anyOwnerBeside,
  findPersonByEmail,
  insertPerson,
  type ListedPerson,
  listPeople,
  putRole,
  whoCanSignIn,
} from '../accounts/model/person-store.ts'
import { type AuditStamp, auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { PEOPLE_MAX } from '../people/invite-person.ts'
import { putLastSignIn } from './last-sign-in.ts'
import type { Arrival, Groups } from './model/arrival.ts'
import { hasDomain, type Provider } from './model/provider.ts'
import { refusalWords } from './refusals.ts'
import { syncGroups } from './sync-groups.ts'

export type AdmitDeps = {
  db: Db
  clock: Clock
  /** True for somebody whom a directory has made, or taken on. */
  isOfDirectory(read: Read, personId: PersonId): Promise<boolean>
  /** The one person whom the directories of a workspace know by this id. */
  findByExternalId(
    read: Read,
    workspaceId: WorkspaceId,
    externalId: string,
  ): Promise<PersonId | undefined>
}

/**
 * What becomes of somebody whom a provider has proven. `confirm`: the account may be this person’s,
 * who has to say so themselves.
 */
export type Admission =
  | { kind: 'person'; id: string }
  | { kind: 'confirm'; person: Person }
  | { kind: 'refused'; sentence: string }

/** Times and ids, made before the transaction. */
type Entry = Stamps & { id: string; second: AuditStamp } & Pick<
    AdmitDeps,
    'isOfDirectory' | 'findByExternalId'
  >
export type Stamps = { now: number; stamp: AuditStamp; newId: (index: number) => Id<'group'> }

/** Finds or makes the person of an account, or says why nobody is let in. */
export async function admit(
  { db, clock, isOfDirectory, findByExternalId }: AdmitDeps,
  provider: Provider,
  arrival: Arrival,
  from: string,
): Promise<Admission> {
  const now = clock.now()
  const entry: Entry = {
    ...makeStamps(provider, now),
    id: randomText(32),
    second: auditStamp(now),
    ...{ isOfDirectory, findByExternalId },
  }
  return await db.write(async (tx) => {
    await tx.lock(`owners of ${provider.workspaceId}`)
    const admission = await decide(tx, provider, arrival, entry)
    await putLastSignIn(tx, provider, arrival, now)
    if (admission.kind === 'refused') {
      await recordChange(tx, entry.stamp, {
        workspaceId: provider.workspaceId,
        kind: 'sign_in.failed',
        subjectName: arrival.email ?? arrival.name,
        detail: `${provider.name}, from ${from}: ${admission.sentence}`,
      })
    }
    return admission
  })
}

/** Ids and times of what an admission may write; a transaction makes none. */
export function makeStamps({ groups }: Provider, now: number): Stamps {
  const ids = groups.map(() => newId('group', now))
  return { now, stamp: auditStamp(now), newId: (index) => ids[index] ?? newId('group', now) }
}

async function decide(
  tx: Tx,
  provider: Provider,
  arrival: Arrival,
  entry: Entry,
): Promise<Admission> {
  const { workspaceId } = provider
  const people = await listPeople(tx, workspaceId)
  const identity = await findIdentity(tx, arrival.account)
  if (identity) return await renew(tx, { provider, arrival, identity, people }, entry)
  const groups = 'names' in arrival.groups ? arrival.groups : undefined
  if (!isAllowed(provider, groups?.names)) return refuse(groups ? 'groups' : 'groups_unknown')
  const bound = await ofDirectory(tx, { provider, arrival, people }, entry)
  if (bound) return await meet(tx, { provider, arrival, person: bound, isBound: true }, entry)
  const email = arrival.email ?? arrival.claimedEmail
  const person = email === null ? undefined : people.find((one) => one.email === email)
  if (person) return await meet(tx, { provider, arrival, person }, entry)
  // The address belongs to somebody of another workspace.
  if (arrival.email && (await findPersonByEmail(tx, arrival.email))) return refuse('stranger')
  return await join(tx, { provider, arrival, people }, entry)
}

/**
 * Whom a directory calls by the id that came along: then no address has to say who it is. Owners and
 * auditors are nobody’s of a directory.
 */
async function ofDirectory(
  tx: Tx,
  { provider, arrival, people }: Joining,
  { findByExternalId }: Entry,
): Promise<ListedPerson | undefined> {
  const { workspaceId } = provider
  if (arrival.directoryId === undefined) return undefined
  const personId = await findByExternalId(tx, workspaceId, arrival.directoryId)
  return people.find(({ id, role }) => id === personId && role === 'member')
}

function refuse(why: Parameters<typeof refusalWords>[0], provider?: Provider): Admission {
  return { kind: 'refused', sentence: refusalWords(why, provider) }
}

/** True unless the provider demands groups that these are not among. */
function isAllowed({ requiredGroups }: Provider, names: readonly string[] | undefined): boolean {
  return requiredGroups.length === 0 || requiredGroups.some((one) => names?.includes(one))
}

type Renewal = { provider: Provider; arrival: Arrival; identity: Identity; people: ListedPerson[] }

/** The account is somebody’s: groups that are not known stay as they were. */
async function renew(tx: Tx, of: Renewal, entry: Entry): Promise<Admission> {
  const { provider, arrival, identity, people } = of
  const person = people.find(({ id }) => id === identity.personId)
  if (!person) return refuse('stranger')
  if (person.offAt !== null) return refuse('switched_off')
  const names = namesOf(arrival.groups) ?? identity.groups
  await renewIdentity(tx, arrival.account, {
    usedAt: entry.now,
    label: labelOf(arrival),
    groups: namesOf(arrival.groups) ?? null,
  })
  if (!isAllowed(provider, names ?? undefined)) return refuse(names ? 'groups' : 'groups_unknown')
  await syncRole(tx, provider, person, names, entry)
  if (names) await syncGroups(tx, provider, { personId: person.id, names }, entry)
  return { kind: 'person', id: person.id }
}

type Meeting = { provider: Provider; arrival: Arrival; person: ListedPerson; isBound?: boolean }

/** There is a person with this address or id, and the account is nobody’s yet. */
async function meet(
  tx: Tx,
  { provider, arrival, person, isBound = false }: Meeting,
  entry: Entry,
): Promise<Admission> {
  if (arrival.email === null && !isBound) return refuse('unverified', provider)
  if (person.offAt !== null) return refuse('switched_off')
  const identities = await listIdentities(tx, person.id)
  if (identities.some((one) => one.provider === provider.id)) return refuse('taken', provider)
  if (!(await whoCanSignIn(tx, person.id)).has(person.id)) {
    const invited = await listInvitations(tx, [person.id], entry.now)
    // A directory invites whom it makes: it has said who has this address.
    const isExpected = invited.has(person.id) || (await entry.isOfDirectory(tx, person.id))
    if (!isExpected) return refuse('expired')
    await dropInvitations(tx, person.id)
    await connect(tx, { provider, arrival, person }, entry)
    return { kind: 'person', id: person.id }
  }
  const mayConfirm = isBound || hasDomain(provider, arrival.domain)
  if (!provider.links || !mayConfirm) return refuse('connect', provider)
  return { kind: 'confirm', person }
}

type Joining = { provider: Provider; arrival: Arrival; people: readonly ListedPerson[] }

/** Makes a member of somebody whom nobody invited, where the provider may. */
async function join(
  tx: Tx,
  { provider, arrival, people }: Joining,
  entry: Entry,
): Promise<Admission> {
  const { workspaceId, joins, domains } = provider
  if (!joins) return refuse('stranger')
  if (domains.length > 0 && arrival.email === null) return refuse('no_address', provider)
  if (domains.length > 0 && !hasDomain(provider, arrival.domain)) return refuse('stranger')
  if (people.length >= PEOPLE_MAX) return refuse('full')
  const names = namesOf(arrival.groups)
  const role = roleOf(provider, names) ?? 'member'
  const person = {
    id: entry.id,
    name: arrival.name,
    email: arrival.email ?? placeholder(arrival),
    workspaceId,
    role,
  }
  if (!(await insertPerson(tx, person, entry.now))) return refuse('stranger')
  await recordChange(tx, entry.second, {
    workspaceId,
    kind: 'person.added',
    subjectId: person.id,
    subjectName: person.name,
    detail: `${role}, through ${provider.name}`,
  })
  await connect(tx, { provider, arrival, person }, entry)
  return { kind: 'person', id: person.id }
}

type Connection = {
  provider: Provider
  arrival: Arrival
  person: Pick<Person, 'id' | 'name' | 'role'>
}

/** Connects an account to a person; false if it is somebody’s already. */
export async function connect(
  tx: Tx,
  { provider, arrival, person }: Connection,
  stamps: Stamps,
): Promise<boolean> {
  const { now, stamp } = stamps
  const { workspaceId } = provider
  const names = namesOf(arrival.groups) ?? null
  const isAdded = await addIdentity(tx, {
    ...arrival.account,
    workspaceId,
    personId: person.id,
    label: labelOf(arrival),
    groups: names,
    createdAt: now,
    usedAt: now,
  })
  if (!isAdded) return false
  await recordChange(tx, stamp, {
    workspaceId,
    kind: 'identity.linked',
    personId: person.id,
    personName: person.name,
    subjectId: provider.id,
    subjectName: `${provider.name}: ${labelOf(arrival)}`,
  })
  if (names) await syncGroups(tx, provider, { personId: person.id, names }, stamps)
  const role = roleOf(provider, names)
  // An auditor stays one until an owner changes that.
  if (role === undefined || isAuditor(person)) return true
  const isLast = role !== 'owner' && !(await anyOwnerBeside(tx, workspaceId, person.id))
  const roleNow = person.role === 'owner' && isLast ? 'owner' : role
  await putRole(tx, { workspaceId, personId: person.id, role: roleNow, roleFrom: provider.name })
  return true
}

/** Gives a person the role of their groups; the last owner stays one. */
async function syncRole(
  tx: Tx,
  provider: Provider,
  person: ListedPerson,
  names: readonly string[] | null,
  { second }: Entry,
): Promise<void> {
  const { workspaceId, name: roleFrom } = provider
  const personId = person.id
  if (isAuditor(person)) return
  const role = roleOf(provider, names)
  if (role === undefined) {
    const isFreed = provider.ownerGroups.length === 0 && person.roleFrom === roleFrom
    if (isFreed) await putRole(tx, { workspaceId, personId, role: person.role })
    return
  }
  const isKept =
    person.role === 'owner' &&
    role !== 'owner' &&
    !(await anyOwnerBeside(tx, workspaceId, personId))
  const next = isKept ? person.role : role
  if (next === person.role && person.roleFrom === roleFrom) return
  await putRole(tx, { workspaceId, personId, role: next, roleFrom })
  if (next === person.role && !isKept) return
  await recordChange(tx, second, {
    workspaceId,
    kind: 'person.role_changed' satisfies RecordedKind,
    subjectId: personId,
    subjectName: person.name,
    detail: isKept
      ? `stays owner: ${roleFrom} says member, and this is the only owner`
      : `${next}, by the groups of ${roleFrom}`,
  })
}

/** The role that these groups give; undefined if they give none, or are not known. */
function roleOf(
  { ownerGroups }: Provider,
  names: readonly string[] | null | undefined,
): Role | undefined {
  if (ownerGroups.length === 0 || !names) return undefined
  return ownerGroups.some((one) => names.includes(one)) ? 'owner' : 'member'
}

function namesOf(groups: Groups): string[] | undefined {
  return 'names' in groups ? groups.names : undefined
}

function labelOf({ email, claimedEmail, name }: Arrival): string {
  return email ?? claimedEmail ?? name
}

/** An address for somebody whose provider vouches for none; nothing is ever sent to it. */
function placeholder({ account: { provider, issuer, subject } }: Arrival): string {
  return `${sha256(`${issuer} ${subject}`).slice(0, 16)}@${provider}.invalid`
}
