import type { Question, StoredStatus } from './question.ts'

/** Hears of questions once they are stored. */
export type QuestionCounts = {
  opened(question: Pick<Question, 'origin'>): void
  ended(status: StoredStatus): void
}
