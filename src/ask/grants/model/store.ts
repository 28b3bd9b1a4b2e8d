import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { Question } from '../../questions/model/question.ts'
import { isVisible } from '../../visibility/model/store.ts'
import type { Grant, GrantEnd, GrantedCall, GrantId } from './grant.ts'
import { grants } from './table.ts'

export async function insertGrant(tx: Tx, grant: Grant): Promise<void> {
  await tx.insert(grants).values(grant)
}

/** A grant that holds for one of these calls at `now`, the one that holds longest. */
export async function findGrant(
  read: Read,
  calls: readonly GrantedCall[],
  now: number,
): Promise<Grant | undefined> {
  const [row] = await read
    .select()
    .from(grants)
    .where(and(or(...calls.map(forCall)), inForce(now)))
    .orderBy(desc(grants.expiresAt), asc(grants.id))
    .limit(1)
  return row && fromRow(row)
}

/** Counts one use; false if the grant does not hold any more. One update decides every race. */
export async function spendGrant(tx: Tx, id: GrantId, now: number): Promise<boolean> {
  const rows = await tx
    .update(grants)
    .set({ uses: sql`${grants.uses} + 1`.mapWith(Number), usedAt: now })
    .where(and(eq(grants.id, id), inForce(now)))
    .returning({ id: grants.id })
  return rows.length > 0
}

/** Takes back a use that turned out to be a retry. */
export async function unspendGrant(tx: Tx, { id, usedAt }: Grant): Promise<void> {
  await tx
    .update(grants)
    .set({ uses: sql`${grants.uses} - 1`.mapWith(Number), usedAt: usedAt ?? null })
    .where(eq(grants.id, id))
}

/** Those that hold, the newest first. */
export async function listGrants(read: Read, viewer: Viewer, now: number): Promise<Grant[]> {
  const rows = await read
    .select()
    .from(grants)
    .where(and(isShown(read, viewer), inForce(now)))
    .orderBy(desc(grants.createdAt), desc(grants.id))
  return rows.map(fromRow)
}

function isShown(read: Read, viewer: Viewer) {
  return and(
    eq(grants.workspaceId, viewer.workspaceId),
    isVisible(read, { tokenId: grants.tokenId, subjectId: grants.questionId }, viewer),
  )
}

export async function readGrant(
  read: Read,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Grant | undefined> {
  const [row] = await read
    .select()
    .from(grants)
    .where(and(eq(grants.id, id as GrantId), eq(grants.workspaceId, workspaceId)))
  return row && fromRow(row)
}

/**
 * Returns true if the grant that answered this question was taken back, or its person was removed.
 */
export async function isTakenBack(
  read: Read,
  { workspaceId, detail: { byGrant } }: Pick<Question, 'workspaceId' | 'detail'>,
): Promise<boolean> {
  const grant = byGrant && (await readGrant(read, workspaceId, byGrant.id))
  return grant?.endedBecause === 'revoked' || grant?.endedBecause === 'person_gone'
}

/** Ends every grant for the same call: a person who takes one back means all of them. */
export function endGrantsFor(tx: Tx, call: GrantedCall, now: number): Promise<Grant[]> {
  return end(tx, forCall(call), now, 'revoked')
}

type Session = Pick<GrantedCall, 'workspaceId' | 'machineId' | 'sessionId'>

/** Ends every grant of a session. */
export function endGrantsIn(
  tx: Tx,
  { workspaceId, machineId, sessionId }: Session,
  now: number,
  because: GrantEnd,
): Promise<Grant[]> {
  const theirs = and(
    eq(grants.workspaceId, workspaceId),
    eq(grants.machineId, machineId),
    eq(grants.sessionId, sessionId),
  )
  return end(tx, theirs, now, because)
}

/** Ends every grant that a person gave, or that is for one of these tokens. */
export function endGrantsOfGone(
  tx: Tx,
  of: { workspaceId: WorkspaceId; personId: PersonId; revoked: readonly TokenId[] },
  now: number,
): Promise<Grant[]> {
  const theirs = or(eq(grants.personId, of.personId), inArray(grants.tokenId, [...of.revoked]))
  return end(tx, and(eq(grants.workspaceId, of.workspaceId), theirs), now, 'person_gone')
}

/** Ends grants that have run out, so that a clock set back cannot revive them. */
export function endOverdueGrants(tx: Tx, now: number): Promise<Grant[]> {
  return end(tx, lte(grants.expiresAt, now), now, 'expired')
}

/** Returns true if a grant has run out and was not ended yet. */
export async function hasOverdueGrants(read: Read, now: number): Promise<boolean> {
  const rows = await read
    .select({ id: grants.id })
    .from(grants)
    .where(and(isNull(grants.endedAt), lte(grants.expiresAt, now)))
    .limit(1)
  return rows.length > 0
}

/** Deletes grants that ran out at `before` or earlier; resolves to how many. */
export async function purgeGrants(tx: Tx, before: number): Promise<number> {
  const rows = await tx
    .delete(grants)
    .where(lte(grants.expiresAt, before))
    .returning({ id: grants.id })
  return rows.length
}

async function end(
  tx: Tx,
  which: ReturnType<typeof and>,
  now: number,
  because: GrantEnd,
): Promise<Grant[]> {
  const rows = await tx
    .update(grants)
    .set({ endedAt: now, endedBecause: because })
    .where(and(which, isNull(grants.endedAt)))
    .returning()
  return rows.map(fromRow)
}

function forCall(call: GrantedCall) {
  return and(
    eq(grants.workspaceId, call.workspaceId),
    eq(grants.sessionId, call.sessionId),
    eq(grants.argumentsHash, call.argumentsHash),
    eq(grants.tokenId, call.tokenId),
    eq(grants.machineId, call.machineId),
    eq(grants.toolName, call.toolName),
    eq(grants.cwd, call.cwd),
  )
}

// If the clock was set back, a grant does not hold before it was given.
function inForce(now: number) {
  return and(isNull(grants.endedAt), lte(grants.createdAt, now), gt(grants.expiresAt, now))
}

function fromRow(row: typeof grants.$inferSelect): Grant {
  return nullsToUndefined(row)
}
