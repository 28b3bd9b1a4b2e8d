import { isoTime } from '../../../platform/clock.ts'
import { type OutboxFields, unsent } from '../../../platform/db/outbox-store.ts'
import type { Id } from '../../../platform/ids.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { valueOnWire } from '../../questions/model/edit.ts'
import type { Question } from '../../questions/model/question.ts'
import type { QuestionId } from '../../wire/ids.ts'

export type CallbackId = Id<'cb'>

/**
 * `waiting`: due now or at its next attempt. `delivered`: the receiver accepted it. `gone`: the
 * receiver wants no more of it (410). `lapsed`: it could not be delivered within a day.
 */
export const CALLBACK_STATES = ['waiting', 'delivered', 'gone', 'lapsed'] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

/** One answer for the `callbackUrl` of its question, as it is stored. */
export type Callback = OutboxFields<CallbackState> & {
  /** The same in every attempt, so that receivers recognise a repeat. */
  id: CallbackId
  workspaceId: WorkspaceId
  questionId: QuestionId
  url: string
  /** The origin of `url`: callbacks to one server share a queue. */
  origin: string
  /** The body that every attempt sends. */
  body: string
  test: boolean
}

/** One attempt, for the log. */
export type Attempt = {
  id: string
  callbackId: CallbackId
  at: number
  /** HTTP status; 0 without a response. */
  status: number
  error: string | null
}

/** A receiver may be down for a night; after a day the answer is out of date. */
export const CALLBACK_LIFE_MS = 24 * 3_600_000

/**
 * The callback with the answer of a question for one of the addresses of its callers. Test traffic calls back too, marked `env: "test"`, so that integrators can try everything without
 * a device.
 */
export function callbackOf(question: Question, url: string, id: CallbackId, now: number): Callback {
  return {
    id,
    workspaceId: question.workspaceId,
    questionId: question.id,
    url,
    origin: URL.parse(url)?.origin ?? url,
    body: JSON.stringify(bodyOf(question, id, now)),
    test: question.test,
    ...unsent(now, now + CALLBACK_LIFE_MS),
  }
}

/** The JSON that the receiver gets. */
type CallbackBody = {
  id: CallbackId
  type: 'question.answered'
  correlationId: QuestionId
  question: string
  questionType: Question['type']
  answered: true
  value: string
  note?: string
  answerSource?: string
  answeredAt: string
  env?: 'test'
}

function bodyOf(question: Question, id: CallbackId, now: number): CallbackBody {
  const { note, answerSource, test } = question
  return {
    id,
    type: 'question.answered',
    correlationId: question.id,
    question: question.question,
    questionType: question.type,
    answered: true,
    value: valueOnWire(question) ?? '',
    ...(note === undefined ? {} : { note }),
    ...(answerSource === undefined ? {} : { answerSource }),
    answeredAt: isoTime(question.endedAt ?? now),
    ...(test ? { env: 'test' as const } : {}),
  }
}
