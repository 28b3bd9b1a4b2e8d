import type { Question } from '../../questions/model/question.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'

/** What became of a proposed change of who may decide. */
export function changeSentence(question: Question, status: StoredStatus): string {
  const { detail, value, endReason } = question
  const { change } = detail
  if (change?.is === 'not_made') return `The change was not made. ${change.why}`
  if (change?.is === 'made') return 'The change was made when the last of them agreed.'
  if (status === 'answered' && value === 'no') return 'Nothing was changed.'
  if (status === 'expired') return 'Too few people agreed in time, so nothing was changed.'
  if (status === 'notified') return 'The change was made. All owners were told.'
  return endReason ? `${endReason} Nothing was changed.` : 'Nothing was changed.'
}
