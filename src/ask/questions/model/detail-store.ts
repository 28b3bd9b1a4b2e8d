import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import { placeholdersOf, prepared } from '../../../platform/db/prepared.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { questions } from './table.ts'

type Of = Pick<Question, 'workspaceId' | 'id'>

/** Adds to the detail of a question, and keeps what others write to it at the same time. */
export async function addDetail(tx: Tx, of: Of, more: Question['detail']): Promise<void> {
  const detail = await detailWith(tx, of, more)
  if (detail) await putOne(tx).execute({ id: of.id, detail })
}

/** The detail of a question as it is with `more`, until the end of the transaction. */
export async function detailWith(
  tx: Tx,
  { workspaceId, id }: Of,
  more: Question['detail'],
): Promise<Question['detail'] | undefined> {
  await lockDetail(tx, id)
  const [row] = await readOne(tx).execute({ workspaceId, id })
  return row && { ...row.detail, ...more }
}

const isOne = eq(questions.id, sql.placeholder('id'))

const putOne = prepared((tx: Tx) =>
  tx
    .update(questions)
    .set(placeholdersOf(['detail']))
    .where(isOne)
    .prepare(),
)

const readOne = prepared((tx: Tx) =>
  tx
    .select({ detail: questions.detail })
    .from(questions)
    .where(and(eq(questions.workspaceId, sql.placeholder('workspaceId')), isOne))
    .prepare(),
)

/** The detail is one value, so whoever changes a part of it must read it first. */
export async function lockDetail(tx: Tx, id: QuestionId): Promise<void> {
  await tx.lock(`detail ${id}`)
}
