import {
  and,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { AgentToken, Connection, Ownership } from './agent.ts'
import { forgetClientNames } from './client-names.ts'
import type { PersonId, TokenId, WorkspaceId } from './ids.ts'
import { agentTokens } from './table.ts'

export async function addToken(tx: Tx, row: typeof agentTokens.$inferInsert): Promise<AgentToken> {
  const [added] = await tx.insert(agentTokens).values(row).returning()
  return fromRow(added as typeof agentTokens.$inferSelect)
}

/** The tokens of a workspace, newest first, revoked ones too. */
export async function listTokens(read: Read, workspaceId: WorkspaceId): Promise<AgentToken[]> {
  const rows = await read
    .select()
    .from(agentTokens)
    .where(eq(agentTokens.workspaceId, workspaceId))
    .orderBy(desc(agentTokens.id))
  return rows.map(fromRow)
}

/** The owner of tokens: a whole workspace, or one person who created them. */
export type TokensOf = { workspaceId: WorkspaceId; createdBy?: PersonId }

/** How many unrevoked tokens there are. */
export async function countLiveTokens(read: Read, of: TokensOf): Promise<number> {
  const [row] = await read.select({ tokens: count() }).from(agentTokens).where(isLive(of))
  return row?.tokens ?? 0
}

// A person has a few; each is a row.
const ALL = { offset: 0, limit: 10_000 }

/** The unrevoked tokens, newest first; of a page only those from index `offset` on. */
export async function listLiveTokens(
  read: Read,
  of: TokensOf,
  { offset, limit }: { offset: number; limit: number } = ALL,
): Promise<AgentToken[]> {
  const rows = await read
    .select()
    .from(agentTokens)
    .where(isLive(of))
    .orderBy(desc(agentTokens.id))
    .limit(limit)
    .offset(offset)
  return rows.map(fromRow)
}

function isLive({ workspaceId, createdBy }: TokensOf) {
  return and(
    eq(agentTokens.workspaceId, workspaceId),
    isNull(agentTokens.revokedAt),
    createdBy === undefined ? undefined : eq(agentTokens.createdBy, createdBy),
  )
}

export async function findToken(read: Read, id: TokenId): Promise<AgentToken | undefined> {
  const [row] = await read.select().from(agentTokens).where(eq(agentTokens.id, id))
  return row && fromRow(row)
}

/** Whose tokens count as a person's own too: those of other people and of groups, as queries. */
export type Beside = { people: SQLWrapper; groups: SQLWrapper }

/** A query for the ids of the tokens that a person owns, or those whom `beside` names. */
export function tokensOwnedBy(
  read: Read,
  of: { workspaceId: WorkspaceId; id: PersonId; beside: Beside | undefined },
) {
  const { workspaceId, id, beside } = of
  const { createdBy, ownerGroup } = agentTokens
  const isOwn = eq(createdBy, id)
  return read
    .select({ id: agentTokens.id })
    .from(agentTokens)
    .where(
      and(
        eq(agentTokens.workspaceId, workspaceId),
        beside
          ? or(isOwn, inArray(createdBy, beside.people), inArray(ownerGroup, beside.groups))
          : isOwn,
      ),
    )
}

/** The token with this hash; read for every call of an agent. */
export async function findTokenByHash(read: Read, hash: string): Promise<AgentToken | undefined> {
  const [row] = await read.select().from(agentTokens).where(eq(agentTokens.hash, hash))
  return row && fromRow(row)
}

/** The unrevoked connection of a client that this person allowed. */
export async function findConnection(
  read: Read,
  of: { workspaceId: WorkspaceId; personId: PersonId; clientId: string },
): Promise<AgentToken | undefined> {
  const mine = isLive({ workspaceId: of.workspaceId, createdBy: of.personId })
  const [row] = await read
    .select()
    .from(agentTokens)
    .where(and(mine, eq(agentTokens.clientId, of.clientId)))
    .orderBy(desc(agentTokens.id))
    .limit(1)
  return row && fromRow(row)
}

/** The ids of the unrevoked connections of a client. */
export async function listConnectionIds(
  read: Read,
  of: { workspaceId: WorkspaceId; clientId: string },
): Promise<TokenId[]> {
  const rows = await read
    .select({ id: agentTokens.id })
    .from(agentTokens)
    .where(and(isLive({ workspaceId: of.workspaceId }), eq(agentTokens.clientId, of.clientId)))
  return rows.map(({ id }) => id)
}

/** Stores what a person has now agreed to, and the client's name. */
export async function putConnection(
  tx: Tx,
  id: TokenId,
  { name, connection }: { name: string; connection: Connection },
): Promise<void> {
  await tx.update(agentTokens).set({ name, connection }).where(eq(agentTokens.id, id))
  tx.emit('token', id)
}

/** Gives a token to another person or group, which owns it from now on. */
export async function putOwner(tx: Tx, id: TokenId, owner: Ownership): Promise<void> {
  const { createdBy, ownerGroup } = owner
  await tx
    .update(agentTokens)
    .set({ createdBy, ownerGroup, offAt: null })
    .where(eq(agentTokens.id, id))
  tx.emit('token', id)
}

/** The tokens of a group that is gone belong to nobody. */
export async function dropOwnerGroup(tx: Tx, group: Id<'group'>): Promise<void> {
  const ofGroup = eq(agentTokens.ownerGroup, group)
  await tx.update(agentTokens).set({ ownerGroup: null }).where(ofGroup)
}

/** Revokes a token; undefined if it was revoked already or never existed. */
export async function revoke(tx: Tx, id: TokenId, now: number): Promise<AgentToken | undefined> {
  const [row] = await tx
    .update(agentTokens)
    .set({ revokedAt: now })
    .where(and(eq(agentTokens.id, id), isNull(agentTokens.revokedAt)))
    .returning()
  if (!row) return undefined
  await forgetClientNames(tx, id)
  tx.emit('token', id)
  return fromRow(row)
}

/** Switches a token on or off with its owner. */
export async function putTokenOff(tx: Tx, id: TokenId, offAt: number | null): Promise<void> {
  await tx.update(agentTokens).set({ offAt }).where(eq(agentTokens.id, id))
  tx.emit('token', id)
}

/** The tokens of every workspace that were revoked, or switched off, at or after `since`. */
export async function listEndedSince(
  read: Read,
  since: number,
): Promise<Array<{ id: TokenId; why: 'revoked' | 'off' }>> {
  const rows = await read
    .select({ id: agentTokens.id, revokedAt: agentTokens.revokedAt })
    .from(agentTokens)
    .where(or(gte(agentTokens.revokedAt, since), gte(agentTokens.offAt, since)))
  return rows.map(({ id, revokedAt }) => ({ id, why: revokedAt === null ? 'off' : 'revoked' }))
}

export type TokenUse = { at: number; from: string | undefined; client: string | undefined }

/** Records a use, unless one was recorded after `since`. The first one is announced. */
export async function markUsed(tx: Tx, id: TokenId, use: TokenUse, since: number): Promise<void> {
  const mark = (state: SQL) =>
    tx
      .update(agentTokens)
      .set({
        lastUsedAt: use.at,
        lastUsedFrom: use.from ?? null,
        lastUsedClient: use.client ?? null,
      })
      .where(and(eq(agentTokens.id, id), state))
      .returning({ id: agentTokens.id })
  const first = await mark(isNull(agentTokens.lastUsedAt))
  if (first.length > 0) tx.emit('token', id)
  else await mark(lt(agentTokens.lastUsedAt, since))
}

function fromRow({ hash: _, ...token }: typeof agentTokens.$inferSelect): AgentToken {
  return token
}
