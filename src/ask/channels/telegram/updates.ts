import { cleanLine, cutText } from '../../../platform/text.ts'
import { LABEL_MAX } from '../../subscribers/model/subscriber.ts'

/** What somebody did in a chat with the bot, as far as it concerns us (Bot API: Update). */
export type TelegramUpdate = { updateId: number } & Partial<{
  start: Start
  press: Press
  reply: Reply
}>

type Start = {
  chatId: number
  isPrivate: boolean
  code: string
  /** A name for the chat. */
  label: string
  /** When it was sent, in milliseconds. */
  at: number
}

/** The account that did it, and the chat that it did it in. */
export type Sender = { from: number; chatId: number; label: string }

/** A button of ours was pressed (Bot API: CallbackQuery). */
export type Press = Sender & { queryId: string; data: string }

/** A reply to a message of the bot. */
export type Reply = Sender & { replyTo: number; text: string }

const START = /^\/start(?:@\w{1,64})? ([\w-]{1,64})$/

/** The updates of an answer of getUpdates, in order; what is not shaped like one is left out. */
export function readUpdates(result: unknown): TelegramUpdate[] {
  if (!Array.isArray(result)) return []
  return result.flatMap((one) => readUpdate(one) ?? [])
}

function readUpdate(value: unknown): TelegramUpdate | undefined {
  const { update_id: updateId, message, callback_query: query } = objectOf(value)
  if (!isId(updateId)) return undefined
  return { updateId, ...readMessage(message), ...readPress(query) }
}

function readMessage(message: unknown): Pick<TelegramUpdate, 'start' | 'reply'> {
  const { text, date, chat, from, reply_to_message: original } = objectOf(message)
  const { id: chatId, type } = objectOf(chat)
  if (typeof text !== 'string' || !isId(chatId)) return {}
  const code = START.exec(text)?.[1]
  const label = labelOf(from)
  if (code) {
    const at = typeof date === 'number' ? date * 1_000 : 0
    return { start: { chatId, isPrivate: type === 'private', code, label, at } }
  }
  const { id } = objectOf(from)
  const { message_id: replyTo } = objectOf(original)
  if (!isId(id) || !isId(replyTo)) return {}
  return { reply: { from: id, chatId, label, replyTo, text } }
}

function readPress(query: unknown): Pick<TelegramUpdate, 'press'> {
  const { id: queryId, data, from, message } = objectOf(query)
  const { id } = objectOf(from)
  const { id: chatId } = objectOf(objectOf(message).chat)
  if (typeof queryId !== 'string' || typeof data !== 'string' || !isId(id) || !isId(chatId))
    return {}
  return { press: { queryId, data, from: id, chatId, label: labelOf(from) } }
}

function labelOf(from: unknown): string {
  const { username, first_name: first } = objectOf(from)
  const name = typeof username === 'string' ? `@${username}` : first
  const sender = typeof name === 'string' ? cleanLine(name) : ''
  return cutText(sender === '' ? 'Telegram' : `Telegram ${sender}`, LABEL_MAX)
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
