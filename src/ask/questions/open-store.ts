import { and, count, eq, gt, isNull } from 'drizzle-orm'
import type { Read } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../../platform/ids.ts'
import { questions } from './table.ts'

/** How many `listOpenQuestions` could list. */
export async function countOpenQuestions(
  read: Read,
  workspaceId: WorkspaceId,
  now: number,
): Promise<number> {
  const [row] = await read.select({ open: count() }).from(questions).where(isOpen(workspaceId, now))
  return row?.open ?? 0
}

/** Of a question that waits for the person; held ones were delivered to nobody on purpose. */
export const isOpen = (workspaceId: WorkspaceId, now: number) =>
  and(
    eq(questions.workspaceId, workspaceId),
    eq(questions.status, 'pending'),
    gt(questions.expiresAt, now),
    isNull(questions.held),
  )
