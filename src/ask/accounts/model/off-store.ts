import { and, type Column, eq, exists, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { members } from './table.ts'

/**
 * True, in a query, for rows whose person takes no part in the workspace of the row: switched off, or an
 * auditor.
 */
export function takesNoPart(read: Read, of: { personId: Column; workspaceId: Column }): SQL {
  const member = and(
    eq(members.personId, of.personId),
    eq(members.workspaceId, of.workspaceId),
    or(isNotNull(members.offAt), eq(members.role, 'auditor')),
  )
  return exists(read.select({ id: members.personId }).from(members).where(member))
}
