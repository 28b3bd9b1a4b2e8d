import { and, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { NotificationId, QuestionId } from '../../../platform/ids.ts'
import { deliveries } from './table.ts'

type SubjectId = QuestionId | NotificationId

/** The questions and notifications that still have a message to be sent. */
export async function underWay(
  read: Read,
  subjects: readonly SubjectId[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set()
  const rows = await read
    .selectDistinct({ id: deliveries.subjectId })
    .from(deliveries)
    .where(and(inArray(deliveries.subjectId, [...subjects]), eq(deliveries.state, 'waiting')))
  return new Set(rows.map((row) => row.id))
}

export async function deleteDeliveries(tx: Tx, subjects: readonly SubjectId[]): Promise<void> {
  if (subjects.length === 0) return
  await tx.delete(deliveries).where(inArray(deliveries.subjectId, [...subjects]))
}
