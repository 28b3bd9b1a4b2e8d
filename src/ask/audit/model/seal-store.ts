import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { AuditId, AuditRecord } from './audit.ts'
import type { StoredSeal } from './seal.ts'
import { audit, auditSeals } from './table.ts'

export type SealedRecord = AuditRecord & { seal: number | null }

/** Rows that no link seals yet, the oldest first. */
export async function listUnsealed(read: Read, limit: number): Promise<SealedRecord[]> {
  return await read
    .select()
    .from(audit)
    .where(isNull(audit.seal))
    .orderBy(asc(audit.at), asc(audit.id))
    .limit(limit)
}

export async function countUnsealed(read: Read): Promise<number> {
  const [row] = await read.select({ rows: count() }).from(audit).where(isNull(audit.seal))
  return Number(row?.rows ?? 0)
}

/** Adds a link to the chain, and marks the rows that it seals. */
export async function addSeal(tx: Tx, seal: StoredSeal, ids: readonly AuditId[]): Promise<void> {
  await tx.insert(auditSeals).values(seal)
  if (ids.length === 0) return
  await tx
    .update(audit)
    .set({ seal: seal.seq })
    .where(inArray(audit.id, [...ids]))
}

export async function lastSeal(read: Read): Promise<StoredSeal | undefined> {
  const [row] = await read.select().from(auditSeals).orderBy(desc(auditSeals.seq)).limit(1)
  return row
}

/** The newest checkpoint. */
export async function lastCheckpoint(read: Read): Promise<StoredSeal | undefined> {
  const [row] = await read
    .select()
    .from(auditSeals)
    .where(isNotNull(auditSeals.purgedBefore))
    .orderBy(desc(auditSeals.seq))
    .limit(1)
  return row
}

/** The first link that seals a row of `before` or later. */
export async function firstSealSince(read: Read, before: number): Promise<number | undefined> {
  const [row] = await read
    .select({ seq: auditSeals.seq })
    .from(auditSeals)
    .where(gte(auditSeals.latestAt, before))
    .orderBy(asc(auditSeals.seq))
    .limit(1)
  return row?.seq
}

/** Returns true if there are links that seal only entries older than `before`. */
export async function hasSealsBefore(read: Read, before: number): Promise<boolean> {
  const [row] = await read
    .select({ seq: auditSeals.seq })
    .from(auditSeals)
    .where(and(gte(auditSeals.latestAt, 0), lt(auditSeals.latestAt, before)))
    .orderBy(asc(auditSeals.seq))
    .limit(1)
  if (!row) return false
  const first = await firstSealSince(read, before)
  return first === undefined || row.seq < first
}

export async function deleteSealsBefore(tx: Tx, seq: number): Promise<void> {
  await tx.delete(auditSeals).where(lt(auditSeals.seq, seq))
}

/** Puts links and rows of a copy into a database of their own. */
export async function putCopied(
  tx: Tx,
  seals: readonly StoredSeal[],
  rows: readonly SealedRecord[],
): Promise<void> {
  if (seals.length > 0) await tx.insert(auditSeals).values([...seals])
  if (rows.length > 0) await tx.insert(audit).values([...rows])
}

/** The links after `seq`, in order. */
export async function listSeals(read: Read, seq: number, limit: number): Promise<StoredSeal[]> {
  return await read
    .select()
    .from(auditSeals)
    .where(gt(auditSeals.seq, seq))
    .orderBy(asc(auditSeals.seq))
    .limit(limit)
}

/** The rows that say they are sealed by this link. */
export async function listSealedBy(read: Read, seq: number): Promise<SealedRecord[]> {
  return await read
    .select()
    .from(audit)
    .where(eq(audit.seal, seq))
    .orderBy(asc(audit.at), asc(audit.id))
}

export async function rowExists(read: Read, id: string): Promise<boolean> {
  const rows = await read
    .select({ id: audit.id })
    .from(audit)
    .where(eq(audit.id, id as AuditId))
  return rows.length > 0
}

/**
 * A row that names a link which does not exist; rows that a purge is about to remove do not count.
 */
export async function findStray(
  read: Read,
  { first, last, before }: { first: number; last: number; before: number },
): Promise<SealedRecord | undefined> {
  const [row] = await read
    .select()
    .from(audit)
    .where(or(gt(audit.seal, last), and(lt(audit.seal, first), gte(audit.at, before))))
    .orderBy(asc(audit.at), asc(audit.id))
    .limit(1)
  return row
}
