import { Failure } from '../../platform/failure.ts'
import type { Person } from '../accounts/model/person.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import { findVisible } from '../questions/find-visible.ts'
import { likenessOf, samenessOf } from '../questions/model/alike.ts'
import type { Question } from '../questions/model/question.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerSource } from '../wire/question-fields.ts'
import { answerWithUndo } from './hold-answer.ts'

/** More than one page shows. */
export const TOGETHER_MAX = 50

type Together = {
  person: Pick<Person, 'id' | 'workspaceId' | 'sees'>
  ids: readonly QuestionId[]
  value: string
  source: AnswerSource
}

/**
 * Gives one answer to several questions, each of which ends by itself: with its own row, audit
 * entry and callback, or as it had ended before. A no is for questions that are alike; a yes and a
 * choice are for those that are identical in everything a person sees. Throws `invalid_answer` for
 * others, and nothing is answered then.
 */
export async function answerTogether(
  deps: EndQuestionDeps,
  { person, ids, value, source }: Together,
): Promise<Question[]> {
  const questionIds = [...new Set(ids)]
  if (questionIds.length === 0) throw refuse('No question was chosen.')
  if (questionIds.length > TOGETHER_MAX) throw refuse(`More than ${TOGETHER_MAX} were chosen.`)
  const stored = await Promise.all(questionIds.map((id) => findVisible(deps.db.read, person, id)))
  const declines = value === 'no' && stored.every((question) => question?.type === 'confirm')
  const markOf = declines ? likenessOf : samenessOf
  const marks = new Set(stored.map((question) => question && markOf(question)))
  if (marks.size !== 1 || marks.has(undefined)) throw refuse(declines ? ONLY_ALIKE : ONLY_SAME)
  const questions: Question[] = []
  const { workspaceId, id: by } = person
  for (const questionId of questionIds) {
    const common = { workspaceId, questionId, value, source, by }
    questions.push((await answerWithUndo(deps, common)).question)
  }
  return questions
}

const ONLY_SAME =
  'One answer is only for questions that are identical, shown whole and easy to undo.'
const ONLY_ALIKE = 'Only yes-or-no questions of one kind and one session are declined together.'

function refuse(why: string): Failure {
  return new Failure('invalid_answer', `${why} Nothing was answered.`, {
    fields: [{ field: 'id', must: 'must name such questions' }],
  })
}
