import type { Tx } from '../../../platform/db/database.ts'
import { findPerson } from '../../accounts/model/person-store.ts'
import { type AuditStamp, auditRecord, type RecordedChange } from './audit.ts'
import { recordAudit } from './store.ts'

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
