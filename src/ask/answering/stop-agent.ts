import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { endSessionGrants } from '../grants/grants.ts'
import {
  type EndQuestionDeps,
  endQuestion,
  type First,
  settled,
} from '../questions/end-question.ts'
import type { AnsweredOn, Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerOutcome } from './answer-question.ts'

/** A person taps "Stop the agent": the question ends as `stopped`. Throws `not_found`. */
export async function stopAgent(
  deps: EndQuestionDeps,
  stop: {
    workspaceId: WorkspaceId
    questionId: QuestionId
    by?: PersonId | undefined
    /** The means of the stop, if the person was not signed in. */
    on?: AnsweredOn | undefined
    /** The device that shows the outcome already. */
    device?: SubscriberId | undefined
    first?: First | undefined
  },
): Promise<AnswerOutcome> {
  const { workspaceId, questionId, by, on, device, first } = stop
  const ending = { ...(by && { answeredBy: by }), ...(on && { answeredOn: on }) }
  const also = async (tx: Tx, { machineId = '', sessionId }: Question, at: number) => {
    if (sessionId === undefined) return
    await endSessionGrants(tx, { workspaceId, machineId, sessionId }, at, 'stopped', by)
  }
  const endedOn = device === undefined ? {} : { endedOn: device }
  const of = { workspaceId, id: questionId, ending, first, also, ...endedOn }
  const stopped = await endQuestion(deps, 'stop', of)
  if (stopped) return { won: true, question: stopped }
  const question = await findQuestion(deps.db.read, workspaceId, questionId)
  if (!question) throw new Failure('not_found', 'There is no such question here.')
  return { won: false, question: await settled(deps, question, deps.clock.now()) }
}
