import { cleanLine, cutText } from '../../../../platform/text.ts'
import { LABEL_MAX } from '../../../devices/model/subscriber.ts'

/** A message to the bot, as far as it concerns us (Bot API: Update, Message). */
export type TelegramUpdate = {
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

function readUpdate(given: unknown): TelegramUpdate | undefined {
  const { update_id: updateId, message } = objectOf(given)
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
  const shown = typeof name === 'string' ? cleanLine(name) : ''
  return cutText(shown === '' ? 'Telegram' : `Telegram ${shown}`, LABEL_MAX)
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
