import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure, wrongFields } from '../../../platform/failure.ts'
import { randomText } from '../../../platform/ids.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { hashToken } from '../../accounts/model/agent.ts'
import { must, type Person } from '../../accounts/model/person.ts'
import { auditStamp } from '../../audit/model/audit.ts'
import { recordChange } from '../../audit/model/store.ts'
import { makeAccountLink } from '../../chat-accounts/chat-accounts.ts'
import { absolute } from '../../delivery/model/links.ts'
import { clearAlarms } from '../../delivery/model/store.ts'
import { putConnectCode } from '../../subscribers/model/connect-code-store.ts'
import { readSubscribers } from '../../subscribers/model/store.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'
import { callTelegram, type TelegramReply } from './api.ts'
import {
  chatOf,
  dropBotToken,
  readBot,
  saveBotToken,
  type TelegramBot,
  type TelegramConfig,
} from './bot.ts'
import { LISTENING } from './listen.ts'
import { receiptOf } from './receipt.ts'
import { BOT_TOKEN_SHAPE } from './settings.ts'

export type ConnectTelegramDeps = {
  db: Db
  clock: Clock
  config: TelegramConfig
  fetch: GuardedFetch['fetch']
}

/** The state of the token now, according to Telegram. */
export type TelegramState =
  | { state: 'not_set_up' }
  | { state: 'works'; bot: string }
  | { state: 'fails'; said: string }

const LOOK_MS = 4_000
/** A link that a person opens at once; a forgotten one is harmless after that. */
const CODE_MS = 15 * 60_000
// 160 bits; Telegram takes up to 64 of these characters (Bot features: Deep linking).
const CODE_CHARS = 32

/** Asks Telegram whether the token works (`getMe`), a few seconds at most. */
export async function lookAtTelegram({
  db,
  clock,
  config,
  fetch,
}: Pick<ConnectTelegramDeps, 'clock' | 'config' | 'fetch'> & { db: Pick<Db, 'read'> }) {
  return checkBot(await readBot(db.read, config), fetch, clock)
}

async function checkBot(bot: TelegramBot, fetch: GuardedFetch['fetch'], clock: Clock) {
  const options = { timeoutMs: LOOK_MS, now: clock.now() }
  return stateOf(await callTelegram(fetch, bot, 'getMe', {}, options))
}

function stateOf(reply: TelegramReply): TelegramState {
  if (reply.outcome === 'not_set_up') return { state: 'not_set_up' }
  if (reply.outcome === 'done') {
    const { username } = (reply.result ?? {}) as { username?: unknown }
    if (typeof username === 'string' && /^\w{1,64}$/.test(username)) {
      return { state: 'works', bot: username }
    }
    return { state: 'fails', said: 'Telegram did not say the name of the bot.' }
  }
  const receipt = receiptOf(reply)
  return { state: 'fails', said: 'reason' in receipt ? receipt.reason : '' }
}

/**
 * Keeps the token of a bot once Telegram has taken it. Throws `forbidden`, and `invalid_input` that
 * names the field; nothing was kept then.
 */
export async function saveTelegram(
  deps: ConnectTelegramDeps,
  person: Person,
  botToken: string,
): Promise<void> {
  must(person, 'telegram')
  const { db, clock, config, fetch } = deps
  if (!BOT_TOKEN_SHAPE.test(botToken)) throw wrongToken('must be copied whole from @BotFather')
  const telegramState = await checkBot({ ...config, botToken, fixed: false }, fetch, clock)
  if (telegramState.state !== 'works') {
    const reason = telegramState.state === 'fails' ? telegramState.said : ''
    throw wrongToken(`does not work: ${reason.replace(/\.$/, '')}`)
  }
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await saveBotToken(tx, botToken, now)
    await clearAlarms(tx, [new URL(config.apiUrl).origin, LISTENING])
    const change = { ...by(person), subjectName: `@${telegramState.bot}`, detail: 'saved' }
    await recordChange(tx, stamp, change)
  })
}

function wrongToken(words: string) {
  return wrongFields([{ field: 'botToken', must: words }])
}

/** Forgets the token; the chats stay in the list, silent. Throws `forbidden`. */
export async function removeTelegram(deps: ConnectTelegramDeps, person: Person): Promise<void> {
  must(person, 'telegram')
  const { db, clock, config } = deps
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    await dropBotToken(tx)
    await clearAlarms(tx, [new URL(config.apiUrl).origin, LISTENING])
    await recordChange(tx, stamp, { ...by(person), detail: 'removed' })
  })
}

function by({ workspaceId, id: personId, name: personName }: Person) {
  return { workspaceId, kind: 'telegram.changed', personId, personName } as const
}

/** A one-time code for a person's own chat; an earlier one of theirs ends. */
export async function beginConnecting(
  { db, clock }: Pick<ConnectTelegramDeps, 'db' | 'clock'>,
  { id: personId, workspaceId }: Pick<Person, 'id' | 'workspaceId'>,
): Promise<string> {
  const code = randomText(CODE_CHARS)
  const now = clock.now()
  const connectCode = {
    hash: hashToken(code),
    workspaceId,
    personId,
    transport: 'telegram',
    expiresAt: now + CODE_MS,
  }
  await db.write((tx) => putConnectCode(tx, connectCode, now))
  return code
}

/**
 * Sends a link to a person's own chat, which links its account to them alone. Throws `not_found`, and
 * `conflict` if Telegram does not take the message.
 */
export async function sendAccountLink(
  { db, clock, config, fetch, baseUrl }: ConnectTelegramDeps & { baseUrl: string },
  { id: personId, workspaceId }: Person,
  subscriberId: SubscriberId,
): Promise<void> {
  const chat = (await readSubscribers(db.read, [subscriberId])).get(subscriberId)
  const chatId = chat?.personId === personId ? chatOf(chat.endpoint) : undefined
  if (!chat || chatId === undefined) throw new Failure('not_found', 'This is no chat of yours.')
  const of = { service: 'telegram', account: String(chatId), workspaceId, personId } as const
  const path = await makeAccountLink({ db, clock }, { ...of, label: chat.label })
  const text = `To answer in this chat, open this link within 10 minutes, signed in: ${absolute(baseUrl, path)}\nIf you did not ask for it, ignore it.`
  const bot = await readBot(db.read, config)
  const options = { now: clock.now() }
  const input = { chat_id: chatId, text, link_preview_options: { is_disabled: true } }
  const reply = await callTelegram(fetch, bot, 'sendMessage', input, options)
  const receipt = receiptOf(reply)
  if ('reason' in receipt) throw new Failure('conflict', `No link was sent. ${receipt.reason}`)
}

/** Opens the chat with the bot, and hands it the code with one tap. */
export function startLink(bot: string, code: string): string {
  return `https://t.me/${bot}?start=${code}`
}
