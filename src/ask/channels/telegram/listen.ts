import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../../platform/db/lease-store.ts'
import { newId } from '../../../platform/ids.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../../platform/repeat.ts'
import { cutText } from '../../../platform/text.ts'
import { hashToken } from '../../accounts/model/agent.ts'
import { findRole } from '../../accounts/model/person-store.ts'
import { type AuditStamp, auditStamp } from '../../audit/model/audit.ts'
import { recordChange } from '../../audit/model/store.ts'
import { hasAccounts, putPrompt } from '../../chat-accounts/model/store.ts'
import { clearAlarms, raiseAlarm } from '../../delivery/model/store.ts'
import {
  awaitsConnectCode,
  type ConnectCode,
  takeConnectCode,
} from '../../subscribers/model/connect-code-store.ts'
import { findSubscriberByEndpoint, saveSubscriber } from '../../subscribers/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { type AnswerHereDeps, answerPress, answerReply, type Reaction } from './answer-here.ts'
import { callTelegram, type TelegramReply } from './api.ts'
import {
  chatEndpoint,
  putOffset,
  readBot,
  readOffset,
  type TelegramBot,
  type TelegramConfig,
} from './bot.ts'
import { receiptOf } from './receipt.ts'
import { readUpdates, type TelegramUpdate } from './updates.ts'

export type ListenDeps = {
  db: Db
  clock: Clock
  config: TelegramConfig
  fetch: GuardedFetch['fetch']
  /** Names this process: if several share a database, one of them listens. */
  holder: string
  /** What a press or a reply of a linked person does. */
  answers: Pick<AnswerHereDeps, 'questions' | 'sessions' | 'baseUrl'>
  /** How long Telegram holds an answer without updates, in seconds. */
  holdS?: number
}

/** The name of the alarm for updates that cannot be read. */
export const LISTENING = 'telegram-updates'

const LOOK_EVERY_MS = 1_000
const HOLD_S = 20
// Beyond the hold, for the way there and back.
const ANSWER_MS = 10_000
const LEASE = 'telegram'
const LEASE_MS = 60_000

/**
 * Reads what people send to the bot while somebody is connecting a chat, and as long as somebody
 * answers in one; until disposed. Long polling needs no public address, and Telegram keeps updates for a day.
 */
export function keepListening(deps: ListenDeps, report: (error: unknown) => void): AsyncDisposable {
  const closing = new AbortController()
  const loop = repeatEvery(
    deps.clock,
    LOOK_EVERY_MS,
    () => listenOnce(deps, closing.signal),
    report,
  )
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}

/** Waits for updates once, if anybody is connecting a chat or answers in one. Resolves to how many there were. */
export async function listenOnce(deps: ListenDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, config, fetch, holder, holdS = HOLD_S } = deps
  const now = clock.now()
  const isConnecting = await awaitsConnectCode(db.read, { transport: 'telegram', now })
  if (!isConnecting && !(await hasAccounts(db.read, 'telegram'))) return 0
  const bot = await readBot(db.read, config)
  const { botToken } = bot
  if (botToken === undefined) return 0
  const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
  if (!(await db.write((tx) => takeLease(tx, lease)))) return 0
  const offset = await readOffset(db.read, botToken)
  const input = { offset, timeout: holdS, allowed_updates: ['message', 'callback_query'] }
  const timeoutMs = holdS * 1_000 + ANSWER_MS
  const options = { timeoutMs, now, ...(signal ? { signal } : {}) }
  const reply = await callTelegram(fetch, bot, 'getUpdates', input, options)
  if (signal?.aborted) return 0
  await tellWhetherItListens(db, reply, now)
  if (reply.outcome !== 'done') return 0
  const updates = readUpdates(reply.result)
  for (const update of updates) {
    const words = await take(deps, { ...bot, botToken }, update)
    if (words !== undefined && update.start) await tell(deps, bot, update.start.chatId, { words })
    await react(deps, bot, update)
  }
  return updates.length
}

/** Why a link may never connect; for the devices page and the doctor. */
async function tellWhetherItListens(db: Db, reply: TelegramReply, at: number): Promise<void> {
  if (reply.outcome === 'later' || reply.outcome === 'not_set_up') return
  if (reply.outcome === 'done') return db.write((tx) => clearAlarms(tx, [LISTENING]))
  const receipt = receiptOf(reply)
  const isTaken = reply.outcome === 'refused' && reply.status === 409
  const reason = 'reason' in receipt ? receipt.reason : ''
  await db.write((tx) => raiseAlarm(tx, { name: LISTENING, text: isTaken ? TAKEN : reason, at }))
}

