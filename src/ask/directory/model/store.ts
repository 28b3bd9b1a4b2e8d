import { and, asc, eq, isNull, lt, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { directories, directoryPeople, directoryTokens } from './table.ts'

export type Directory = typeof directories.$inferSelect
export type DirectoryToken = typeof directoryTokens.$inferSelect
/** A person whom a directory made; `offAt` is when they were switched off. */
export type DirectoryPerson = typeof directoryPeople.$inferSelect & { offAt: number | null }

export async function addDirectory(tx: Tx, directory: Directory): Promise<void> {
  await tx.insert(directories).values(directory)
}

export async function listDirectories(read: Read, workspaceId: WorkspaceId): Promise<Directory[]> {
  return await read
    .select()
    .from(directories)
    .where(eq(directories.workspaceId, workspaceId))
    .orderBy(asc(directories.id))
}

export async function addDirectoryToken(tx: Tx, token: DirectoryToken): Promise<void> {
  await tx.insert(directoryTokens).values(token)
}

export async function listDirectoryTokens(
  read: Read,
  directoryId: Id<'dir'>,
): Promise<DirectoryToken[]> {
  return await read
    .select()
    .from(directoryTokens)
    .where(eq(directoryTokens.directoryId, directoryId))
    .orderBy(asc(directoryTokens.id))
}

/** Revokes a token; false if there is none. */
export async function dropDirectoryToken(
  tx: Tx,
  directoryId: Id<'dir'>,
  id: Id<'dtk'>,
): Promise<boolean> {
  const gone = await tx
    .delete(directoryTokens)
    .where(and(eq(directoryTokens.id, id), eq(directoryTokens.directoryId, directoryId)))
    .returning()
  return gone.length > 0
}

/** The directory that a token is for. */
export async function findDirectoryByToken(
  read: Read,
  hash: string,
): Promise<{ directory: Directory; tokenId: Id<'dtk'> } | undefined> {
  const [row] = await read
    .select({ directory: directories, tokenId: directoryTokens.id })
    .from(directoryTokens)
    .innerJoin(directories, eq(directories.id, directoryTokens.directoryId))
    .where(eq(directoryTokens.hash, hash))
  return row
}

/** Records a use, unless one was recorded after `since`. */
export async function markDirectoryTokenUsed(
  tx: Tx,
  id: Id<'dtk'>,
  { at, since }: { at: number; since: number },
): Promise<void> {
  const isOld = or(isNull(directoryTokens.lastUsedAt), lt(directoryTokens.lastUsedAt, since))
  await tx
    .update(directoryTokens)
    .set({ lastUsedAt: at })
    .where(and(eq(directoryTokens.id, id), isOld))
}

/** Everybody whom a directory made, also those whom it deleted, the oldest first. */
export async function listDirectoryPeople(
  read: Read,
  { id, workspaceId }: Pick<Directory, 'id' | 'workspaceId'>,
): Promise<DirectoryPerson[]> {
  const rows = await read
    .select()
    .from(directoryPeople)
    .where(eq(directoryPeople.directoryId, id))
    .orderBy(asc(directoryPeople.id))
  const people = new Map((await listPeople(read, workspaceId)).map((one) => [one.id, one.offAt]))
  return rows.map((row) => ({ ...row, offAt: people.get(row.personId) ?? null }))
}

export async function addDirectoryPerson(
  tx: Tx,
  person: typeof directoryPeople.$inferInsert,
): Promise<void> {
  await tx.insert(directoryPeople).values(person)
}

/** True if a directory made this person, or has taken them on; also one that deleted them. */
export async function isOfDirectory(read: Read, personId: PersonId): Promise<boolean> {
  const rows = await read
    .select({ id: directoryPeople.id })
    .from(directoryPeople)
    .where(eq(directoryPeople.personId, personId))
    .limit(1)
  return rows.length > 0
}

/** The one person whom the directories of a workspace know by this id; undefined if there are two. */
export async function findByExternalId(
  read: Read,
  workspaceId: WorkspaceId,
  externalId: string,
): Promise<PersonId | undefined> {
  const rows = await read
    .selectDistinct({ id: directoryPeople.personId })
    .from(directoryPeople)
    .innerJoin(directories, eq(directories.id, directoryPeople.directoryId))
    .where(
      and(
        eq(directories.workspaceId, workspaceId),
        eq(directoryPeople.externalId, externalId),
        isNull(directoryPeople.deletedAt),
      ),
    )
    .limit(2)
  return rows.length === 1 ? rows[0]?.id : undefined
}

type Changes = Pick<
  DirectoryPerson,
  'userName' | 'externalId' | 'attributes' | 'updatedAt' | 'deletedAt'
>

export async function putDirectoryPerson(tx: Tx, id: Id<'usr'>, changes: Changes): Promise<void> {
  const { userName, externalId, attributes, updatedAt, deletedAt } = changes
  await tx
    .update(directoryPeople)
    .set({ userName, externalId, attributes, updatedAt, deletedAt })
    .where(eq(directoryPeople.id, id))
}

/** The directory knows the removed person no more. */
export async function dropDirectoryPerson(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(directoryPeople).where(eq(directoryPeople.personId, personId))
}
