import type { Question, StoredStatus } from './question.ts'

/** Called after questions are stored. */
export type QuestionCounts = {
  opened(question: Pick<Question, 'origin'>): void
  ended(status: StoredStatus): void
}
