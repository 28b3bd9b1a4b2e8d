import { and, eq, gt, isNull } from 'drizzle-orm'
import type { WorkspaceId } from '../kernel/ids.ts'
import { questions } from './table.ts'

/** Of a question that waits for the person; held ones were delivered to nobody on purpose. */
export function isOpen(workspaceId: WorkspaceId, now: number) {
  return and(
    eq(questions.workspaceId, workspaceId),
    eq(questions.status, 'pending'),
    gt(questions.expiresAt, now),
    isNull(questions.held),
  )
}
