import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { isOver, lateAnswers, questions } from './table.ts'

const { id, askedSeal, endedSeal, createdAt, endedAt } = questions

/** Marks questions whose opening the audit trail has sealed. */
export const openingMarks = sealMarks(questions, { id, seal: askedSeal, at: createdAt })

/** Marks questions whose end the audit trail has sealed. */
export const endMarks = sealMarks(questions, {
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
