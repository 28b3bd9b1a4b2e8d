import { and, asc, desc, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { placeholders, prepared } from '../../../platform/db/prepared.ts'
import { inTrail, type TimeRange } from '../../../platform/db/sql.ts'
import { together } from '../../../platform/db/together.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { findPerson } from '../../accounts/model/person-store.ts'
import {
  type AuditRecord,
  type AuditStamp,
  auditRecord,
  type RecordedChange,
  type RecordedKind,
} from './audit.ts'
import { audit, auditSeals } from './table.ts'

/** Adds rows to the trail in the transaction of the change that they record. */
export async function recordAudit(tx: Tx, ...records: AuditRecord[]): Promise<void> {
  const insert = insertOne(tx)
  await together(...records.map((one) => insert.execute({ ...one, seal: null })))
}

const insertOne = prepared((tx: Tx) => tx.insert(audit).values(placeholders(audit)).prepare())

export type AuditWanted = {
  kinds: readonly RecordedKind[]
  personId: PersonId | undefined
  /** Only what is about these. */
  subjectIds?: readonly string[] | undefined
}

export async function listAudit(
  read: Read,
  workspaceId: WorkspaceId,
  query: AuditWanted,
  range: TimeRange,
): Promise<AuditRecord[]> {
  return read
    .select()
    .from(audit)
    .where(
      and(
        inTrail(
          audit,
          workspaceId,
          range,
          query.subjectIds && inArray(audit.subjectId, [...query.subjectIds]),
        ),
        inArray(audit.kind, [...query.kinds]),
        query.personId === undefined ? undefined : eq(audit.personId, query.personId),
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(range.limit)
}

/** When the newest row was written, or what the newest link seals happened, whichever is later. */
export async function newestInTrail(read: Read): Promise<number | undefined> {
  const [row] = await read
    .select({ at: audit.at })
    .from(audit)
    // Read from the end of the index, instead of through all of it.
    .where(gt(audit.at, -1))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1)
  const [link] = await read
    .select({ at: auditSeals.latestAt })
    .from(auditSeals)
    .orderBy(desc(auditSeals.seq))
    .limit(1)
  // A link that seals nothing says -1.
  const newest = Math.max(row?.at ?? -1, link?.at ?? -1)
  return newest < 0 ? undefined : newest
}

/** Lists the trail of one thing, the latest first. */
export async function listAbout(
  read: Read,
  { subjectId, kind }: { subjectId: string; kind: RecordedKind },
  limit: number,
): Promise<AuditRecord[]> {
  return read
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, subjectId), eq(audit.kind, kind)))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit)
}

/** Lists those of these kinds of rows that exist about these things. */
export async function listKindsAbout(
  read: Read,
  subjectIds: readonly string[],
  kinds: readonly RecordedKind[],
): Promise<Array<Pick<AuditRecord, 'subjectId' | 'kind'>>> {
  if (subjectIds.length === 0) return []
  return read
    .select({ subjectId: audit.subjectId, kind: audit.kind })
    .from(audit)
    .where(and(inArray(audit.subjectId, [...subjectIds]), inArray(audit.kind, [...kinds])))
}

/** The last recorded names of things, by id. */
export async function readSubjectNames(
  read: Read,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select({ id: audit.subjectId, name: audit.subjectName })
    .from(audit)
    .where(inArray(audit.subjectId, [...ids]))
    .orderBy(asc(audit.at), asc(audit.id))
  return new Map(rows.flatMap(({ id, name }) => (id && name ? [[id, name] as const] : [])))
}

/** Deletes up to `limit` rows older than `before`; resolves to whose they were. */
export async function purgeAudit(
  tx: Tx,
  before: number,
  limit: number,
): Promise<Array<Pick<AuditRecord, 'workspaceId' | 'kind'>>> {
  const old = await tx
    .select({ id: audit.id, workspaceId: audit.workspaceId, kind: audit.kind })
    .from(audit)
    .where(lt(audit.at, before))
    .orderBy(asc(audit.at), asc(audit.id))
    .limit(limit)
  const ids = old.map((row) => row.id)
  if (ids.length > 0) await tx.delete(audit).where(inArray(audit.id, ids))
  return old
}

/**
 * Adds a row to the audit trail in the transaction of the change, with the current name of the
 * person who made it. `stamp` comes from `auditStamp`, outside the transaction.
 */
export async function recordChange(
  tx: Tx,
  stamp: AuditStamp,
  change: RecordedChange,
): Promise<void> {
  const { personId, personName } = change
  const name = personName ?? (personId && (await findPerson(tx, personId))?.name) ?? null
  await recordAudit(tx, auditRecord(stamp, { ...change, personName: name }))
}
