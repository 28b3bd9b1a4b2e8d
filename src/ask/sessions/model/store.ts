import { and, desc, eq, gte, isNotNull, type SQL, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import { laterOf } from '../../../platform/db/sql.ts'
import { omitUndefined } from '../../../platform/json.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import { isVisible, sees } from '../../visibility/model/store.ts'
import type { AgentSession, AgentSessionId } from './session.ts'
import { agentSessions, presence } from './table.ts'

/** The identity of a session. */
export type SessionKey = { workspaceId: WorkspaceId; machineId: string; sessionId: string }

/** The report of a call about its session; fields that it does not send stay as they were. */
export type Sighting = SessionKey & {
  /** The id to use if the session is new. */
  id: AgentSessionId
  tokenId: TokenId
  agentName: string | undefined
  client: string | undefined
  repoKey: string | undefined
  branch?: string | undefined
  intent?: string | undefined
  machineName?: string | undefined
  lastAction?: string
  /** Left out if the call is not an action: then an earlier error stays. */
  errored?: boolean
  at: number
  /** Test traffic: does not change a session of real traffic. */
  test?: boolean
}

// Whoever knows the name of a session does not take it over.
const firstToken = sql`coalesce(${agentSessions.tokenId}, excluded.token_id)`

/** Records that a session did something; returns its id, or undefined if nothing changed. */
export async function sightSession(
  tx: Tx,
  sighting: Sighting,
): Promise<AgentSessionId | undefined> {
  const { id, at, errored, lastAction, test = false, workspaceId, machineId, sessionId } = sighting
  const { tokenId, agentName, client, repoKey, branch, intent, machineName } = sighting
  const key = { workspaceId, machineId, sessionId }
  const update = {
    lastSeenAt: at,
    test,
    ...(lastAction === undefined ? {} : { lastAction }),
    ...(errored === undefined ? {} : { erroredAt: errored ? at : null }),
  }
  const fields = omitUndefined({ agentName, client, repoKey, branch, intent, machineName })
  const rows = await tx
    .insert(agentSessions)
    .values({ id, ...key, tokenId, ...update, ...fields, unanswered: 0, createdAt: at })
    .onConflictDoUpdate({
      target: [agentSessions.workspaceId, agentSessions.machineId, agentSessions.sessionId],
      set: { ...update, ...fields, tokenId: firstToken },
      ...(test ? { setWhere: eq(agentSessions.test, true) } : {}),
    })
    .returning({ id: agentSessions.id })
  return rows[0]?.id
}

const findByKey = prepared((read: Read) =>
  read
    .select()
    .from(agentSessions)
    .where(
      and(
        eq(agentSessions.workspaceId, sql.placeholder('workspaceId')),
        eq(agentSessions.machineId, sql.placeholder('machineId')),
        eq(agentSessions.sessionId, sql.placeholder('sessionId')),
      ),
    )
    .prepare(),
)

export async function findSessionByKey(
  read: Read,
  key: SessionKey,
): Promise<AgentSession | undefined> {
  const rows = await findByKey(read).execute({ ...key })
  return rows[0] && fromRow(rows[0])
}

export async function findSession(
  read: Read,
  workspaceId: WorkspaceId,
  id: AgentSessionId,
): Promise<AgentSession | undefined> {
  const rows = await read.select().from(agentSessions).where(here(workspaceId, id))
  return rows[0] && fromRow(rows[0])
}

/** Returns true if a viewer sees a session of the workspace: by the token that reported it. */
export function seesSession(
  read: Read,
  viewer: Viewer,
  { tokenId }: Pick<AgentSession, 'tokenId'>,
): Promise<boolean> {
  return sees(read, viewer, { tokenId })
}

/** Sessions seen since `since`, the latest first. */
export async function listSessions(
  read: Read,
  viewer: Viewer,
  since: number,
  limit: number,
): Promise<AgentSession[]> {
  return await latest(read, seenSince(read, viewer, since), limit)
}

/** As `listSessions`, of those whose last report was an error. */
export async function listErroredSessions(
  read: Read,
  viewer: Viewer,
  since: number,
  limit: number,
): Promise<AgentSession[]> {
  const failed = isNotNull(agentSessions.erroredAt)
  return await latest(read, and(seenSince(read, viewer, since), failed), limit)
}

function seenSince(read: Read, viewer: Viewer, since: number) {
  return and(
    eq(agentSessions.workspaceId, viewer.workspaceId),
    isVisible(read, { tokenId: agentSessions.tokenId }, viewer),
    gte(agentSessions.lastSeenAt, since),
  )
}

async function latest(read: Read, among: SQL | undefined, limit: number): Promise<AgentSession[]> {
  const rows = await read
    .select()
    .from(agentSessions)
    .where(among)
    .orderBy(desc(agentSessions.lastSeenAt), desc(agentSessions.id))
    .limit(limit)
  return rows.map(fromRow)
}

/** As `listSessions`, of one repository. */
export async function listRepositorySessions(
  read: Read,
  of: { viewer: Viewer; repoKey: string },
  since: number,
  limit: number,
): Promise<AgentSession[]> {
  const rows = await read
    .select()
    .from(agentSessions)
    .where(and(seenSince(read, of.viewer, since), eq(agentSessions.repoKey, of.repoKey)))
    .orderBy(desc(agentSessions.lastSeenAt), desc(agentSessions.id))
    .limit(limit)
  return rows.map(fromRow)
}

const oneMore = sql<number>`${agentSessions.unanswered} + 1`.mapWith(Number)

/** Counts one more unanswered approval of the session, or (`answered`) starts counting again. */
export async function countUnanswered(
  tx: Tx,
  key: SessionKey,
  outcome: 'unanswered' | 'answered',
): Promise<void> {
  const { workspaceId, machineId, sessionId } = key
  const count = outcome === 'answered' ? countAgain : countOneMore
  await count(tx).execute({ workspaceId, machineId, sessionId })
}

const countAgain = prepared((tx: Tx) => setUnanswered(tx, 0).prepare())
const countOneMore = prepared((tx: Tx) => setUnanswered(tx, oneMore).prepare())

function setUnanswered(tx: Tx, unanswered: number | SQL) {
  return tx
    .update(agentSessions)
    .set({ unanswered })
    .where(
      and(
        eq(agentSessions.workspaceId, sql.placeholder('workspaceId')),
        eq(agentSessions.machineId, sql.placeholder('machineId')),
        eq(agentSessions.sessionId, sql.placeholder('sessionId')),
      ),
    )
}

/** Records that a terminal on the machine was active at `at`; an older report changes nothing. */
export async function recordPresence(
  tx: Tx,
  workspaceId: WorkspaceId,
  machineId: string,
  at: number,
): Promise<void> {
  await tx
    .insert(presence)
    .values({ workspaceId, machineId, activeAt: at })
    .onConflictDoUpdate({
      target: [presence.workspaceId, presence.machineId],
      set: { activeAt: laterOf(presence.activeAt) },
    })
}

const findPresence = prepared((read: Read) =>
  read
    .select({ activeAt: presence.activeAt })
    .from(presence)
    .where(
      and(
        eq(presence.workspaceId, sql.placeholder('workspaceId')),
        eq(presence.machineId, sql.placeholder('machineId')),
      ),
    )
    .prepare(),
)

/** When a terminal on the machine was last active; undefined if never reported. */
export async function terminalActiveAt(
  read: Read,
  workspaceId: WorkspaceId,
  machineId: string,
): Promise<number | undefined> {
  const rows = await findPresence(read).execute({ workspaceId, machineId })
  return rows[0]?.activeAt
}

function here(workspaceId: WorkspaceId, id: AgentSessionId) {
  return and(eq(agentSessions.workspaceId, workspaceId), eq(agentSessions.id, id))
}

function fromRow(row: typeof agentSessions.$inferSelect): AgentSession {
  return nullsToUndefined(row)
}
