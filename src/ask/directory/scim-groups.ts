import type { Read, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { lockGroups, peopleChange, wrongGroupName } from '../groups/groups.ts'
import type { Group, GroupSource } from '../groups/model/group.ts'
import {
  deleteGroup,
  findGroupByName,
  insertGroup,
  listGroupMembers,
  listGroups,
  putGroupMembers,
  putGroupName,
} from '../groups/model/store.ts'
import { refusalForOwners, scimError } from './model/scim-error.ts'
import type { Directory } from './model/store.ts'
import { type Operation, objectOf, textOf } from './model/user.ts'
import { byDirectory, listUsers, metaTimes, type Turn } from './scim-users.ts'

const GROUPS_MAX = 500
const MEMBERS_MAX = 1_000

/** A group of a directory, with the ids of its users. */
export type ScimGroup = { group: Group; users: string[] }

const sourceOf = ({ id }: Directory): GroupSource => `directory:${id}`

/** The groups that the directory made. */
export async function readGroups(read: Read, directory: Directory): Promise<ScimGroup[]> {
  const source = sourceOf(directory)
  const own = (await listGroups(read, directory.workspaceId)).filter((one) => one.source === source)
  const rows = await listGroupMembers(read, directory.workspaceId)
  const userOf = new Map((await listUsers(read, directory)).map((one) => [one.personId, one.id]))
  return own.map((group) => ({
    group,
    users: rows
      .filter((row) => row.groupId === group.id && row.source === source)
      .flatMap(({ personId }) => userOf.get(personId) ?? []),
  }))
}

/** A group by its id. Throws a 404. */
export async function requireGroup(tx: Read, { directory }: Turn, id: string): Promise<ScimGroup> {
  const group = (await readGroups(tx, directory)).find((one) => one.group.id === id)
  if (group) return group
  throw scimError(404, 'There is no such group here.')
}

type Fields = { displayName: string; externalId: string | undefined; users: string[] }

/** Makes a group. */
export async function createGroup(tx: Tx, turn: Turn, body: unknown): Promise<string> {
  const { directory, now } = turn
  const { workspaceId } = directory
  await lockGroups(tx, workspaceId)
  const before = { displayName: '', externalId: undefined, users: [] }
  const fields = readGroup(body, before)
  if ((await listGroups(tx, workspaceId)).length >= GROUPS_MAX) {
    throw refusalForOwners(403, `There are ${GROUPS_MAX} groups here, the most there may be.`)
  }
  const group: Group = {
    ...{ id: newId('group', now), workspaceId, name: checkedName(fields.displayName) },
    ...{ source: sourceOf(directory), externalId: fields.externalId, createdAt: now },
  }
  if (!(await insertGroup(tx, group))) throw taken(group.name)
  const people = await setUsers(tx, turn, group, fields.users)
  await record(tx, turn, group, people === '' ? 'added' : `added; ${people}`)
  return group.id
}

/** Replaces a group by what a PUT says: members that are left out are none. */
export async function replaceGroup(tx: Tx, turn: Turn, of: ScimGroup, body: unknown) {
  const { name: displayName, externalId } = of.group
  await writeGroup(tx, turn, of, readGroup(body, { displayName, externalId, users: [] }))
}

/** Applies the operations of a PATCH to a copy, and writes that. */
export async function patchGroup(
  tx: Tx,
  turn: Turn,
  of: ScimGroup,
  operations: readonly Operation[],
): Promise<void> {
  const fields: Fields = {
    ...{ displayName: of.group.name, externalId: of.group.externalId, users: [...of.users] },
  }
  for (const { op, path, value } of operations) {
    if (path !== undefined) applyTo(fields, op, path, value)
    else if (op !== 'remove') {
      for (const [key, one] of Object.entries(objectOf(value))) applyTo(fields, op, key, one)
    }
  }
  await writeGroup(tx, turn, of, fields)
}

export async function removeGroup(tx: Tx, turn: Turn, { group }: ScimGroup): Promise<void> {
  await lockGroups(tx, group.workspaceId)
  await deleteGroup(tx, group.workspaceId, group.id)
  await record(tx, turn, group, 'removed')
}

function readGroup(body: unknown, before: Fields): Fields {
  const fields = { ...before }
  for (const [key, value] of Object.entries(objectOf(body))) applyTo(fields, 'replace', key, value)
  return fields
}

function applyTo(fields: Fields, op: Operation['op'], path: string, value: unknown): void {
  const key = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:Group:/i, '')
  const name = key.toLowerCase()
  if (name === 'displayname') fields.displayName = textOf('displayName', value) ?? ''
  if (name === 'externalid') fields.externalId = textOf('externalId', value)
  const [, one] = /^members\[value eq "([^"]*)"\]$/i.exec(key) ?? []
  if (one !== undefined && op === 'remove') fields.users = fields.users.filter((id) => id !== one)
  if (name !== 'members') return
  const ids = value === undefined || value === null ? undefined : idsIn(value)
  if (op === 'add') fields.users = [...fields.users, ...(ids ?? [])]
  else if (op === 'replace') fields.users = ids ?? []
  // With a list only those go; a server that ignores it would empty the group.
  else fields.users = ids === undefined ? [] : fields.users.filter((id) => !ids.includes(id))
}

function idsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MEMBERS_MAX) {
    throw scimError(413, `A group has at most ${MEMBERS_MAX} members.`)
  }
  return list.map((one) => textOf('members.value', objectOf(one).value) ?? '')
}

async function writeGroup(tx: Tx, turn: Turn, of: ScimGroup, fields: Fields): Promise<void> {
  const { group } = of
  const { workspaceId } = group
  await lockGroups(tx, workspaceId)
  const name = checkedName(fields.displayName)
  if (name !== group.name) {
    if (await findGroupByName(tx, workspaceId, name)) throw taken(name)
    await putGroupName(tx, group, name)
    await record(tx, turn, { ...group, name }, `renamed, was ${group.name}`)
  }
  const isSame = [...new Set(fields.users)].sort().join() === [...of.users].sort().join()
  if (isSame) return
  await record(tx, turn, { ...group, name }, await setUsers(tx, turn, group, fields.users))
}

/** Sets who is in a group; resolves to who came and went, in words. */
async function setUsers(
  tx: Tx,
  { directory }: Turn,
  group: Group,
  users: readonly string[],
): Promise<string> {
  const byId = new Map((await listUsers(tx, directory)).map((one) => [`${one.id}`, one.personId]))
  const people = [...new Set(users)].map((id) => {
    const personId = byId.get(id)
    if (personId !== undefined) return personId
    throw scimError(400, 'A member is no user of this directory.', 'invalidValue')
  })
  const source = sourceOf(directory)
  const before = (await listGroupMembers(tx, group.workspaceId))
    .filter((one) => one.groupId === group.id && one.source === source)
    .map(({ personId }) => personId)
  await putGroupMembers(tx, group, source, people)
  const all = await listPeople(tx, group.workspaceId)
  return peopleChange(new Map(all.map(({ id, name }) => [id, name])), before, people)
}

function checkedName(name: string): string {
  const [wrong] = wrongGroupName(name)
  if (!wrong) return name
  throw scimError(400, `displayName ${wrong.must}.`, 'invalidValue')
}

function record(
  tx: Tx,
  { directory, now }: Turn,
  { id, name, workspaceId }: Group,
  what: string,
): Promise<void> {
  const subject = { subjectId: id, subjectName: name, detail: `${what}, ${byDirectory(directory)}` }
  return recordChange(tx, auditStamp(now), { workspaceId, kind: 'group.changed', ...subject })
}

function taken(name: string) {
  return scimError(
    409,
    `There is a group ${name} here already, made by hand, by a sign-in provider or by another directory. Rename or remove one of the two.`,
    'uniqueness',
  )
}

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** A group as directories read it. Its members are a list, also if it is empty. */
export function shownGroup(
  { group: { id, name, externalId, createdAt }, users }: ScimGroup,
  { base, members = true }: { base: string; members?: boolean },
) {
  const location = `${base}/Groups/${id}`
  const list = users.map((value) => ({ value, $ref: `${base}/Users/${value}` }))
  return {
    schemas: [GROUP],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    displayName: name,
    ...(members ? { members: list } : {}),
    meta: { resourceType: 'Group', ...metaTimes(createdAt, createdAt), location },
  }
}
