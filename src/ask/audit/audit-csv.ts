import { isoTime } from '../../platform/clock.ts'
import type { AuditEntry } from './audit-entry.ts'

/** The columns of an export, in order. */
export const AUDIT_COLUMNS = [
  'at',
  'kind',
  'agent',
  'tokenId',
  'token',
  'sessionId',
  'machineId',
  'personId',
  'person',
  'source',
  'subjectId',
  'subject',
  'deviceId',
  'device',
  'outcome',
  'note',
  'id',
] as const satisfies ReadonlyArray<keyof AuditEntry>

/** The first line of a CSV export (RFC 4180). */
export function csvHeader(): string {
  return `${AUDIT_COLUMNS.join(',')}\r\n`
}

export function csvLine(entry: AuditEntry): string {
  const cells = AUDIT_COLUMNS.map((name) =>
    cell(name === 'at' ? isoTime(entry.at) : (entry[name] ?? '')),
  )
  return `${cells.join(',')}\r\n`
}

// A spreadsheet takes what begins like this for a formula, and runs it; full-width signs too.
const FORMULA = /^[\s\0]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
