import type { Read, Tx } from '../../platform/db/database.ts'
import { cutText } from '../../platform/text.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import {
  type HeldAnswer,
  listHeldAnswers,
  reopenQuestion,
  takeHeldAnswer,
} from './model/held-answer-store.ts'
import type { Question } from './model/question.ts'
import { findQuestion } from './model/store.ts'

/** When the held answer becomes void, and who makes it so, if anybody. */
type Voiding = { at: number; by?: PersonId | undefined }

/** The held answer of a question that ends otherwise is void; the trail says so. */
export async function voidHeldAnswer(tx: Tx, question: Question, voiding: Voiding): Promise<void> {
  const held = await takeHeldAnswer(tx, { ...question, questionId: question.id })
  if (held) await record(tx, question, held, voiding)
}

/**
 * Takes back the held answer of a question, which is open again; only that of `by` if given. False
 * if there is none: it was sent, or taken back.
 */
export async function undoHeldAnswer(
  tx: Tx,
  of: Pick<HeldAnswer, 'workspaceId' | 'questionId'>,
  voiding: Voiding,
): Promise<boolean> {
  const held = await takeHeldAnswer(tx, of, voiding.by)
  if (!held) return false
  await reopenQuestion(tx, of)
  const question = await findQuestion(tx, of.workspaceId, of.questionId)
  if (question) await record(tx, question, held, voiding)
  tx.emit('question', of.questionId)
  return true
}

// The trail needs to tell answers apart, not their whole text.
const VALUE_CHARS = 80

function record(
  tx: Tx,
  { id, workspaceId, question }: Question,
  { ending, at: answeredAt }: HeldAnswer,
  { at, by }: Voiding,
): Promise<void> {
  const seconds = Math.round((at - answeredAt) / 1_000)
  return recordChange(tx, auditStamp(at), {
    workspaceId,
    kind: 'question.answer_undone',
    ...(by && { personId: by }),
    subjectId: id,
    subjectName: question,
    detail: `“${cutText(ending.value ?? '', VALUE_CHARS)}” was not sent: undone after ${seconds} s`,
  })
}

/**
 * The question as people see it while an answer is held: answered, with `answerHeldUntil`. Any
 * other question stays as it is.
 */
export async function withHeldAnswer(read: Read, question: Question): Promise<Question> {
  const [view = question] = await withHeldAnswers(read, [question])
  return view
}

/** As `withHeldAnswer`, for several questions of one workspace. */
export async function withHeldAnswers(
  read: Read,
  questions: readonly Question[],
): Promise<Question[]> {
  const held = questions.filter((one) => one.status === 'pending' && one.answerHeldUntil)
  const [first] = held
  if (!first) return [...questions]
  const ids = held.map(({ id }) => id)
  const answers = await listHeldAnswers(read, first.workspaceId, ids)
  const byId = new Map(answers.map((answer) => [answer.questionId, answer]))
  return questions.map((question) => {
    const answer = byId.get(question.id)
    return answer ? asAnswered(question, answer) : question
  })
}

function asAnswered(question: Question, { ending, personId, at }: HeldAnswer): Question {
  const detail = { ...question.detail, ...ending.detail }
  const end = { ...ending, answeredBy: personId, detail, endedAt: at }
  return { ...question, ...end, status: 'answered' }
}
