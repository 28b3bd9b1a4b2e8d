import { Failure } from '../../platform/failure.ts'
import {
  type PersonId,
  type QuestionId,
  randomText,
  type SubscriberId,
  type WorkspaceId,
} from '../../platform/ids.ts'
import { type EditedPaths, editScope } from '../scopes/model/edit-scope.ts'
import { type EndQuestionDeps, endQuestion, type First } from './end-question.ts'
import { readAnswer, readForSession, readNote } from './model/answer.ts'
import { statusAt } from './model/lifecycle.ts'
import type { AnswerSource, Question } from './model/question.ts'
import { refuseUnseen } from './model/shown-whole.ts'
import { type Ending, findQuestion, insertLateAnswer } from './model/store.ts'

export type GivenAnswer = {
  workspaceId: WorkspaceId
  questionId: QuestionId
  /** Several only for a question with `multiSelect`. */
  value: string | string[]
  note?: string | undefined
  /** A yes to this, and to what the client said it would allow for the rest of the session. */
  forSession?: boolean | undefined
  source?: AnswerSource | undefined
  by?: PersonId | undefined
  /** The name that the chat gives to who answered. */
  as?: string | undefined
  /** The device whose notification was tapped. */
  device?: SubscriberId | undefined
  first?: First | undefined
  /** For a scope: the paths as the person wants them. */
  contract?: EditedPaths | undefined
  /** A program answers test traffic: nobody looks at anything. */
  isProgram?: true
}

/** Won: the question as answered. Lost: the question as something else had ended it. */
export type AnswerOutcome = { won: boolean; question: Question }

/**
 * A person answers. Throws `not_found` for an unknown question and `invalid_answer` for a value
 * that the question does not accept; `forbidden` for a yes to what is not shown whole. A late answer
 * is stored but does not count.
 */
export async function answerQuestion(
  deps: EndQuestionDeps,
  answer: GivenAnswer,
): Promise<AnswerOutcome> {
  const question = await findOrFail(deps, answer)
  const value = readAnswer(question, answer.value)
  const isOpen = statusAt(question, deps.clock.now()) === 'pending'
  if (isOpen && !answer.isProgram) refuseUnseen(question, value)
  const detail = readForSession(question, value, answer.forSession)
  const ending = {
    value,
    ...(detail === undefined ? {} : { detail }),
    ...withNote(readNote(answer.note)),
    ...sourceOf(question, answer.source),
    ...(answer.by === undefined ? {} : { answeredBy: answer.by }),
    ...(answer.as === undefined ? {} : { answeredAs: answer.as }),
  }
  const endedOn = answer.device === undefined ? {} : { endedOn: answer.device }
  const { workspaceId, first } = answer
  const edited = readEdited(question, value, answer.contract)
  const of = { workspaceId, id: question.id, ending, first, edited, ...endedOn }
  const answered = await endQuestion(deps, 'answer', of)
  if (answered) return { won: true, question: answered }
  await keepLateAnswer(deps, question, ending)
  return { won: false, question: await findOrFail(deps, answer) }
}

async function findOrFail({ db }: EndQuestionDeps, answer: GivenAnswer): Promise<Question> {
  const found = await findQuestion(db.read, answer.workspaceId, answer.questionId)
  if (!found) throw new Failure('not_found', 'There is no such question here.')
  return found
}

/** Paths can be edited only in the yes to a scope. */
function readEdited(question: Question, value: string, edited: EditedPaths | undefined) {
  if (edited === undefined) return undefined
  const { contract } = question.detail
  if (contract && value === 'yes') return editScope(contract, edited)
  throw new Failure('invalid_answer', 'contract may only be sent with a yes to a scope.', {
    fields: [{ field: 'contract', must: 'must be left out' }],
  })
}

function withNote(note: string | undefined) {
  return note === undefined ? {} : { note }
}

/** Answers to test traffic count as the sandbox's, wherever they were given. */
function sourceOf(question: Question, source: AnswerSource | undefined) {
  const answerSource = question.test ? 'sandbox' : source
  return answerSource === undefined ? {} : { answerSource }
}

async function keepLateAnswer(
  { db, clock }: EndQuestionDeps,
  question: Question,
  ending: Ending & { value: string },
) {
  const at = clock.now()
  const late = {
    id: `late_${randomText(16)}`,
    workspaceId: question.workspaceId,
    questionId: question.id,
    value: ending.value,
    note: ending.note ?? null,
    answerSource: ending.answerSource ?? null,
    answeredBy: ending.answeredBy ?? null,
    answeredAs: ending.answeredAs ?? null,
    at,
  }
  await db.write((tx) => insertLateAnswer(tx, late))
}
