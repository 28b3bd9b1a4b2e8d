import { unlessUnavailable } from '../db/storage-failure.ts'
import { Failure } from '../kernel/failure.ts'
import type { QuestionId } from '../kernel/ids.ts'
import { cleanLine } from '../kernel/text.ts'
import type { CancelInput } from '../questions/follow-up-fields.ts'
import { statusAt } from '../questions/lifecycle.ts'
import type { Question } from '../questions/question.ts'
import { cancelResultWithout, saidOf } from '../questions/result.ts'
import type { CancelResult } from '../questions/result-fields.ts'
import { findQuestion } from '../questions/store.ts'
import type { Call } from './call.ts'
import { type EndQuestionDeps, endQuestion } from './end-question.ts'

/**
 * Withdraws a live question; when something else ended it first, says what (design:
 * cancel_question). An unknown id is the result `missing`. Throws `forbidden` for a test token and a
 * question that is a person's: nothing it does reaches them.
 */
export async function cancelQuestion(
  deps: EndQuestionDeps,
  input: CancelInput,
  call: Call,
): Promise<CancelResult> {
  const id = input.correlationId as QuestionId
  const { workspaceId, tokenId, test } = call.caller
  const find = () => unlessUnavailable(findQuestion(deps.db.read, workspaceId, id))
  const before = test ? await find() : undefined
  if (before === 'unavailable') return cancelResultWithout(id, before)
  mustBeTest(before)
  const reason = input.reason === undefined ? {} : { endReason: cleanLine(input.reason) }
  const ending = { ...reason, endedByToken: tokenId }
  const cancelled = await endQuestion(deps, 'cancel', { workspaceId, id, ending })
  const question = cancelled ?? (await find())
  if (question === 'unavailable') return cancelResultWithout(id, question)
  if (!question) return cancelResultWithout(id, 'missing')
  return tell(question, cancelled !== undefined, deps.clock.now())
}

function mustBeTest(question: Question | undefined) {
  if (!question || question.test) return
  throw new Failure(
    'forbidden',
    'A test token withdraws test questions alone; this one is for a person. Withdraw it with the token that asked.',
  )
}

function tell(question: Question, cancelled: boolean, now: number): CancelResult {
  const { value, note, hint } = saidOf(question, now)
  const status = statusAt(question, now)
  const first = cancelled ? undefined : (FIRST[status] ?? hint)
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
/** What it means that something else ended it first. */
const FIRST: Partial<Record<Question['status'], string>> = {
  answered: 'It was answered first: that answer stands, act on it.',
  notified: NOT_OPEN,
  terminal: NOT_OPEN,
}
