import { Failure } from '../../platform/failure.ts'
import { newId, randomText } from '../../platform/ids.ts'
import type { Agent } from '../accounts/model/agent.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { keepGrant } from '../grants/grants.ts'
import { grantedWords, whyNoGrant } from '../grants/model/grant.ts'
import {
  type EndOf,
  type EndQuestionDeps,
  endQuestion,
  type First,
  settled,
} from '../questions/end-question.ts'
import { findForAgent, noSuchQuestion, requireQuestion } from '../questions/find-visible.ts'
import { withHeldAnswer } from '../questions/held-answer.ts'
import { readAnswer, readForSession, readNote } from '../questions/model/answer.ts'
import { readEdited, refuseArguments } from '../questions/model/edit.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type {
  AnsweredOn,
  Ending,
  GrantLength,
  Question,
  Values,
} from '../questions/model/question.ts'
import { refuseUnseen } from '../questions/model/shown-whole.ts'
import { insertLateAnswer } from '../questions/model/store.ts'
import { type EditedPaths, editScope } from '../scopes/model/read-scope.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import { needOf } from '../votes/model/requirement.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AnswerSource } from '../wire/question-fields.ts'
import { castVote } from './cast-vote.ts'
import type { CheckedAnswer, VoteProof } from './checked-answer.ts'
import { refuseRuledEdit } from './refuse-ruled-edit.ts'

export type GivenAnswer = {
  workspaceId: WorkspaceId
  questionId: QuestionId
  /** Several only for a question with `multiSelect`. */
  value: string | string[]
  note?: string | undefined
  /** A yes that also allows what the client said it would allow for the rest of the session. */
  forSession?: boolean | undefined
  /** With a yes: how long the same call stays allowed. Only a signed-in person may set it. */
  grant?: GrantLength | undefined
  source?: AnswerSource | undefined
  by?: PersonId | undefined
  /** The name that the chat gives to who answered. */
  as?: string | undefined
  /** The means of the answer, if the person was not signed in. */
  on?: AnsweredOn | undefined
  /** The device whose notification was tapped: it shows the outcome already. */
  device?: SubscriberId | undefined
  first?: First | undefined
  /** How a signed-in person proves that it is them, where a rule asks for more than a session. */
  proof?: VoteProof | undefined
  /** For a scope: the paths as the person wants them. */
  contract?: EditedPaths | undefined
  /** The arguments that may be changed, as the person wants them. */
  changes?: Values | undefined
  /** The question, if it was read a moment ago; of any workspace. */
  found?: Question | undefined
  /** The token of a program that answers test traffic: nobody looks at anything. */
  program?: TokenId | undefined
}

/** Won: the question as answered. Lost: the question as something else had ended it. */
export type AnswerOutcome = { won: boolean; question: Question }

/**
 * A person answers. Throws `not_found` for an unknown question and `invalid_answer` for a value
 * that the question does not accept; `forbidden` for a yes to what is not shown whole. A late answer
 * is stored but does not count, nor does a second one while the first is held.
 */
export async function answerQuestion(
  deps: EndQuestionDeps,
  answer: GivenAnswer,
): Promise<AnswerOutcome> {
  return await sendAnswer(deps, await checkAnswer(deps, answer))
}

/** Throws as `answerQuestion` does. */
export async function checkAnswer(
  deps: EndQuestionDeps,
  answer: GivenAnswer,
): Promise<CheckedAnswer> {
  const { workspaceId, questionId, found: existing, by, first, device, proof } = answer
  const isHere = existing?.workspaceId === workspaceId && existing.id === questionId
  const question = isHere ? existing : await requireQuestion(deps.db.read, workspaceId, questionId)
  const value = readAnswer(question, answer.value)
  const at = deps.clock.now()
  const isOpen = statusAt(question, at) === 'pending'
  if (isOpen && answer.program === undefined) refuseUnseen(question, value)
  refuseExtras(question, answer)
  const granted = readRequestedGrant(question, value, answer)
  const forSession = readForSession(question, value, answer.forSession)
  const edited = readChanges(question, value, answer)
  if (edited && !question.test) await refuseRuledEdit(deps.db.read, question, edited)
  const extras = { ...(granted ? { granted } : forSession), ...(edited && { edited }) }
  const detail = Object.keys(extras).length > 0 ? extras : undefined
  const ending = {
    value,
    ...(detail === undefined ? {} : { detail }),
    ...withNote(readNote(answer.note)),
    ...sourceOf(question, answer.source),
    ...(by === undefined ? {} : { answeredBy: by }),
    ...(answer.as === undefined ? {} : { answeredAs: answer.as }),
    ...(answer.on === undefined ? {} : { answeredOn: answer.on }),
    ...(answer.program === undefined ? {} : { endedByToken: answer.program }),
  }
  const contract = readContract(question, value, answer.contract)
  return { question, at, ending, edited: contract, by, first, device, proof }
}

