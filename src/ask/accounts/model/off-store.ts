import { and, type Column, eq, exists, isNotNull, type SQL } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { members } from './table.ts'

/** True, in a query, for rows whose person was switched off in the workspace of the row. */
export function isOff(read: Read, of: { personId: Column; workspaceId: Column }): SQL {
  const member = and(
    eq(members.personId, of.personId),
    eq(members.workspaceId, of.workspaceId),
    isNotNull(members.offAt),
  )
  return exists(read.select({ id: members.personId }).from(members).where(member))
}
