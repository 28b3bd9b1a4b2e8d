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
import { requireQuestion } from '../questions/find-visible.ts'
import { type AnsweredOn, isProposal, type Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerOutcome } from './answer-question.ts'

/** A proposed change, which no agent asks. Throws `forbidden` for all but whoever proposed it. */
async function findProposed(
  { db }: EndQuestionDeps,
  {
    workspaceId,
    questionId,
    by,
  }: { workspaceId: WorkspaceId; questionId: QuestionId; by?: PersonId | undefined },
): Promise<Question | undefined> {
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question || !isProposal(question)) return undefined
  if (by !== undefined && question.requirement?.excluded.includes(by)) return question
  const cure = 'Whoever may decide it declines it on its page.'
  throw new Failure('forbidden', `Only whoever proposed this may withdraw it. ${cure}`)
}

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
  const proposal = await findProposed(deps, stop)
  const withdrawn = proposal && { endReason: 'It was withdrawn by whoever proposed it.' }
  const ending = { ...(by && { answeredBy: by }), ...(on && { answeredOn: on }), ...withdrawn }
  const also = async (tx: Tx, { machineId = '', sessionId }: Question, at: number) => {
    if (sessionId === undefined) return
    await endSessionGrants(tx, { workspaceId, machineId, sessionId }, at, 'stopped', by)
  }
  const endedOn = device === undefined ? {} : { endedOn: device }
  const of = { workspaceId, id: questionId, ending, first, also, ...endedOn }
  const stopped = await endQuestion(deps, proposal ? 'cancel' : 'stop', of)
  if (stopped) return { won: true, question: stopped }
  const question = await requireQuestion(deps.db.read, workspaceId, questionId)
  return { won: false, question: await settled(deps, question, deps.clock.now()) }
}
