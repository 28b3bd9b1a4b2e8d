import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { preparedFor } from '../../../platform/db/prepared.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { dropOwnerGroup } from '../../accounts/model/token-store.ts'
import type { Group, GroupId, GroupMember, GroupSource } from './group.ts'
import { groupMembers, groups } from './table.ts'

/** Adds a group; false if the workspace has one of this name. */
export async function insertGroup(tx: Tx, group: Group): Promise<boolean> {
  const rows = await tx.insert(groups).values(group).onConflictDoNothing().returning()
  if (rows.length > 0) tx.emit('group', group.workspaceId)
  return rows.length > 0
}

/** The groups of a workspace, in the order of their names. */
export async function listGroups(read: Read, workspaceId: WorkspaceId): Promise<Group[]> {
  const rows = await read
    .select()
    .from(groups)
    .where(eq(groups.workspaceId, workspaceId))
    .orderBy(asc(groups.name))
  return rows.map(nullsToUndefined)
}

/** A group of the workspace; undefined if there is none with this id. */
export async function findGroup(
  read: Read,
  workspaceId: WorkspaceId,
  id: GroupId,
): Promise<Group | undefined> {
  const [row] = await read.select().from(groups).where(here(workspaceId, id))
  return row && nullsToUndefined(row)
}

/** The group of the workspace with this name. */
export async function findGroupByName(
  read: Read,
  workspaceId: WorkspaceId,
  name: string,
): Promise<Group | undefined> {
  const [row] = await read
    .select()
    .from(groups)
    .where(and(eq(groups.workspaceId, workspaceId), eq(groups.name, name)))
  return row && nullsToUndefined(row)
}

/** Renames a group. The caller has checked that the name is free, under a lock. */
export async function putGroupName(
  tx: Tx,
  { workspaceId, id }: Group,
  name: string,
): Promise<void> {
  await tx.update(groups).set({ name }).where(here(workspaceId, id))
  tx.emit('group', workspaceId)
}

/** From now on this source sets who is in a group. */
export async function putGroupSource(
  tx: Tx,
  { workspaceId, id }: Group,
  source: GroupSource,
): Promise<void> {
  await tx.update(groups).set({ source }).where(here(workspaceId, id))
  tx.emit('group', workspaceId)
}

/** Deletes a group and forgets who was in it and what it owned; false if there is none. */
export async function deleteGroup(tx: Tx, workspaceId: WorkspaceId, id: GroupId): Promise<boolean> {
  const rows = await tx.delete(groups).where(here(workspaceId, id)).returning({ id: groups.id })
  if (rows.length === 0) return false
  await tx.delete(groupMembers).where(eq(groupMembers.groupId, id))
  await dropOwnerGroup(tx, id)
  tx.emit('group', workspaceId)
  return true
}

/** Who is in the groups of a workspace, a row for each source that says so. */
export async function listGroupMembers(
  read: Read,
  workspaceId: WorkspaceId,
  among?: readonly PersonId[],
): Promise<GroupMember[]> {
  if (!among) return await membersWhere(read, eq(groups.workspaceId, workspaceId))
  return among.length > 0 ? await findAmong(read, among, { workspaceId }) : []
}

// Every vote reads it.
const findAmong = preparedFor((read: Read, ids) =>
  membersWhere(
    read,
    and(
      eq(groups.workspaceId, sql.placeholder('workspaceId')),
      inArray(groupMembers.personId, ids),
    ),
  ).prepare(),
)

function membersWhere(read: Read, where: SQL | undefined) {
  return read
    .select({
      groupId: groupMembers.groupId,
      personId: groupMembers.personId,
      source: groupMembers.source,
    })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(where)
    .orderBy(asc(groupMembers.groupId), asc(groupMembers.personId), asc(groupMembers.source))
}

/** A query for the groups that a person is in. */
export function groupsOf(read: Read, personId: PersonId) {
  return read
    .select({ id: groupMembers.groupId })
    .from(groupMembers)
    .where(eq(groupMembers.personId, personId))
}

/** Who is in a group, once each. */
export async function listPeopleIn(read: Read, groupId: GroupId) {
  return await read
    .selectDistinct({ personId: groupMembers.personId })
    .from(groupMembers)
    .where(eq(groupMembers.groupId, groupId))
}

/** A query for everybody who is in a group of this person. */
export function peopleBeside(read: Read, personId: PersonId) {
  return read
    .selectDistinct({ personId: groupMembers.personId })
    .from(groupMembers)
    .where(inArray(groupMembers.groupId, groupsOf(read, personId)))
}

/** Sets which people of a group this source names; what other sources say stays. */
export async function putGroupMembers(
  tx: Tx,
  { workspaceId, id }: Pick<Group, 'workspaceId' | 'id'>,
  source: GroupSource,
  people: readonly PersonId[],
): Promise<void> {
  const ofSource = and(eq(groupMembers.groupId, id), eq(groupMembers.source, source))
  await tx.delete(groupMembers).where(ofSource)
  const rows = [...new Set(people)].map((personId) => ({ groupId: id, personId, source }))
  if (rows.length > 0) await tx.insert(groupMembers).values(rows)
  tx.emit('group', workspaceId)
}

/** Sets in which groups this source puts a person; what other sources say stays. */
export async function putGroupsOf(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
  source: GroupSource,
  ids: readonly GroupId[],
): Promise<void> {
  await tx
    .delete(groupMembers)
    .where(
      and(
        eq(groupMembers.personId, personId),
        eq(groupMembers.source, source),
        inArray(groupMembers.groupId, idsOf(tx, workspaceId)),
      ),
    )
  const rows = [...new Set(ids)].map((groupId) => ({ groupId, personId, source }))
  if (rows.length > 0) await tx.insert(groupMembers).values(rows)
  tx.emit('group', workspaceId)
}

/** The person is in no group of the workspace any more. */
export async function dropFromGroups(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<void> {
  await tx
    .delete(groupMembers)
    .where(
      and(
        eq(groupMembers.personId, personId),
        inArray(groupMembers.groupId, idsOf(tx, workspaceId)),
      ),
    )
  tx.emit('group', workspaceId)
}

function here(workspaceId: WorkspaceId, id: GroupId) {
  return and(eq(groups.workspaceId, workspaceId), eq(groups.id, id))
}

function idsOf(tx: Tx, workspaceId: WorkspaceId) {
  return tx.select({ id: groups.id }).from(groups).where(eq(groups.workspaceId, workspaceId))
}
