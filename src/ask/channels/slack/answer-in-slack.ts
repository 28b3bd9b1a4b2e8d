import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Log } from '../../../platform/log.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { must } from '../../accounts/model/person.ts'
import { stillHeld } from '../../chat-accounts/chat-accounts.ts'
import type { QuestionAccess, SessionAccess } from '../../delivery/channel-module.ts'
import { absolute, decidePath } from '../../delivery/model/links.ts'
import { readPolicy } from '../../policy/model/store.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import { NOT_ONE_TAP } from '../../questions/model/message-parts.ts'
import { answeredOn, type Question } from '../../questions/model/question.ts'
import { findQuestion } from '../../questions/model/store.ts'
import { soFar } from '../../questions/model/vote-hint.ts'
import { readSubscribers } from '../../subscribers/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { isOffered, mayAnswerInSlack } from './answer-buttons.ts'
import type { Slack } from './api.ts'
import { endWords } from './blocks.ts'
import { answerModal, closingModal, NOTE_BLOCK, readFormState, VALUE_BLOCK } from './form.ts'
import type { Interaction, SlackUser } from './interaction.ts'
import type { SlackPlace } from './place.ts'
import { findPresser, linkInSlack, type Presser, whyNoPerson } from './presser.ts'
import { tellSession } from './tell-session.ts'
import { fallback } from './text.ts'

export type AnswerInSlackDeps = {
  db: Db
  clock: Clock
  questions: QuestionAccess
  sessions: SessionAccess
  slack: Slack
  outside: Pick<GuardedFetch, 'fetch'>
  log: Log
  baseUrl: string
}

/**
 * The answer to Slack within its 3 seconds; nothing closes a form and leaves a message as it is.
 */
export type SlackAck = Record<string, unknown> | undefined

type Press = Extract<Interaction, { kind: 'press' }>
type Form = Extract<Interaction, { kind: 'form' }>

// A trigger is valid for 3 seconds and a private reply for half an hour, so neither is retried.
const TRIGGER_MS = 3_000
const WHISPER_MS = 10_000
const WHISPER_MAX = 2_000

/** A question, and the channel that shows it. */
type PostedQuestion = { question: Question; channel: Subscriber }

/** A person in Slack answers, or asks for the form; one who is too late is shown the outcome. */
export async function answerInSlack(deps: AnswerInSlackDeps, done: Interaction): Promise<SlackAck> {
  if (done.kind === 'other') return undefined
  if (done.kind === 'tell') {
    whisper(deps, done, await tellSession(deps, done))
    return undefined
  }
  if (done.kind === 'link') {
    whisper(deps, done, await linkInSlack(deps, done))
    return undefined
  }
  const target = await findPostedQuestion(deps, done.place)
  if (done.kind === 'form') return submit(deps, target, done)
  const notice = await press(deps, target, done)
  if (notice !== undefined) whisper(deps, done, notice)
  return undefined
}

/** Returns a text for the person who pressed; undefined if the message itself will show it. */
async function press(
  deps: AnswerInSlackDeps,
  target: PostedQuestion | undefined,
  pressed: Press,
): Promise<string | undefined> {
  if (!target) return NOT_HERE
  const { question } = target
  const { choice } = pressed
  if (statusAt(question, deps.clock.now()) !== 'pending') return tooLate(deps, question, pressed)
  // A message from before an update may still have the buttons.
  if (!mayAnswerInSlack(question)) return notHere(deps, question)
  if (!isOffered(question, choice)) return onItsPage(deps, question)
  const presser = await findPresser(deps, pressed.user, question.workspaceId)
  const refusal = await whyNotBy(deps, question, presser, pressed.user)
  if (refusal !== undefined) return refusal
  if (choice === 'form') {
    openForm(deps, question, pressed)
    return undefined
  }
  const value = typeof choice === 'number' ? question.choices[choice]?.label : choice
  try {
    const answer = { value: value ?? '' }
    const { won, question: now } = await give(deps, target, answer, presser, pressed.user)
    return won ? countedWords(now) : await tooLate(deps, now, pressed)
  } catch (error) {
    if (error instanceof Failure) return `Not answered: ${error.message}`
    throw error
  }
}

async function submit(
  deps: AnswerInSlackDeps,
  target: PostedQuestion | undefined,
  { state, user }: Form,
): Promise<SlackAck> {
  if (!target) return updated(NOT_HERE)
  const { question } = target
  const isOpen = statusAt(question, deps.clock.now()) === 'pending'
  if (isOpen && !mayAnswerInSlack(question)) return updated(notHere(deps, question))
  const presser = await findPresser(deps, user, question.workspaceId)
  const refusal = isOpen ? await whyNotBy(deps, question, presser, user) : undefined
  if (refusal !== undefined) return updated(refusal)
  const answer = readFormState(question, state)
  try {
    const { won, question: now } = await give(deps, target, answer, presser, user)
    return won ? undefined : updated(await lateWords(deps, now))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const block = error.fields.some(({ field }) => field === 'note') ? NOTE_BLOCK : VALUE_BLOCK
    return { response_action: 'errors', errors: { [block]: error.message } }
  }
}

