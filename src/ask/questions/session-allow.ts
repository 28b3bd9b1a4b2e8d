import { Failure } from '../../platform/failure.ts'
import { looksDestructive } from '../wire/danger/destructive.ts'
import type { Question, QuestionDetail } from './question.ts'

/**
 * Whether a yes may be given for the rest of the session: the client can keep to it, said what that
 * would allow, and what is asked does not look hard to undo.
 */
export function offersSession(question: Pick<Question, 'type' | 'question' | 'detail'>): boolean {
  const { sessionAllows = [] } = question.detail
  return question.type === 'confirm' && sessionAllows.length > 0 && !looksDestructive(question)
}

/**
 * The detail of a question that was said yes to for the whole session; undefined for any other
 * answer. Throws `invalid_answer` where that was not offered.
 */
export function readForSession(
  question: Pick<Question, 'type' | 'question' | 'detail'>,
  value: string,
  forSession: boolean | undefined,
): QuestionDetail | undefined {
  if (!forSession) return undefined
  if (value === 'yes' && offersSession(question)) return { ...question.detail, forSession: true }
  throw new Failure('invalid_answer', 'This cannot be approved for the whole session.', {
    fields: [{ field: 'forSession', must: 'must be left out' }],
  })
}
