import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../../platform/db/lease-store.ts'
import { newId } from '../../../platform/ids.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../../platform/repeat.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import { hashToken } from '../../accounts/model/agent.ts'
import { findRole } from '../../accounts/model/person-store.ts'
import { type AuditStamp, auditStamp } from '../../audit/model/audit.ts'
import { recordChange } from '../../audit/model/store.ts'
import { clearAlarms, raiseAlarm } from '../../delivery/model/store.ts'
import {
  awaitsConnectCode,
  type ConnectCode,
  takeConnectCode,
} from '../../subscribers/model/connect-code-store.ts'
import { findSubscriberByEndpoint, saveSubscriber } from '../../subscribers/model/store.ts'
import { LABEL_MAX, type Subscriber } from '../../subscribers/model/subscriber.ts'
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

export type ListenDeps = {
  db: Db
  clock: Clock
  config: TelegramConfig
  fetch: GuardedFetch['fetch']
  /** Names this process: if several share a database, one of them listens. */
  holder: string
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
 * Reads what people send to the bot while somebody is connecting a chat, and never otherwise; until
 * disposed. Long polling needs no public address, and Telegram keeps updates for a day.
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

/** Waits for updates once, if anybody is connecting a chat. Resolves to how many there were. */
export async function listenOnce(deps: ListenDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, config, fetch, holder, holdS = HOLD_S } = deps
  const now = clock.now()
  if (!(await awaitsConnectCode(db.read, { transport: 'telegram', now }))) return 0
  const bot = await readBot(db.read, config)
  const { botToken } = bot
  if (botToken === undefined) return 0
  const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
  if (!(await db.write((tx) => takeLease(tx, lease)))) return 0
  const offset = await readOffset(db.read, botToken)
  const input = { offset, timeout: holdS, allowed_updates: ['message'] }
  const timeoutMs = holdS * 1_000 + ANSWER_MS
  const options = { timeoutMs, now, ...(signal ? { signal } : {}) }
  const reply = await callTelegram(fetch, bot, 'getUpdates', input, options)
  if (signal?.aborted) return 0
  await tellWhetherItListens(db, reply, now)
  if (reply.outcome !== 'done') return 0
  const updates = readUpdates(reply.result)
  for (const update of updates) {
    const answerText = await take(deps, { ...bot, botToken }, update)
    if (answerText !== undefined && update.start)
      await tell(deps, bot, update.start.chatId, answerText)
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
    if (!role) return NOT_GOOD
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

async function tell({ clock, fetch }: ListenDeps, bot: TelegramBot, chatId: number, text: string) {
  // If the reply fails, the devices page still shows the result.
  await callTelegram(fetch, bot, 'sendMessage', { chat_id: chatId, text }, { now: clock.now() })
}

/** A message to the bot, as far as it concerns us (Bot API: Update, Message). */
type TelegramUpdate = {
  updateId: number
  start?: {
    chatId: number
    isPrivate: boolean
    code: string
    /** A name for the chat. */
    label: string
    /** When it was sent, in milliseconds. */
    at: number
  }
}

const START = /^\/start(?:@\w{1,64})? ([\w-]{1,64})$/

/** The updates of an answer of getUpdates, in order; what is not shaped like one is left out. */
export function readUpdates(result: unknown): TelegramUpdate[] {
  if (!Array.isArray(result)) return []
  return result.flatMap((one) => readUpdate(one) ?? [])
}

function readUpdate(value: unknown): TelegramUpdate | undefined {
  const { update_id: updateId, message } = objectOf(value)
  if (typeof updateId !== 'number' || !Number.isSafeInteger(updateId)) return undefined
  const { text, date, chat, from } = objectOf(message)
  const { id, type } = objectOf(chat)
  const code = typeof text === 'string' ? START.exec(text)?.[1] : undefined
  if (!code || typeof id !== 'number' || !Number.isSafeInteger(id)) return { updateId }
  const at = typeof date === 'number' ? date * 1_000 : 0
  const start = { chatId: id, isPrivate: type === 'private', code, label: labelOf(from), at }
  return { updateId, start }
}

function labelOf(from: unknown): string {
  const { username, first_name: first } = objectOf(from)
  const name = typeof username === 'string' ? `@${username}` : first
  const sender = typeof name === 'string' ? cleanLine(name) : ''
  return cutText(sender === '' ? 'Telegram' : `Telegram ${sender}`, LABEL_MAX)
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