/** Ends the question, or counts as one vote of several; unless something else did. */
export async function sendAnswer(
  deps: EndQuestionDeps,
  answer: CheckedAnswer,
): Promise<AnswerOutcome> {
  const { question, at, ending, edited, by, first, device } = answer
  if (question.requirement) {
    const voted = await castVote(deps, answer)
    return voted ? { won: true, question: voted } : await loseAnswer(deps, answer)
  }
  const answered = await endQuestion(deps, 'answer', {
    workspaceId: question.workspaceId,
    id: question.id,
    at,
    ending,
    first,
    edited,
    ...(device === undefined ? {} : { endedOn: device }),
    ...alsoOf(ending, by),
  })
  return answered ? { won: true, question: answered } : await loseAnswer(deps, answer)
}

/** Keeps an answer that does not count, and resolves to what decided instead. */
export async function loseAnswer(
  deps: EndQuestionDeps,
  { question, at, ending }: CheckedAnswer,
): Promise<AnswerOutcome> {
  await keepLateAnswer(deps, question, ending)
  const { id, workspaceId } = question
  const current = await settled(deps, await requireQuestion(deps.db.read, workspaceId, id), at)
  return { won: false, question: await withHeldAnswer(deps.db.read, current) }
}

/** The effect of an answer besides its own: a yes that holds for a while is kept. */
export function alsoOf({ detail }: Ending, by: PersonId | undefined): Pick<EndOf, 'also'> {
  if (!detail?.granted || by === undefined) return {}
  return { also: (tx, question, at) => keepGrant(tx, question, by, at) }
}

// Where a person is signed in and sees the whole question.
const PAGES = new Set<AnswerSource | undefined>([
  undefined,
  'dashboard',
  'inbox',
  'decide_page',
  'live_page',
  'mobile_app',
  'mac_app',
])

function isOnPage({ by, device, source }: GivenAnswer): boolean {
  return by !== undefined && device === undefined && PAGES.has(source)
}

/** The requested grant as it is stored; throws `invalid_answer` if none was offered. */
function readRequestedGrant(question: Question, value: string, answer: GivenAnswer) {
  const { grant: length, forSession } = answer
  if (length === undefined) return undefined
  const isOffered = length !== 'session_words' || grantedWords(question) !== undefined
  const why = !isOnPage(answer)
    ? 'It can only be given on a page, signed in.'
    : isOffered
      ? whyNoGrant(question)
      : 'Other words after those of this call could do something else.'
  const isPlainYes = value === 'yes' && !forSession && answer.program === undefined
  if (isPlainYes && why === undefined) return { id: newId('grant', question.createdAt), length }
  const message = `This cannot be allowed for longer. ${why ?? 'It goes with a plain yes.'}`
  throw new Failure('invalid_answer', message, {
    fields: [{ field: 'grant', must: 'must be left out' }],
  })
}

/** A yes of several people is one plain yes, to what all of them saw. */
function refuseExtras({ requirement }: Question, answer: GivenAnswer): void {
  if (!requirement) return
  const { grant, forSession, contract, changes } = answer
  const extras = {
    grant,
    forSession: forSession || undefined,
    // Others have agreed to what they saw.
    ...(needOf(requirement) > 1 && { contract, arguments: changes }),
  }
  const field = Object.entries(extras).find(([, value]) => value !== undefined)?.[0]
  if (field === undefined) return
  const message = 'A rule says who decides this, so that it takes a plain yes or no.'
  throw new Failure('invalid_answer', message, { fields: [{ field, must: 'must be left out' }] })
}

/** Arguments can be changed by somebody who is signed in and sees them; a program may in test traffic. */
function readChanges(question: Question, value: string, answer: GivenAnswer): Values | undefined {
  const { changes, forSession, grant } = answer
  if (changes !== undefined && !isOnPage(answer) && answer.program === undefined) {
    throw refuseArguments('Open the question on its page, signed in, to change them.')
  }
  const edited = readEdited(question, value, changes)
  if (edited && (forSession || grant)) {
    throw refuseArguments('A yes for longer is for the call as it was asked.')
  }
  return edited
}

/** Paths can be edited only in the yes to a scope. */
function readContract(question: Question, value: string, edited: EditedPaths | undefined) {
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
    answeredOn: ending.answeredOn ?? null,
    at,
  }
  await db.write((tx) => insertLateAnswer(tx, late))
}

/**
 * A program answers as the person, so that integrators can test without a device. Only test traffic
 * can be answered like this: throws `forbidden` for any other question, `not_found` for an unknown
 * one, and as `answerQuestion`.
 */
export async function answerInSandbox(
  deps: EndQuestionDeps,
  agent: Agent,
  answer: Pick<GivenAnswer, 'questionId' | 'value' | 'note' | 'grant' | 'contract' | 'changes'>,
): Promise<AnswerOutcome> {
  const { workspaceId, tokenId } = agent
  const question = await findForAgent(deps.db.read, agent, answer.questionId)
  if (!question) throw noSuchQuestion()
  if (!question.test) {
    throw new Failure(
      'forbidden',
      'A token can only answer test questions; this one is for a person. Sign in to answer it.',
    )
  }
  return answerQuestion(deps, { ...answer, workspaceId, program: tokenId })
}
