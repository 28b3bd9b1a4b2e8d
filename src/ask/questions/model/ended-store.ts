import { and, eq, inArray } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { questions } from './table.ts'

// Ids go to the database in batches, below every database's limit on parameters.
const IDS_PIECE = 500

/**
 * Lists those of these questions, of any workspace, that are no longer stored as open or not stored
 * at all.
 */
export async function listEnded(read: Read, ids: readonly QuestionId[]): Promise<QuestionId[]> {
  const open = new Set<QuestionId>()
  for (let at = 0; at < ids.length; at += IDS_PIECE) {
    const piece = ids.slice(at, at + IDS_PIECE)
    const rows = await read
      .select({ id: questions.id })
      .from(questions)
      .where(and(inArray(questions.id, piece), eq(questions.status, 'pending')))
    for (const { id } of rows) open.add(id)
  }
  return ids.filter((id) => !open.has(id))
}
