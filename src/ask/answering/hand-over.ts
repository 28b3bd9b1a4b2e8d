import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type EndQuestionDeps, endQuestion, settled } from '../questions/end-question.ts'
import { withHeldAnswer } from '../questions/held-answer.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerOutcome } from './answer-question.ts'

/**
 * A person leaves a question to the agent's own client: it ends as `terminal`, without an answer,
 * and the agent is told to ask there. Throws `not_found`, and `forbidden` for a scope, because
 * clients do not ask about scopes.
 */
export async function handOver(
  deps: EndQuestionDeps,
  over: { workspaceId: WorkspaceId; questionId: QuestionId; by: PersonId },
): Promise<AnswerOutcome> {
  const { workspaceId, questionId, by } = over
  const question = await find(deps, over)
  if (question.detail.contract) {
    throw new Failure('forbidden', 'A scope is agreed to here: no client asks for it itself.')
  }
  if (question.requirement) throw new Failure('forbidden', DECIDED_HERE)
  const detail = { handedOver: true as const }
  const also = (tx: Tx, _ended: Question, at: number) =>
    recordChange(tx, auditStamp(at), {
      workspaceId,
      kind: 'question.handed_over',
      personId: by,
      subjectId: questionId,
      subjectName: question.question,
      detail: question.agentName ?? null,
    })
  const ended = await endQuestion(deps, 'hand_over', {
    workspaceId,
    id: questionId,
    ending: { answeredBy: by, detail },
    also,
  })
  if (ended) return { won: true, question: ended }
  const current = await settled(deps, await find(deps, over), deps.clock.now())
  return { won: false, question: await withHeldAnswer(deps.db.read, current) }
}

const DECIDED_HERE =
  'A rule says who decides this, so that it cannot be left to the terminal, where anybody could.'

async function find(
  { db }: EndQuestionDeps,
  { workspaceId, questionId }: { workspaceId: WorkspaceId; questionId: QuestionId },
): Promise<Question> {
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question) throw new Failure('not_found', 'There is no such question here.')
  return question
}
