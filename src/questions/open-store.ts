import { count } from 'drizzle-orm'
import type { Read } from '../db/database.ts'
import type { WorkspaceId } from '../kernel/ids.ts'
import { isOpen } from './is-open.ts'
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
