import { asc, eq, or, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from './ids.ts'
import { DEFAULT_VISIBILITY, type Visibility } from './person.ts'
import { workspaces } from './table.ts'

export type Workspace = typeof workspaces.$inferSelect

/** The name of the first workspace. */
const HOME = 'Home'

export async function listWorkspaces(read: Read): Promise<Workspace[]> {
  return await read.select().from(workspaces).orderBy(asc(workspaces.id))
}

export async function findWorkspace(read: Read, nameOrId: string): Promise<Workspace | undefined> {
  const [workspace] = await read
    .select()
    .from(workspaces)
    .where(or(eq(workspaces.id, nameOrId as WorkspaceId), eq(workspaces.name, nameOrId)))
    .orderBy(asc(workspaces.id))
  return workspace
}

/** The id of the oldest workspace. If the database has no workspace yet, creates one with `id`. */
export async function homeWorkspace(tx: Tx, id: WorkspaceId, now: number): Promise<WorkspaceId> {
  await tx.lock('home-workspace')
  const [oldest] = await tx.select().from(workspaces).orderBy(asc(workspaces.id)).limit(1)
  if (oldest) return oldest.id
  await tx.insert(workspaces).values({ id, name: HOME, createdAt: now })
  return id
}

// Every question asks for it.
const readOne = prepared((read: Read) =>
  read
    .select({ visibility: workspaces.visibility })
    .from(workspaces)
    .where(eq(workspaces.id, sql.placeholder('id')))
    .prepare(),
)

/** What the members of a workspace see of the questions of others. */
export async function readVisibility(read: Read, id: WorkspaceId): Promise<Visibility> {
  const [row] = await readOne(read).execute({ id })
  return row?.visibility ?? DEFAULT_VISIBILITY
}

export async function putVisibility(
  tx: Tx,
  id: WorkspaceId,
  visibility: Visibility,
): Promise<void> {
  await tx.update(workspaces).set({ visibility }).where(eq(workspaces.id, id))
}
