import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Person } from '../../accounts/model/person.ts'
import { findHolder, stillHeld } from '../../chat-accounts/chat-accounts.ts'
import type { ChatAct, ChatPrompt } from '../../chat-accounts/model/account.ts'
import { dropPrompt, findPrompt } from '../../chat-accounts/model/store.ts'
import { chatAccountPaths } from '../../chat-accounts/paths.ts'
import type { QuestionAccess, SessionAccess } from '../../delivery/channel-module.ts'
import { absolute, decidePath } from '../../delivery/model/links.ts'
import { href } from '../../pages/paths.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import { NOT_ONE_TAP, offersInChat } from '../../questions/model/message-parts.ts'
import { answeredOn, type Question } from '../../questions/model/question.ts'
import { findQuestion } from '../../questions/model/store.ts'
import { soFar } from '../../questions/model/vote-hint.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import { findSubscriberByEndpoint } from '../../subscribers/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { takesYes } from '../../votes/model/requirement.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { chatEndpoint } from './bot.ts'
import { readButton } from './buttons.ts'
import type { Press, Reply, Sender } from './updates.ts'

export type AnswerHereDeps = {
  db: Db
  clock: Clock
  baseUrl: string
  questions: QuestionAccess
  sessions: SessionAccess
}

/** What the bot does then: it says something, or asks for a reply that `prompt` names. */
export type Reaction = { words: string; prompt?: Omit<ChatPrompt, 'ref'> }

type Answerer = { person: Person; chat: Subscriber }

// A day: the session or the question may well be over by then, which the reply is told.
const PROMPT_MS = 24 * 60 * 60_000

/** A linked person pressed a button of ours. Anybody else learns how to link their account. */
export async function answerPress(
  deps: AnswerHereDeps,
  apiUrl: string,
  press: Press,
): Promise<Reaction> {
  const answerer = await findAnswerer(deps, apiUrl, press)
  if (!answerer) return { words: notLinked(deps) }
  const button = readButton(press.data)
  if (!button) return { words: NOT_OURS }
  const { act, typed, subject } = button
  if (act === 'tell' && !typed) return { words: NOT_OURS }
  const refusal =
    act === 'tell' ? undefined : await whyNot(deps, answerer, act, subject as QuestionId)
  if (refusal !== undefined) return { words: refusal }
  const account = String(press.from)
  if (!typed) return orReason(() => answer(deps, answerer, { act, subject, text: '', account }))
  const expiresAt = deps.clock.now() + PROMPT_MS
  return { words: PROMPTS[act], prompt: { account, act, subject, expiresAt } }
}

/** A linked person replied to a message that asked for it; undefined for any other message. */
export async function answerReply(
  deps: AnswerHereDeps,
  apiUrl: string,
  reply: Reply,
): Promise<Reaction | undefined> {
  const { db, clock } = deps
  const of = { ref: `${reply.chatId} ${reply.replyTo}`, account: String(reply.from) }
  const prompt = await findPrompt(db.read, { ...of, now: clock.now() })
  if (!prompt) return undefined
  const answerer = await findAnswerer(deps, apiUrl, reply)
  if (!answerer) return { words: notLinked(deps) }
  const { act, subject } = prompt
  const refusal =
    act === 'tell' ? undefined : await whyNot(deps, answerer, act, subject as QuestionId)
  if (refusal !== undefined) return { words: refusal }
  return orReason(async () => {
    const words = { act, subject, text: reply.text, account: of.account }
    const reaction = await answer(deps, answerer, words)
    // What beat it may be taken back: it can be sent again then.
    if (reaction.counts) await db.write((tx) => dropPrompt(tx, prompt.ref))
    return reaction
  })
}