const TAKEN =
  'Chats cannot be connected to the Telegram bot: another program reads its messages, or it has a webhook. Use a bot of its own for this server.'

/** Answers what a person pressed or replied; Telegram shows a press as busy until it is answered. */
async function react(
  { answers, ...deps }: ListenDeps,
  bot: TelegramBot,
  { press, reply }: TelegramUpdate,
): Promise<void> {
  const here = { ...answers, db: deps.db, clock: deps.clock }
  if (press) {
    const reaction = await answerPress(here, bot.apiUrl, press)
    const { words, prompt } = reaction
    const alert = prompt ? {} : { text: cutText(words, ALERT_MAX), show_alert: true }
    const input = { callback_query_id: press.queryId, ...alert }
    await callTelegram(deps.fetch, bot, 'answerCallbackQuery', input, { now: deps.clock.now() })
    if (prompt) await tell({ ...deps, answers }, bot, press.chatId, reaction)
  }
  const reaction = reply && (await answerReply(here, bot.apiUrl, reply))
  if (reaction) await tell({ ...deps, answers }, bot, reply.chatId, reaction)
}

// Bot API: answerCallbackQuery, `text`.
const ALERT_MAX = 200

/** Handles one update and records that it was read, in one transaction. Resolves to the reply. */
async function take(
  { db, clock }: ListenDeps,
  bot: TelegramBot & { botToken: string },
  { updateId, start }: TelegramUpdate,
): Promise<string | undefined> {
  const now = clock.now()
  const stamp = auditStamp(now)
  return db.write(async (tx) => {
    await putOffset(tx, bot.botToken, updateId + 1, now)
    if (!start) return undefined
    if (!start.isPrivate) return PRIVATE_ONLY
    const hash = hashToken(start.code)
    const code = await takeConnectCode(tx, { hash, transport: 'telegram', now })
    if (!code) return NOT_GOOD
    const role = await findRole(tx, code.workspaceId, code.personId)
    if (!role || role === 'auditor') return NOT_GOOD
    await connect(tx, code, chatEndpoint(bot.apiUrl, start.chatId), start.label, stamp)
    return CONNECTED
  })
}

const CONNECTED =
  'Connected. Questions of your agents appear here, each with a button that opens its page. Whoever reads this chat can answer them.'
const NOT_GOOD =
  'This link was used already, or it has expired. Make a new one in Beckon under Settings, Telegram.'
const PRIVATE_ONLY =
  'Nothing was connected: Beckon only writes to private chats, since everybody in a group could answer.'

async function connect(
  tx: Tx,
  { workspaceId, personId }: ConnectCode,
  endpoint: string,
  label: string,
  stamp: AuditStamp,
): Promise<void> {
  const existing = await findSubscriberByEndpoint(tx, workspaceId, endpoint)
  const candidate: Subscriber = {
    id: newId('sub', stamp.at),
    workspaceId,
    personId,
    kind: 'chat',
    transport: 'telegram',
    endpoint,
    keys: undefined,
    label: existing?.label ?? label,
    externalId: existing?.externalId,
    tags: existing?.tags ?? [],
    userAgent: undefined,
    createdAt: stamp.at,
    lastSuccessAt: undefined,
    lastErrorAt: undefined,
    lastError: undefined,
    lastShownAt: undefined,
    lastOpenedAt: undefined,
  }
  const saved = await saveSubscriber(tx, candidate)
  await recordChange(tx, stamp, {
    workspaceId,
    kind: 'device.connected',
    personId,
    subjectId: saved.id,
    subjectName: saved.label,
    detail: 'chat',
  })
  tx.emit('subscriber', workspaceId)
}

/** Says something, and remembers a message that asks for a reply. If it fails, the pages show the state. */
async function tell(
  { db, clock, fetch }: ListenDeps,
  bot: TelegramBot,
  chatId: number,
  { words: text, prompt }: Reaction,
): Promise<void> {
  const now = clock.now()
  const asks = prompt ? { reply_markup: { force_reply: true } } : {}
  const input = { chat_id: chatId, text, ...asks }
  const receipt = receiptOf(await callTelegram(fetch, bot, 'sendMessage', input, { now }))
  const ref = receipt.outcome === 'accepted' ? receipt.ref : undefined
  if (prompt && ref !== undefined) await db.write((tx) => putPrompt(tx, { ...prompt, ref }, now))
}
