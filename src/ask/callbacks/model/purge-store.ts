import { and, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { NotificationId, QuestionId } from '../../../platform/ids.ts'
import { callbackAttempts, callbacks } from './table.ts'

type SubjectId = QuestionId | NotificationId

/** The questions whose callback is still to be sent. */
export async function callbacksUnderWay(
  read: Read,
  subjects: readonly SubjectId[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set()
  const rows = await read
    .selectDistinct({ id: callbacks.questionId })
    .from(callbacks)
    .where(
      and(
        inArray(callbacks.questionId, [...subjects] as QuestionId[]),
        eq(callbacks.state, 'waiting'),
      ),
    )
  return new Set(rows.map((row) => row.id))
}

/** Deletes the callbacks of these questions, with every attempt. */
export async function deleteCallbacks(tx: Tx, subjects: readonly SubjectId[]): Promise<void> {
  if (subjects.length === 0) return
  const gone = await tx
    .delete(callbacks)
    .where(inArray(callbacks.questionId, [...subjects] as QuestionId[]))
    .returning({ id: callbacks.id })
  if (gone.length === 0) return
  const ids = gone.map((row) => row.id)
  await tx.delete(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids))
}