/** Why whoever acts does not answer this question; undefined if they may. */
async function whyNotBy(
  deps: AnswerInSlackDeps,
  { workspaceId, requirement }: Question,
  presser: Presser,
  user: SlackUser,
): Promise<string | undefined> {
  if (presser.is === 'person') return undefined
  // An account that nobody has linked is anybody in the channel, unless they do not count.
  if (!requirement && presser.is !== 'off') {
    const { chatAnswers } = await readPolicy(deps.db.read, workspaceId)
    if (chatAnswers === 'anybody') return undefined
  }
  return whyNoPerson(deps, presser, user, workspaceId)
}

async function give(
  deps: AnswerInSlackDeps,
  { question: { workspaceId, id: questionId }, channel }: PostedQuestion,
  answer: { value: string | string[]; note?: string | undefined },
  presser: Presser,
  user: SlackUser,
) {
  if (presser.is === 'person') must(presser.person, 'act')
  return deps.questions.answer({
    ...{ workspaceId, questionId, ...answer, source: 'slack', as: user.shown },
    ...(presser.is === 'person' && {
      by: presser.person.id,
      first: stillHeld('slack', presser.account, presser.person),
    }),
    on: answeredOn('chat', channel),
  })
}

/** A vote that ended nothing is said to whoever gave it; the message shows an end. */
function countedWords(question: Question): string | undefined {
  const { status, requirement } = question
  if (status !== 'pending' || !requirement) return undefined
  return `Your vote counts: ${soFar(question)} so far. Change it on its page until it is decided.`
}

/** Only a channel that is still connected answers, and only questions of its own workspace. */
async function findPostedQuestion(
  { db }: AnswerInSlackDeps,
  { questionId, subscriberId }: SlackPlace,
): Promise<PostedQuestion | undefined> {
  const channel = (await readSubscribers(db.read, [subscriberId])).get(subscriberId)
  if (channel?.transport !== 'slack') return undefined
  const question = await findQuestion(db.read, channel.workspaceId, questionId)
  return question && { question, channel }
}

/** A second tap on the same button is not late. */
async function tooLate(deps: AnswerInSlackDeps, question: Question, { choice, user }: Press) {
  const value = typeof choice === 'number' ? question.choices[choice]?.label : choice
  if (question.answeredAs === user.shown && question.value === value) return undefined
  return lateWords(deps, question)
}

async function lateWords(deps: AnswerInSlackDeps, question: Question): Promise<string> {
  const status = statusAt(question, deps.clock.now())
  const ended = status === 'expired' ? { ...question, status } : question
  return `Too late, nothing was changed. ${endWords(ended, await deps.questions.whoEnded(ended))}`
}

function updated(words: string): SlackAck {
  return { response_action: 'update', view: closingModal(words) }
}

/** Slack wants its answer before the form is open. */
function openForm(deps: AnswerInSlackDeps, question: Question, pressed: Press) {
  const { slack, clock, baseUrl } = deps
  const input = { trigger_id: pressed.triggerId, view: answerModal(question, pressed.place) }
  const options = { timeoutMs: TRIGGER_MS, now: clock.now() }
  const opening = slack.call('views.open', input, options).then(({ outcome }) => {
    if (outcome === 'done') return
    whisper(deps, pressed, NO_FORM + absolute(baseUrl, decidePath(question.id)))
  })
  opening.catch((error) => deps.log.error('a form could not be opened in Slack', { error }))
}

/** Shows a text to one person in the channel; where that fails, they still see the message change. */
function whisper(
  { outside, log }: AnswerInSlackDeps,
  { responseUrl }: Pick<Press, 'responseUrl'>,
  words: string,
) {
  if (responseUrl === undefined) return
  const body = JSON.stringify({
    response_type: 'ephemeral',
    replace_original: false,
    text: fallback(words, WHISPER_MAX),
  })
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  const request = { method: 'POST', headers, body, timeoutMs: WHISPER_MS } as const
  outside.fetch(responseUrl, request).then(
    ({ outcome }) => {
      if (outcome !== 'answered') log.warn('somebody in Slack could not be told', { outcome })
    },
    (error) => log.error('somebody in Slack could not be told', { error }),
  )
}

function notHere({ baseUrl }: AnswerInSlackDeps, { id }: Question): string {
  return `${NOT_ONE_TAP} ${absolute(baseUrl, decidePath(id))}`
}

function onItsPage({ baseUrl }: AnswerInSlackDeps, { id }: Question): string {
  return `Nothing was done: a rule takes a yes to this on its page alone. Open it, signed in: ${absolute(baseUrl, decidePath(id))}`
}

const NOT_HERE =
  'Nothing was done: this channel is no longer connected, or the question is no longer kept.'
const NO_FORM = 'The form could not be opened. Try again, or answer here: '