/** In a private chat the account is the chat; a chat that is no longer connected answers nothing. */
async function findAnswerer(
  { db }: AnswerHereDeps,
  apiUrl: string,
  { from, chatId }: Sender,
): Promise<Answerer | undefined> {
  if (from !== chatId) return undefined
  const holder = await findHolder(db.read, 'telegram', String(from))
  if (holder.is !== 'person') return undefined
  const { person } = holder
  const endpoint = chatEndpoint(apiUrl, chatId)
  const chat = await findSubscriberByEndpoint(db.read, person.workspaceId, endpoint)
  return chat?.personId === person.id ? { person, chat } : undefined
}

/** Why the question is not answered like this here; undefined if it is. */
async function whyNot(
  { db, clock, baseUrl, questions }: AnswerHereDeps,
  { person }: Answerer,
  act: ChatAct,
  id: QuestionId,
): Promise<string | undefined> {
  const question = await findQuestion(db.read, person.workspaceId, id)
  if (!question) return 'Nothing was answered: the question is no longer kept.'
  const status = statusAt(question, clock.now())
  if (status !== 'pending') {
    const who = await questions.whoEnded(question)
    return `Too late, nothing was changed: it is ${status}${who ? `, by ${who}` : ''}.`
  }
  if (isOfferedHere(question, act)) return undefined
  const isForPage = question.requirement && !takesYes(question.requirement, 'chat')
  return `${isForPage ? PAGE_ONLY : NOT_ONE_TAP} ${absolute(baseUrl, decidePath(id))}`
}

/** The buttons of a message from before an update, or a made-up press, decide nothing more. */
function isOfferedHere(question: Question, act: ChatAct): boolean {
  if (act === 'yes' || act === 'no') return offersInChat(question, act)
  const { requirement, detail } = question
  if (requirement && !takesYes(requirement, 'chat')) return false
  return question.type === 'input' && detail.form === undefined
}

type Act = { act: ChatAct; subject: string; text: string; account: string }

async function answer(
  { questions, sessions, baseUrl }: AnswerHereDeps,
  { person, chat }: Answerer,
  { act, subject, text, account }: Act,
): Promise<Reaction & { counts: boolean }> {
  if (act === 'tell') {
    const session = subject as AgentSessionId
    await sessions.instruct(person, session, { text, via: 'telegram' })
    return {
      counts: true,
      words: `It waits for the agent. What becomes of it: ${absolute(baseUrl, href.live(session))}`,
    }
  }
  const isTyped = act === 'text'
  const { won, question } = await questions.answer({
    workspaceId: person.workspaceId,
    questionId: subject as QuestionId,
    value: isTyped ? text : act,
    ...(isTyped || text === '' ? {} : { note: text }),
    source: 'telegram',
    by: person.id,
    as: person.name,
    on: answeredOn('chat', chat),
    first: stillHeld('telegram', account, person),
  })
  return { counts: won, words: won ? wonWords(question) : 'Too late, nothing was changed.' }
}

/** A vote that ends nothing says how many there are. */
function wonWords(question: Question): string {
  if (question.status !== 'pending') return 'Answered.'
  return `Your vote counts: ${soFar(question)} so far. Change it on its page until it is decided.`
}

async function orReason(act: () => Promise<Reaction>): Promise<Reaction> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { words: `Nothing was sent: ${error.message}` }
  }
}

function notLinked({ baseUrl }: AnswerHereDeps): string {
  return `Nothing was done: this account is not linked to you in Beckon. ${absolute(baseUrl, chatAccountPaths.page)}`
}

const PAGE_ONLY =
  'Nothing was done: a rule takes a yes to this on its page alone. Open it, signed in:'
const NOT_OURS = 'Nothing was done: this button is of another version of Beckon.'

const PROMPTS: Record<ChatAct, string> = {
  text: 'Reply to this message with your answer.',
  yes: 'Reply to this message with your note: it is answered with yes then.',
  no: 'Reply to this message with your note: it is answered with no then.',
  tell: 'Reply to this message: what should it do next? It is an instruction, and approves nothing.',
}
