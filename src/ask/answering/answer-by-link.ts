import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { isLinkUsed, useLink } from '../delivery/model/link-store.ts'
import { type AnswerLink, type LinkPurpose, readLinkToken } from '../delivery/model/links.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import { withHeldAnswer } from '../questions/held-answer.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { NOT_ONE_TAP, offersYes } from '../questions/model/message-parts.ts'
import { answeredOn, type Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { readSubscribers } from '../subscribers/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { answerQuestion } from './answer-question.ts'
import { stopAgent } from './stop-agent.ts'

export type AnswerLinkDeps = EndQuestionDeps & { quickAnswerSecret: string }

/** A link that this server made, and the current state of its question. */
export type OpenedLink = {
  link: AnswerLink
  /** Where it was sent. */
  device: Subscriber
  question: Question
  /** `used`: this link has answered. `ended`: something else ended the question. */
  state: 'open' | 'used' | 'ended'
}

/** The action of a person on a link: an answer, or stopping the agent. */
export type LinkAnswer = { value: string | string[]; note?: string | undefined } | 'stop'

/** `done` if it counted; otherwise the question's actual state. */
export type LinkOutcome = { done: boolean; question: Question; state: OpenedLink['state'] }

/**
 * Reads a link without changing anything. Throws `not_found` for a token that is not ours, and
 * `gone` if its device was disconnected or the question ended more than an hour ago.
 */
export async function openAnswerLink(deps: AnswerLinkDeps, token: string): Promise<OpenedLink> {
  const { db, clock, quickAnswerSecret } = deps
  const link = readLinkToken(quickAnswerSecret, token)
  if (!link) throw new Failure('not_found', NOT_OURS)
  const device = (await readSubscribers(db.read, [link.subscriberId])).get(link.subscriberId)
  if (!device) throw new Failure('gone', DISCONNECTED)
  const question = await findQuestion(db.read, device.workspaceId, link.questionId)
  if (!question || endOf(question) + SHOWN_MS <= clock.now()) throw new Failure('gone', FORGOTTEN)
  const view = await withHeldAnswer(db.read, question)
  const opened = { link, device, question: view }
  if (await isLinkUsed(db.read, link)) return { ...opened, state: 'used' }
  const open = statusAt(view, clock.now()) === 'pending'
  return { ...opened, state: open ? 'open' : 'ended' }
}

/**
 * Uses a link, in the transaction that ends its question: of two at once, one counts. A button's
 * link gives its own answer, whatever `given` is. Throws as `openAnswerLink` does, and
 * `invalid_answer`, after which the link can still be used.
 */
export async function answerByLink(
  deps: AnswerLinkDeps,
  { link, device, question }: OpenedLink,
  choice: LinkAnswer,
): Promise<LinkOutcome> {
  const { workspaceId, id: questionId } = question
  // A mail cannot be replaced, and who answered knows the outcome. Other channels replace theirs.
  const shows = device.transport === 'email' ? link.subscriberId : undefined
  const at = deps.clock.now()
  const first = (tx: Tx) => useOnce(tx, link, at)
  try {
    const { won, question: ended } =
      choice === 'stop' && link.purpose === 'page'
        ? await stopAgent(deps, {
            workspaceId,
            questionId,
            device: shows,
            on: answeredOn('link', device),
            first,
          })
        : await answerQuestion(deps, {
            workspaceId,
            questionId,
            device: shows,
            first,
            ...answerOfLink(link.purpose, device, question, choice),
          })
    return { done: won, question: ended, state: won ? 'used' : 'ended' }
  } catch (error) {
    if (error !== USED_BEFORE) throw error
    const now = await findQuestion(deps.db.read, workspaceId, questionId)
    return { done: false, question: now ?? question, state: 'used' }
  }
}

async function useOnce(tx: Tx, link: AnswerLink, at: number): Promise<void> {
  if (!(await useLink(tx, link, at))) throw USED_BEFORE
}

function answerOfLink(
  purpose: LinkPurpose,
  device: Subscriber,
  question: Question,
  choice: LinkAnswer,
) {
  if (purpose === 'page') {
    const fields = choice === 'stop' ? { value: '' } : choice
    return { ...fields, on: answeredOn('link', device), source: 'answer_link' as const }
  }
  if (!offersYes(question)) throw new Failure('forbidden', NOT_ONE_TAP)
  // A device without a person proves nobody: anybody may have the link.
  const on = answeredOn(device.personId === undefined ? 'link' : 'device', device)
  return { value: purpose, by: device.personId, on, source: 'mobile_background' as const }
}

// Long enough to see the result; links stay in the histories of chats and ntfy servers.
const SHOWN_MS = 60 * 60_000

function endOf({ endedAt, expiresAt }: Question): number {
  return endedAt ?? expiresAt
}

const USED_BEFORE = new Failure('gone', 'This link was used before, so nothing was done.')

const NOT_OURS =
  'This link is not valid: it may be cut off or mistyped. Open the notification again, or sign in and look at the inbox.'
const DISCONNECTED =
  'The device that this link was made for was disconnected, so the link no longer works. Sign in to answer.'
const FORGOTTEN =
  'The question behind this link ended more than an hour ago, so the link no longer shows it. Sign in to read it.'
