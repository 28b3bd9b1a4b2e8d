import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { laterOf } from '../../../platform/db/sql.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { type Hook, SEEN_MS } from './hook.ts'
import { hooks } from './table.ts'

type SightingFields = {
  [K in
    | 'tokenId'
    | 'clientVersion'
    | 'hookVersion'
    | 'contractEtag'
    | 'contained'
    | 'examplePaths'
    | 'gaps']: Hook[K] | undefined
}

/** The report of a hook; fields that it does not send stay as they were, null takes one back. */
export type HookSighting = Pick<Hook, 'workspaceId' | 'sessionId' | 'machineId' | 'client'> &
  Partial<Omit<SightingFields, 'contained'>> & {
    contained?: Hook['contained'] | null
    at: number
    /** The hook reported that the session ended. */
    ended: boolean
  }

/** Records a report of a hook. */
export async function sightHook(tx: Tx, sighting: HookSighting): Promise<void> {
  const { at, ended, workspaceId, sessionId, machineId, ...rest } = sighting
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const update = { client: rest.client, ...Object.fromEntries(fields) }
  const now = { lastSeenAt: at, endedAt: ended ? at : null, missedAt: null }
  const key = { workspaceId, sessionId, machineId }
  await tx
    .insert(hooks)
    .values({ ...key, examplePaths: [], firstSeenAt: at, ...update, ...now })
    .onConflictDoUpdate({
      target: [hooks.workspaceId, hooks.sessionId, hooks.machineId],
      set: { ...update, ...now, lastSeenAt: laterOf(hooks.lastSeenAt) },
    })
}

/** The hooks that reported a session, the latest first. */
export async function findHooks(
  read: Read,
  workspaceId: WorkspaceId,
  sessionId: string,
): Promise<Hook[]> {
  const rows = await read
    .select()
    .from(hooks)
    .where(and(eq(hooks.workspaceId, workspaceId), eq(hooks.sessionId, sessionId)))
    .orderBy(desc(hooks.lastSeenAt), desc(hooks.machineId))
  return rows.map(fromRow)
}

/** The hooks of a workspace that reported since `since`, the latest first. */
export async function listHooks(
  read: Read,
  workspaceId: WorkspaceId,
  since: number,
  limit: number,
): Promise<Hook[]> {
  const rows = await read
    .select()
    .from(hooks)
    .where(and(eq(hooks.workspaceId, workspaceId), gte(hooks.lastSeenAt, since)))
    .orderBy(desc(hooks.lastSeenAt), desc(hooks.sessionId))
    .limit(limit)
  return rows.map(fromRow)
}

/**
 * Hooks of all workspaces that have not reported since `before`, and did not report their end; the
 * latest first.
 */
export async function listQuietHooks(
  read: Read,
  before: number,
  now: number,
  limit: number,
): Promise<Hook[]> {
  const isQuiet = and(gt(hooks.lastSeenAt, now - SEEN_MS), lt(hooks.lastSeenAt, before))
  const rows = await read
    .select()
    .from(hooks)
    .where(and(isQuiet, isNull(hooks.endedAt), isNull(hooks.missedAt)))
    .orderBy(desc(hooks.lastSeenAt))
    .limit(limit)
  return rows.map(fromRow)
}

/** Hooks of a workspace that were marked as missed and reported since `since`. */
export async function listMissedHooks(
  read: Read,
  workspaceId: WorkspaceId,
  since: number,
  limit: number,
): Promise<Hook[]> {
  const rows = await read
    .select()
    .from(hooks)
    .where(
      and(
        eq(hooks.workspaceId, workspaceId),
        gte(hooks.lastSeenAt, since),
        isNotNull(hooks.missedAt),
        isNull(hooks.endedAt),
      ),
    )
    .orderBy(desc(hooks.lastSeenAt))
    .limit(limit)
  return rows.map(fromRow)
}

/**
 * Marks the hooks of a session as missed; false if one reported since `before`, or they were marked
 * already.
 */
export async function missHooks(
  tx: Tx,
  { workspaceId, sessionId }: Pick<Hook, 'workspaceId' | 'sessionId'>,
  before: number,
  at: number,
): Promise<boolean> {
  const sessionHooks = await findHooks(tx, workspaceId, sessionId)
  const open = sessionHooks.filter(({ endedAt }) => endedAt === undefined)
  if (open.some(({ lastSeenAt, missedAt }) => lastSeenAt >= before || missedAt !== undefined))
    return false
  const theirs = and(eq(hooks.workspaceId, workspaceId), eq(hooks.sessionId, sessionId))
  // One update decides which process tells.
  const missed = await tx
    .update(hooks)
    .set({ missedAt: at })
    .where(and(theirs, isNull(hooks.endedAt), isNull(hooks.missedAt), lt(hooks.lastSeenAt, before)))
    .returning({ sessionId: hooks.sessionId })
  return missed.length > 0
}

/** Deletes which contract a hook reported; false if it was deleted already. */
export async function clearReportedContract(
  tx: Tx,
  { workspaceId, sessionId, machineId }: Pick<Hook, 'workspaceId' | 'sessionId' | 'machineId'>,
): Promise<boolean> {
  const one = and(
    eq(hooks.workspaceId, workspaceId),
    eq(hooks.sessionId, sessionId),
    eq(hooks.machineId, machineId),
    isNotNull(hooks.contractEtag),
  )
  const rows = await tx
    .update(hooks)
    .set({ contractEtag: null })
    .where(one)
    .returning({ sessionId: hooks.sessionId })
  return rows.length > 0
}

/** Deletes up to `limit` hooks that have not reported since `before`; resolves to how many. */
export async function purgeHooks(tx: Tx, before: number, limit: number): Promise<number> {
  const old = await tx
    .select({ sessionId: hooks.sessionId })
    .from(hooks)
    .where(lt(hooks.lastSeenAt, before))
    .orderBy(asc(hooks.lastSeenAt))
    .limit(limit)
  if (old.length === 0) return 0
  const ids = [...new Set(old.map((row) => row.sessionId))]
  const rows = await tx
    .delete(hooks)
    .where(and(inArray(hooks.sessionId, ids), lt(hooks.lastSeenAt, before)))
    .returning({ sessionId: hooks.sessionId })
  return rows.length
}

function fromRow(row: typeof hooks.$inferSelect): Hook {
  return nullsToUndefined(row)
}
