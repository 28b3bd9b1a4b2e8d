import { and, desc, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { omitUndefined } from '../../../platform/json.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import { quickReplies, turnHolds, turns } from './table.ts'
import { IN_ROW_MAX, type LetGo, type Turn } from './turn.ts'

/** A report about the turn of a session. Fields that are undefined keep their value. */
export type TurnSighting = Pick<
  Turn,
  'id' | 'workspaceId' | 'machineId' | 'sessionId' | 'tokenId' | 'client' | 'state' | 'seenAt'
> &
  Partial<Pick<Turn, 'turn' | 'lastWords' | 'durationMs' | 'filesChanged' | 'door'>> & {
    /** The state or the turn is new: what was known of the earlier one is dropped. */
    isNew: boolean
    /** Somebody typed at the terminal: instructions are counted from here. */
    typed: boolean
  }

/** Records the turn of a session. Only the token that reported it may, while it is `fresh`. */
export async function sightTurn(tx: Tx, sighting: TurnSighting, fresh: number): Promise<boolean> {
  const { isNew, typed, seenAt, state, ...of } = sighting
  const { id, workspaceId, machineId, sessionId, tokenId, client, turn, ...facts } = of
  const { lastWords, durationMs, filesChanged, door } = facts
  const anew = {
    since: seenAt,
    lastWords: lastWords ?? null,
    durationMs: durationMs ?? null,
    filesChanged: filesChanged ?? null,
    toldAt: null,
    heldUntil: null,
    letGo: null,
  }
  const update = {
    state,
    tokenId,
    client,
    seenAt,
    ...(isNew ? anew : omitUndefined(facts)),
    ...(typed ? { inRow: 0 } : {}),
    ...omitUndefined({ door, turn }),
  }
  const rows = await tx
    .insert(turns)
    .values({ id, workspaceId, machineId, sessionId, inRow: 0, ...anew, ...update })
    .onConflictDoUpdate({
      target: turns.id,
      set: update,
      setWhere: mayReport(tokenId, fresh),
    })
    .returning({ id: turns.id })
  return rows.length > 0
}

/** The session is this token's, or nobody has reported it since `fresh`. */
function mayReport(tokenId: TokenId, fresh: number) {
  return sql`${turns.tokenId} = ${tokenId} or ${turns.seenAt} < ${fresh}`
}

export async function findTurn(
  read: Read,
  workspaceId: WorkspaceId,
  id: AgentSessionId,
): Promise<Turn | undefined> {
  const [row] = await read
    .select()
    .from(turns)
    .where(and(eq(turns.id, id), eq(turns.workspaceId, workspaceId)))
  return row && nullsToUndefined(row)
}

/** The turns that a token reported of these sessions of a machine. */
export async function listOwnTurns(
  read: Read,
  of: { workspaceId: WorkspaceId; machineId: string; tokenId: TokenId },
  sessionIds: readonly string[],
): Promise<Turn[]> {
  const rows = await read
    .select()
    .from(turns)
    .where(
      and(
        eq(turns.workspaceId, of.workspaceId),
        eq(turns.machineId, of.machineId),
        eq(turns.tokenId, of.tokenId),
        inArray(turns.sessionId, [...sessionIds]),
      ),
    )
  return rows.map(nullsToUndefined)
}

/** The turns of a workspace that were seen since, by their sessions. */
export async function turnsBySession(
  read: Read,
  workspaceId: WorkspaceId,
  since: number,
  limit: number,
): Promise<Map<AgentSessionId, Turn>> {
  const rows = await read
    .select()
    .from(turns)
    .where(and(eq(turns.workspaceId, workspaceId), gte(turns.seenAt, since)))
    .orderBy(desc(turns.seenAt), desc(turns.id))
    .limit(limit)
  return new Map(rows.map((row) => [row.id, nullsToUndefined(row)]))
}

/** Notes that people are told of this end; false if they were, or the turn is another by now. */
export async function noteTold(
  tx: Tx,
  { id, since }: Pick<Turn, 'id' | 'since'>,
  now: number,
): Promise<boolean> {
  const rows = await tx
    .update(turns)
    .set({ toldAt: now })
    .where(and(eq(turns.id, id), eq(turns.since, since), isNull(turns.toldAt)))
    .returning({ id: turns.id })
  return rows.length > 0
}

/** Notes that a hook holds the client, or why it let it go. */
export async function setHold(
  tx: Tx,
  id: Turn['id'],
  hold: { heldUntil: number } | { letGo: LetGo },
): Promise<void> {
  const change = 'letGo' in hold ? hold : { ...hold, letGo: null }
  await tx.update(turns).set(change).where(eq(turns.id, id))
}

/** Counts one more instruction; false if there were too many since somebody typed. */
export async function countInRow(tx: Tx, id: Turn['id']): Promise<boolean> {
  const rows = await tx
    .update(turns)
    .set({ inRow: sql`${turns.inRow} + 1`.mapWith(Number) })
    .where(and(eq(turns.id, id), lt(turns.inRow, IN_ROW_MAX)))
    .returning({ id: turns.id })
  return rows.length > 0
}

/** Counts one less: an instruction was handed over, and not begun with. */
export async function uncountInRow(tx: Tx, id: Turn['id']): Promise<void> {
  await tx
    .update(turns)
    .set({ inRow: sql`${turns.inRow} - 1`.mapWith(Number) })
    .where(and(eq(turns.id, id), gt(turns.inRow, 0)))
}

/** Whether hooks of a client may hold it in this workspace. */
export async function mayHold(
  read: Read,
  workspaceId: WorkspaceId,
  client: string,
): Promise<boolean> {
  const [row] = await read
    .select()
    .from(turnHolds)
    .where(and(eq(turnHolds.workspaceId, workspaceId), eq(turnHolds.client, client)))
  return row?.on === true
}

/**
 * Sets whether hooks of a client may hold it; false if it already was so. One statement decides: of two
 * people who do the same at once, one changed it.
 */
export async function setMayHold(
  tx: Tx,
  { workspaceId, client }: Pick<Turn, 'workspaceId' | 'client'>,
  on: boolean,
): Promise<boolean> {
  const differs = eq(turnHolds.on, !on)
  const of = and(eq(turnHolds.workspaceId, workspaceId), eq(turnHolds.client, client), differs)
  const target = [turnHolds.workspaceId, turnHolds.client]
  const changed = { client: turnHolds.client }
  // Without a row hooks may not hold it, so only a yes needs one.
  const change = on
    ? tx
        .insert(turnHolds)
        .values({ workspaceId, client, on })
        .onConflictDoUpdate({ target, set: { on }, setWhere: differs })
        .returning(changed)
    : tx.update(turnHolds).set({ on }).where(of).returning(changed)
  return (await change).length > 0
}

/** The texts that a person has ready; undefined if they never set them. */
export async function findQuickReplies(
  read: Read,
  personId: PersonId,
): Promise<string[] | undefined> {
  const [row] = await read.select().from(quickReplies).where(eq(quickReplies.personId, personId))
  return row?.texts
}

export async function setQuickReplies(tx: Tx, personId: PersonId, texts: string[]): Promise<void> {
  await tx
    .insert(quickReplies)
    .values({ personId, texts })
    .onConflictDoUpdate({ target: quickReplies.personId, set: { texts } })
}

/** Deletes turns that were last seen before, at most `limit`; resolves to how many. */
export async function purgeTurns(tx: Tx, before: number, limit: number): Promise<number> {
  const old = tx.select({ id: turns.id }).from(turns).where(lt(turns.seenAt, before)).limit(limit)
  const rows = await tx.delete(turns).where(inArray(turns.id, old)).returning({ id: turns.id })
  return rows.length
}
