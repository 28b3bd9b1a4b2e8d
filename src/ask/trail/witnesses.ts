import type { Read } from '../../platform/db/database.ts'
import { isSignedBy, type VerifyKey } from '../../platform/signing/ed25519.ts'
import type { AuditRecord, RecordedKind } from '../audit/model/audit.ts'
import { listKindsAbout } from '../audit/model/store.ts'
import { issuedWords, outcomeWords, type Permit, usedWords } from '../permits/model/permit.ts'
import { listPermits } from '../permits/model/store.ts'
import { decidedAt, signedWords } from '../receipts/model/receipt.ts'
import { listReceipts, type StoredReceipt } from '../receipts/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'

/** Kinds of rows that another table must still agree with, and what that table has. */
const WITNESSED = {
  'receipt.signed': 'receipt',
  'permit.issued': 'permit',
  'permit.used': 'permit',
  'permit.outcome': 'permit',
} as const satisfies Partial<Record<RecordedKind, string>>
export type WitnessedKind = keyof typeof WITNESSED

/** A receipt or permit as it is now: whether its columns are what this row of the trail recorded. */
export type Witness = { agrees(row: AuditRecord): boolean }

/** Names the other table that has the fact; undefined for a kind of row that stands alone. */
export function witnessOf(kind: RecordedKind): 'receipt' | 'permit' | undefined {
  return Object.hasOwn(WITNESSED, kind) ? WITNESSED[kind as WitnessedKind] : undefined
}

/** The receipts or permits of these questions. */
export async function readWitnesses(
  read: Read,
  kind: WitnessedKind,
  ids: readonly QuestionId[],
  key: VerifyKey,
): Promise<Map<QuestionId, Witness>> {
  if (kind === 'receipt.signed') {
    const receipts = await listReceipts(read, ids)
    return new Map(
      receipts.map((one) => [one.questionId, { agrees: (row) => isAsSigned(one, row, key) }]),
    )
  }
  const permits = await listPermits(read, ids)
  // Read after the permits: a row is written together with the use that it records.
  const rows = await listKindsAbout(read, ids, ['permit.used', 'permit.outcome'])
  const recorded = new Set(rows.map(({ kind, subjectId }) => `${kind} ${subjectId}`))
  return new Map(
    permits.map((one) => [
      one.questionId,
      { agrees: (row) => isOfSameToken(one, row) && isAsRecorded(one, kind, row, recorded) },
    ]),
  )
}

function isAsSigned(receipt: StoredReceipt, row: AuditRecord, key: VerifyKey): boolean {
  const { payload, signature, workspaceId, createdAt } = receipt
  if (signedWords(receipt) !== row.detail || workspaceId !== row.workspaceId) return false
  return isSignedBy(key, payload, signature) && decidedAt(receipt) === createdAt
}

function isOfSameToken({ workspaceId, tokenId }: Permit, row: AuditRecord): boolean {
  return workspaceId === row.workspaceId && tokenId === row.tokenId
}

/**
 * `recorded`: which rows there are about its use and outcome. A purge removes the oldest rows first, so
 * later ones must be there.
 */
function isAsRecorded(
  permit: Permit,
  kind: Exclude<WitnessedKind, 'receipt.signed'>,
  { at, detail }: AuditRecord,
  recorded: ReadonlySet<string>,
): boolean {
  const { questionId, createdAt, consumedAt, outcomeAt } = permit
  if (kind === 'permit.outcome') return detail === outcomeWords(permit) && at === outcomeAt
  const isOver = [permit.outcome, permit.detail, outcomeAt].some((one) => one !== undefined)
  if (isOver && !recorded.has(`permit.outcome ${questionId}`)) return false
  if (kind === 'permit.used') return detail === usedWords(permit) && at === consumedAt
  const isUsed = consumedAt !== undefined
  if (isUsed && !recorded.has(`permit.used ${questionId}`)) return false
  return detail === issuedWords(permit) && at === createdAt
}
