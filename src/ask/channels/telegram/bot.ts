import type { Read, Tx } from '../../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../../platform/db/settings-store.ts'

/** The operator's settings, from the environment or `beckon.toml`; a token there overrides what is saved. */
export type TelegramConfig = { botToken: string | undefined; apiUrl: string }

/** The bot as it is now; without a token nothing is sent. */
export type TelegramBot = TelegramConfig & {
  /** True if the operator has set the token, so that a saved one is not used. */
  fixed: boolean
}

const NAME = 'telegram_bot'
const OFFSET = 'telegram_offset'

export async function readBot(read: Read, config: TelegramConfig): Promise<TelegramBot> {
  const { botToken, apiUrl } = config
  if (botToken !== undefined) return { botToken, apiUrl, fixed: true }
  return { botToken: await readSetting(read, NAME), apiUrl, fixed: false }
}

export async function saveBotToken(tx: Tx, token: string, now: number): Promise<void> {
  await putSetting(tx, NAME, token, now)
}

export async function dropBotToken(tx: Tx): Promise<void> {
  await dropSetting(tx, NAME)
}

/**
 * The first update of this bot that was not read yet (Bot API: getUpdates, `offset`); 0 for a bot
 * whose updates nobody has read.
 */
export async function readOffset(read: Read, botToken: string): Promise<number> {
  const [bot, offset] = ((await readSetting(read, OFFSET)) ?? '').split(' ')
  return bot === botId(botToken) ? Number(offset) : 0
}

export async function putOffset(tx: Tx, botToken: string, offset: number, now: number) {
  await putSetting(tx, OFFSET, `${botId(botToken)} ${offset}`, now)
}

/** The part of a token that is not secret. */
function botId(botToken: string): string {
  return botToken.split(':')[0] ?? ''
}

/** A private chat as the endpoint of a device. */
export function chatEndpoint(apiUrl: string, chatId: number): string {
  return `${apiUrl}/#${chatId}`
}

/** The chat of an endpoint; undefined when it is not one. Ids have at most 52 bits (Bot API: Chat). */
export function chatOf(endpoint: string): number | undefined {
  const id = /#(-?\d{1,16})$/.exec(endpoint)?.[1]
  return id === undefined ? undefined : Number(id)
}
