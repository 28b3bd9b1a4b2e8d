import type { Tx } from '../../platform/db/database.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { type AuditStamp, auditRecord, type RecordedChange } from './model/audit.ts'
import { recordAudit } from './model/store.ts'

/**
 * Adds to the audit trail in the transaction of the change itself, with the name of the person who
 * made it as it is now. `stamp` comes from `auditStamp`, outside of the transaction.
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
