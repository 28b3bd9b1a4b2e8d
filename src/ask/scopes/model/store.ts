import { and, asc, desc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Db, Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Ratified, Widening } from './contract.ts'
import { contracts, widenings } from './table.ts'

/** Stores an agreed contract; a second time for the same question changes nothing. */
export async function insertContract(tx: Tx, contract: Ratified): Promise<void> {
  await tx.insert(contracts).values(contract).onConflictDoNothing()
}

/** The contract that a scope question led to; undefined if nobody agreed to it. */
export async function findContract(
  read: Read,
  workspaceId: WorkspaceId,
  questionId: QuestionId,
): Promise<Ratified | undefined> {
  const here = and(eq(contracts.questionId, questionId), eq(contracts.workspaceId, workspaceId))
  const rows = await read.select().from(contracts).where(here)
  return rows[0] && fromRow(rows[0])
}

const findLatest = prepared((read: Read) =>
  read
    .select()
    .from(contracts)
    .where(
      and(
        eq(contracts.workspaceId, sql.placeholder('workspaceId')),
        eq(contracts.sessionId, sql.placeholder('sessionId')),
        eq(contracts.test, sql.placeholder('test')),
      ),
    )
    .orderBy(desc(contracts.ratifiedAt), desc(contracts.questionId))
    .limit(1)
    .prepare(),
)

/** The owner of a contract; test traffic has its own. */
export type ContractKey = { workspaceId: WorkspaceId; sessionId: string; test: boolean }

/**
 * The contract of a session that holds at `now`: the one agreed to last. An older one never comes
 * back, since all last equally long.
 */
export async function findInForce(
  read: Read,
  of: ContractKey,
  now: number,
): Promise<Ratified | undefined> {
  const rows = await findLatest(read).execute({ ...of, test: Number(of.test) })
  const latest = rows[0] && fromRow(rows[0])
  return latest && latest.expiresAt > now ? latest : undefined
}

/** The contracts of a session, newest first. */
export async function listContracts(
  read: Read,
  { workspaceId, sessionId, test }: ContractKey,
  limit: number,
): Promise<Ratified[]> {
  const where = and(
    eq(contracts.workspaceId, workspaceId),
    eq(contracts.sessionId, sessionId),
    eq(contracts.test, test),
  )
  return await newestFirst(read, where, limit)
}

/** Contracts of a workspace that hold at `now`, including superseded ones, newest first. */
export async function listUnexpired(
  read: Read,
  workspaceId: WorkspaceId,
  now: number,
  limit: number,
): Promise<Ratified[]> {
  const where = and(
    eq(contracts.workspaceId, workspaceId),
    eq(contracts.test, false),
    gt(contracts.expiresAt, now),
  )
  return await newestFirst(read, where, limit)
}

async function newestFirst(read: Read, where: SQL | undefined, limit: number): Promise<Ratified[]> {
  const rows = await read
    .select()
    .from(contracts)
    .where(where)
    .orderBy(desc(contracts.ratifiedAt), desc(contracts.questionId))
    .limit(limit)
  return rows.map(fromRow)
}

/** Adds one path to a contract; a second time for the same question changes nothing. */
export async function insertWidening(tx: Tx, widening: Widening): Promise<void> {
  await tx.insert(widenings).values(widening).onConflictDoNothing()
}

/** The path that this question added; undefined if it added none. */
export async function findWidening(
  read: Read,
  questionId: QuestionId,
): Promise<Widening | undefined> {
  const rows = await read.select().from(widenings).where(eq(widenings.questionId, questionId))
  return rows[0]
}

/** The paths that were added to these contracts, in order. */
export async function listWidenings(
  read: Read,
  contractIds: readonly QuestionId[],
): Promise<Widening[]> {
  if (contractIds.length === 0) return []
  return read
    .select()
    .from(widenings)
    .where(inArray(widenings.contractId, [...contractIds]))
    .orderBy(asc(widenings.at), asc(widenings.questionId))
}

/** Deletes what these questions led to: contracts with their widenings, and single widenings. */
export async function deleteContracts(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length === 0) return
  const all = [...ids]
  await tx.delete(contracts).where(inArray(contracts.questionId, all))
  await tx
    .delete(widenings)
    .where(or(inArray(widenings.contractId, all), inArray(widenings.questionId, all)))
}

function fromRow(row: typeof contracts.$inferSelect): Ratified {
  return nullsToUndefined(row)
}

/** The contract of a session, and the exact paths that were added to it. */
export type InForce = { contract: Ratified; widened: string[] }

/**
 * What holds for a session now; undefined if nothing does. A session is identified by its id alone:
 * machines that report the same id share the contract.
 */
export async function readInForce(
  { db, clock }: { db: Db; clock: Clock },
  of: ContractKey,
): Promise<InForce | undefined> {
  const contract = await findInForce(db.read, of, clock.now())
  return contract && { contract, widened: await widenedBy(db.read, contract) }
}

async function widenedBy(read: Read, { questionId }: Ratified): Promise<string[]> {
  const widenings = await listWidenings(read, [questionId])
  return [...new Set(widenings.map(({ path }) => path))]
}
