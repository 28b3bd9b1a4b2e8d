import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanLine } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import type { Guard } from '../accounts/model/guarded-change.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { Group, GroupId, GroupMember } from './model/group.ts'
import {
  deleteGroup,
  findGroup,
  findGroupByName,
  insertGroup,
  listGroupMembers,
  listGroups,
  putGroupMembers,
  putGroupName,
} from './model/store.ts'

export type GroupDeps = { db: Db; clock: Clock; guard: Guard }

// Enough for every team, and few enough for one page.
const GROUPS_MAX = 100
const NAME_MAX = 60

/** What is wrong with the name of a group. An @ would look like somebody's address in a rule. */
export function wrongGroupName(name: string): WrongField[] {
  if (name.includes('@')) return [{ field: 'name', must: 'must not contain an @' }]
  return wrongName(name, NAME_MAX)
}

/** Makes an empty group. Throws `forbidden`, `invalid_input`, and `conflict`. */
export async function addGroup(
  { db, clock }: Pick<GroupDeps, 'db' | 'clock'>,
  by: Person,
  typed: string,
): Promise<Group> {
  must(by, 'people')
  const name = cleanName(typed)
  const now = clock.now()
  const { workspaceId } = by
  const id = newId('group', now)
  const group: Group = {
    ...{ id, workspaceId, name, source: 'hand', externalId: undefined },
    createdAt: now,
  }
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await lockGroups(tx, workspaceId)
    if ((await listGroups(tx, workspaceId)).length >= GROUPS_MAX) throw full()
    if (!(await insertGroup(tx, group))) throw taken(name)
    await recordChange(tx, stamp, { ...about(by, group), detail: 'added' })
  })
  return group
}

/** What somebody saw of a group, and what it shall be. */
export type GroupChange = { name: string; people: readonly PersonId[]; seen: string }

/** The same with its id, as it is stored until others agree. */
export type GroupEdit = GroupChange & { id: GroupId }

/** By whom, at what time. */
type GroupAuthor = { by: Pick<Person, 'workspaceId' | 'id' | 'name'>; at: number }

/**
 * Renames a group and sets who is in it by hand. Throws `forbidden`, `not_found`, `invalid_input`,
 * and `conflict` if the name is taken, the group comes from elsewhere, or it has changed since
 * `seen`.
 */
export async function changeGroup(
  { db, clock, guard }: GroupDeps,
  by: Person,
  id: GroupId,
  { name: typed, people, seen }: GroupChange,
): Promise<void> {
  must(by, 'people')
  const input: GroupEdit = { id, name: cleanName(typed), people, seen }
  const author = { by, at: clock.now() }
  const change = { workspaceId: by.workspaceId, by, kind: 'group.change', input }
  await db.write((tx) => guard(tx, change, () => writeGroup(tx, author, input)))
}

/** Changes a group, its name cleaned. Throws before it writes anything. */
export async function writeGroup(tx: Tx, { by, at }: GroupAuthor, input: GroupEdit): Promise<void> {
  const { workspaceId } = by
  const { id, name } = input
  await lockGroups(tx, workspaceId)
  const { group, members } = await ownGroup(tx, workspaceId, id)
  if (digestOf(group, members) !== input.seen) throw changed()
  if (name !== group.name) {
    if (await findGroupByName(tx, workspaceId, name)) throw taken(name)
    await putGroupName(tx, group, name)
    const detail = `renamed, was ${group.name}`
    await recordChange(tx, auditStamp(at), { ...about(by, { id, name }), detail })
  }
  const here = new Map((await listPeople(tx, workspaceId)).map((one) => [one.id, one.name]))
  const people = input.people.filter((one) => here.has(one))
  const before = members.filter(({ source }) => source === 'hand').map((one) => one.personId)
  const detail = peopleChange(here, before, people)
  if (detail === '') return
  await putGroupMembers(tx, group, 'hand', people)
  await recordChange(tx, auditStamp(at), { ...about(by, { id, name }), detail })
}

/** Deletes a group. Throws `forbidden`, `not_found`, and `conflict` for one from elsewhere. */
export async function removeGroup(
  { db, clock, guard }: GroupDeps,
  by: Person,
  id: GroupId,
): Promise<void> {
  must(by, 'people')
  const author = { by, at: clock.now() }
  const change = { workspaceId: by.workspaceId, by, kind: 'group.remove', input: { id } }
  await db.write((tx) => guard(tx, change, () => dropGroup(tx, author, { id })))
}

export async function dropGroup(
  tx: Tx,
  { by, at }: GroupAuthor,
  { id }: Pick<Group, 'id'>,
): Promise<void> {
  const { workspaceId } = by
  await lockGroups(tx, workspaceId)
  const { group } = await ownGroup(tx, workspaceId, id)
  await deleteGroup(tx, workspaceId, id)
  await recordChange(tx, auditStamp(at), { ...about(by, group), detail: 'removed' })
}

/** Whoever adds, renames or deletes groups of a workspace holds this lock until commit. */
export function lockGroups(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  return tx.lock(`groups ${workspaceId}`)
}

/** A group with who is in it. Throws `not_found`. */
export async function readGroup(
  read: Read,
  workspaceId: WorkspaceId,
  id: GroupId,
): Promise<{ group: Group; members: GroupMember[]; seen: string }> {
  const group = await findGroup(read, workspaceId, id)
  if (!group) throw new Failure('not_found', 'There is no such group here.')
  const all = await listGroupMembers(read, workspaceId)
  const members = all.filter(({ groupId }) => groupId === id)
  return { group, members, seen: digestOf(group, members) }
}

async function ownGroup(tx: Tx, workspaceId: WorkspaceId, id: GroupId) {
  const read = await readGroup(tx, workspaceId, id)
  if (read.group.source !== 'hand') throw fromElsewhere(read.group)
  return read
}

/** What a page shows of a group: two owners who change it at once do not undo each other. */
function digestOf({ name }: Group, members: readonly GroupMember[]): string {
  return sha256(JSON.stringify([name, members.map((one) => [one.personId, one.source])]))
}

/** `Ana, Bob added; Cleo removed`, or nothing. */
export function peopleChange(
  names: ReadonlyMap<PersonId, string>,
  before: readonly PersonId[],
  after: readonly PersonId[],
): string {
  const of = (ids: readonly PersonId[], others: readonly PersonId[], what: string) => {
    const changes = ids.filter((id) => !others.includes(id)).map((id) => names.get(id) ?? id)
    return changes.length > 0 ? [`${changes.join(', ')} ${what}`] : []
  }
  return [...of(after, before, 'added'), ...of(before, after, 'removed')].join('; ')
}

function cleanName(typed: string): string {
  const name = cleanLine(typed)
  const wrong = wrongGroupName(name)
  if (wrong.length > 0) throw wrongFields(wrong)
  return name
}

function about(by: GroupAuthor['by'], { id, name }: Pick<Group, 'id' | 'name'>) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'group.changed' as const
  return { kind, workspaceId, personId, personName, subjectId: id, subjectName: name }
}

function full(): Failure {
  return new Failure('conflict', `A workspace has at most ${GROUPS_MAX} groups; remove some first.`)
}

function taken(name: string): Failure {
  return new Failure('conflict', `There is a group ${name} already; nothing was changed.`)
}

function changed(): Failure {
  return new Failure(
    'conflict',
    'Somebody changed this group since you looked at it, so nothing was saved. Look at it again.',
  )
}

function fromElsewhere({ name }: Group): Failure {
  const message = `${name} comes from the policy file, a directory or a sign-in provider; change it there.`
  return new Failure('conflict', message)
}
