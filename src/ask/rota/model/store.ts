import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Override, OverrideId, Rota, RotaId } from './rota.ts'
import { rotaFeeds, rotaOverrides, rotas } from './table.ts'

/** Adds a rota; false if the workspace has one of this name. */
export async function insertRota(tx: Tx, rota: Rota): Promise<boolean> {
  const rows = await tx.insert(rotas).values(rota).onConflictDoNothing().returning()
  if (rows.length > 0) tx.emit('rota', rota.workspaceId)
  return rows.length > 0
}

/** The rotas of a workspace, in the order of their names. */
export async function listRotas(read: Read, workspaceId: WorkspaceId): Promise<Rota[]> {
  const rows = await read
    .select()
    .from(rotas)
    .where(eq(rotas.workspaceId, workspaceId))
    .orderBy(asc(rotas.name))
  return rows.map(nullsToUndefined)
}

/** A rota of the workspace; undefined if there is none with this id. */
export async function findRota(
  read: Read,
  workspaceId: WorkspaceId,
  id: RotaId,
): Promise<Rota | undefined> {
  const [row] = await read.select().from(rotas).where(here(workspaceId, id))
  return row && nullsToUndefined(row)
}

/** The rota of the workspace with this name. */
export async function findRotaByName(
  read: Read,
  workspaceId: WorkspaceId,
  name: string,
): Promise<Rota | undefined> {
  const [row] = await read
    .select()
    .from(rotas)
    .where(and(eq(rotas.workspaceId, workspaceId), eq(rotas.name, name)))
  return row && nullsToUndefined(row)
}

/** Stores name, source, zone and schedule. The caller has checked that the name is free, under a lock. */
export async function putRota(tx: Tx, rota: Rota): Promise<void> {
  const { workspaceId, id, name, source, zone, schedule = null } = rota
  await tx.update(rotas).set({ name, source, zone, schedule }).where(here(workspaceId, id))
  tx.emit('rota', workspaceId)
}

/** Deletes a rota with its overrides and its calendar; false if there is none. */
export async function deleteRota(tx: Tx, workspaceId: WorkspaceId, id: RotaId): Promise<boolean> {
  const rows = await tx.delete(rotas).where(here(workspaceId, id)).returning({ id: rotas.id })
  if (rows.length === 0) return false
  await tx.delete(rotaOverrides).where(eq(rotaOverrides.rotaId, id))
  await tx.delete(rotaFeeds).where(eq(rotaFeeds.rotaId, id))
  tx.emit('rota', workspaceId)
  return true
}

export async function insertOverride(
  tx: Tx,
  workspaceId: WorkspaceId,
  override: Override,
): Promise<void> {
  await tx.insert(rotaOverrides).values(override)
  tx.emit('rota', workspaceId)
}

/** The overrides of rotas that are not over at `at`, the first to begin first. */
export async function listOverrides(
  read: Read,
  rotaIds: readonly RotaId[],
  at: number,
): Promise<Override[]> {
  if (rotaIds.length === 0) return []
  return await read
    .select()
    .from(rotaOverrides)
    .where(and(inArray(rotaOverrides.rotaId, [...rotaIds]), gt(rotaOverrides.to, at)))
    .orderBy(asc(rotaOverrides.from), asc(rotaOverrides.id))
}

/** Deletes an override of a rota; undefined if there is none. */
export async function deleteOverride(
  tx: Tx,
  { workspaceId, id: rotaId }: Rota,
  id: OverrideId,
): Promise<Override | undefined> {
  const [row] = await tx
    .delete(rotaOverrides)
    .where(and(eq(rotaOverrides.id, id), eq(rotaOverrides.rotaId, rotaId)))
    .returning()
  if (row) tx.emit('rota', workspaceId)
  return row
}

/** Deletes overrides that were over before `before`; resolves to how many. */
export async function deleteOldOverrides(tx: Tx, before: number): Promise<number> {
  const rows = await tx
    .delete(rotaOverrides)
    .where(lte(rotaOverrides.to, before))
    .returning({ id: rotaOverrides.id })
  return rows.length
}

function here(workspaceId: WorkspaceId, id: RotaId) {
  return and(eq(rotas.workspaceId, workspaceId), eq(rotas.id, id))
}
