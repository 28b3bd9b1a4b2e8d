import { sql } from 'drizzle-orm'
import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { lateAnswers, questions } from './table.ts'

const { id, askedSeal, endedSeal, createdAt, endedAt, status } = questions

// As the index says it: with a parameter in place of the word, the index would not serve.
const isOver = sql`${status} <> 'pending'`

/** Whether it is sealed how a question was asked. */
export const askedMarks = sealMarks(questions, { id, seal: askedSeal, at: createdAt })

/** Whether it is sealed how a question ended. */
export const endedMarks = sealMarks(questions, {
  id,
  seal: endedSeal,
  at: endedAt,
  ready: isOver,
})

export const lateMarks = sealMarks(lateAnswers, {
  id: lateAnswers.id,
  seal: lateAnswers.seal,
  at: lateAnswers.at,
})

export type QuestionRow = typeof questions.$inferSelect
export type LateRow = typeof lateAnswers.$inferSelect
