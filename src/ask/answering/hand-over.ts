import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type EndQuestionDeps, endQuestion, settled } from '../questions/end-question.ts'
import { requireQuestion } from '../questions/find-visible.ts'
import { withHeldAnswer } from '../questions/held-answer.ts'
import { isOfProgram } from '../questions/model/key.ts'
import type { Question } from '../questions/model/question.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerOutcome } from './answer-question.ts'

/**
 * A person leaves a question to the agent's own client: it ends as `terminal`, without an answer,
 * and the agent is told to ask there. Throws `not_found`, and `forbidden` where no terminal asks.
 */
export async function handOver(
  deps: EndQuestionDeps,
  over: { workspaceId: WorkspaceId; questionId: QuestionId; by: PersonId },
): Promise<AnswerOutcome> {
  const { workspaceId, questionId, by } = over
  const { read } = deps.db
  const question = await requireQuestion(read, workspaceId, questionId)
  const why = whyNotHandOver(question)
  if (why !== undefined) throw new Failure('forbidden', why)
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
  const current = await settled(
    deps,
    await requireQuestion(read, workspaceId, questionId),
    deps.clock.now(),
  )
  return { won: false, question: await withHeldAnswer(read, current) }
}

/** Why a question cannot be left to the agent's own client; undefined if it can. */
export function whyNotHandOver(question: Question): string | undefined {
  const { contract, gate } = question.detail
  if (contract) return 'A scope is agreed to here: no client asks for it itself.'
  if (question.requirement) {
    return 'A rule says who decides this, so that it cannot be left to the terminal, where anybody could.'
  }
  if (!gate && !isOfProgram(question)) return undefined
  const who = gate ? 'A call at a gate' : 'A program asks this, and it'
  return `${who} has no terminal in which somebody could decide. Answer it here, or stop it.`
}
