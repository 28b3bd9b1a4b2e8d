import { Failure } from '../../platform/failure.ts'
import type { Agent } from '../accounts/model/agent.ts'
import { type AnswerOutcome, answerQuestion, type GivenAnswer } from './answer-question.ts'
import type { EndQuestionDeps } from './end-question.ts'
import { findQuestion } from './model/store.ts'

/**
 * A program answers as the person, so that integrators can test without a device. Only test traffic
 * can be answered like this: throws `forbidden` for any other question, `not_found` for an unknown
 * one, and as `answerQuestion`.
 */
export async function answerInSandbox(
  deps: EndQuestionDeps,
  { workspaceId }: Agent,
  answer: Pick<GivenAnswer, 'questionId' | 'value' | 'note' | 'grant' | 'contract'>,
): Promise<AnswerOutcome> {
  const question = await findQuestion(deps.db.read, workspaceId, answer.questionId)
  if (question && !question.test) {
    throw new Failure(
      'forbidden',
      'A token can only answer test questions; this one is for a person. Sign in to answer it.',
    )
  }
  return answerQuestion(deps, { ...answer, workspaceId, isProgram: true })
}
