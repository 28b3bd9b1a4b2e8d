import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import { may } from '../accounts/model/person.ts'
import { findRole } from '../accounts/model/person-store.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { type EndQuestionDeps, endQuestion, settled } from '../questions/end-question.ts'
import { findForAgent } from '../questions/find-visible.ts'
import { grantOf } from '../questions/model/key.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { isTest } from '../questions/model/read-ask.ts'
import { cancelResultWithout, outcomeFields } from '../questions/model/result.ts'
import type { CancelInput } from '../wire/follow-up-fields.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { CancelResult } from '../wire/result-fields.ts'
import { releaseAnswer } from './hold-answer.ts'

/**
 * Withdraws an open question; if something else ended it first, the result says what. An unknown id
 * gives the result `missing`. Throws `forbidden` for an open question that the caller may not
 * withdraw: test traffic only withdraws test questions, and a token only its own questions, unless
 * an owner created the token. A client that signed in only withdraws its own, whoever allowed it.
 */
export async function cancelQuestion(
  deps: EndQuestionDeps,
  input: CancelInput,
  call: CallContext,
): Promise<CancelResult> {
  const id = input.correlationId as QuestionId
  const { caller } = call
  const { workspaceId, tokenId } = caller
  const find = () => unlessUnavailable(findForAgent(deps.db.read, caller, id))
  const before = await find()
  if (before === 'unavailable') return cancelResultWithout(id, before)
  if (!before) return cancelResultWithout(id, 'missing')
  if (statusAt(before, deps.clock.now()) === 'pending') await mustMayCancel(deps, before, caller)
  // It was answered first.
  if (before.answerHeldUntil !== undefined)
    await releaseAnswer(deps, { workspaceId, questionId: id })
  const reason = input.reason === undefined ? {} : { endReason: cleanLine(input.reason) }
  const ending = { ...reason, endedByToken: tokenId }
  const cancelled = await endQuestion(deps, 'cancel', { workspaceId, id, ending })
  const question = cancelled ?? (await find())
  if (question === 'unavailable') return cancelResultWithout(id, question)
  if (!question) return cancelResultWithout(id, 'missing')
  const now = deps.clock.now()
  return tell(await settled(deps, question, now), cancelled !== undefined, now)
}

async function mustMayCancel(
  { db }: EndQuestionDeps,
  question: Question,
  caller: Caller,
): Promise<void> {
  if (isTest(undefined, caller) && !question.test) throw new Failure('forbidden', NOT_BY_TESTS)
  if (grantOf(question) === grantOf(caller)) return
  const { workspaceId, tokenId } = caller
  const token = await findToken(db.read, tokenId)
  // A client that signed in was allowed to ask, no more, even by an owner.
  const id = token?.clientId === null ? token.createdBy : undefined
  const role = id ? await findRole(db.read, workspaceId, id) : undefined
  if (!id || !role || !may({ id, role }, 'withdrawals')) throw new Failure('forbidden', NOT_ITS_OWN)
}

const NOT_BY_TESTS =
  'A test token or connection can only withdraw test questions; this one is for a person. Withdraw it with the token that asked.'
const NOT_ITS_OWN =
  'Another token asked this question, and it stays open. It is withdrawn with the token that asked it, or with one that an owner of this workspace made while signed in.'

function tell(question: Question, cancelled: boolean, now: number): CancelResult {
  const { value, note, hint } = outcomeFields(question, now)
  const status = statusAt(question, now)
  const first = FIRST[status] ?? hint
  return {
    correlationId: question.id,
    cancelled,
    status,
    ...(value === undefined ? {} : { value }),
    ...(note === undefined ? {} : { note }),
    ...(first ? { hint: first } : {}),
  }
}

const NOT_OPEN = 'There was nothing to withdraw: it is answered in the current client. Ask here.'
/** Sentences for a question that something else ended first. */
const FIRST: Partial<Record<Question['status'], string>> = {
  answered: 'It was answered first: that answer stands, act on it.',
  notified: NOT_OPEN,
  terminal: NOT_OPEN,
}
