import type { DeliveryReceipt } from '../../delivery/model/channel.ts'
import type { TelegramReply } from './api.ts'

/** Interprets Telegram's answer for one message (docs/delivery.md). */
export function receiptOf(reply: TelegramReply): DeliveryReceipt {
  switch (reply.outcome) {
    case 'done':
      return { outcome: 'accepted', status: reply.status, ...refOf(reply.result) }
    case 'later':
      return reply
    case 'blocked':
      return { outcome: 'refused', status: 0, reason: BLOCKED, alarm: BLOCKED }
    case 'not_set_up':
      return { outcome: 'refused', status: 0, reason: NOT_SET_UP }
    case 'refused':
      return refusal(reply)
  }
}

type Refused = Extract<TelegramReply, { outcome: 'refused' }>

function refusal({ status, said: description }: Refused): DeliveryReceipt {
  if (description === '') {
    const reason = `What answered is not Telegram (${status}). Check BECKON_TELEGRAM_API_URL, and any proxy between this server and Telegram.`
    return { outcome: 'refused', status, reason, alarm: reason }
  }
  // A wrong token is 401; one that is not shaped like a token 404.
  if (status === 401 || status === 404) {
    const reason = `Telegram does not accept the bot token (${status}). ${NEW_TOKEN}`
    return { outcome: 'refused', status, reason, alarm: reason }
  }
  if (status === 403 && LEFT.test(description)) {
    return { outcome: 'gone', status, reason: `The bot was blocked or removed there (${status}).` }
  }
  if (NO_CHAT.test(description)) {
    const reason = `Telegram knows no such chat of this bot (${status}). Remove it and connect it again.`
    return { outcome: 'refused', status, reason }
  }
  if (MESSAGE_GONE.test(description)) {
    return { outcome: 'refused', status, reason: 'The message was deleted in Telegram.' }
  }
  return {
    outcome: 'refused',
    status,
    reason: `Telegram refused the message (${status}): ${description}`,
  }
}

const LEFT = /bot was (blocked|kicked)|user is deactivated|chat was deleted/i
// A new bot gets this for the chats of the bot before it, so these devices are not removed.
const NO_CHAT = /chat not found|user not found|peer_id_invalid|can't initiate conversation/i
const MESSAGE_GONE = /message to edit not found|message can't be edited/i

/** Nothing to change: the chat already shows it. */
export function isUnchanged(reply: TelegramReply): boolean {
  return reply.outcome === 'refused' && /message is not modified/i.test(reply.said)
}

/** A button's address has to be one that Telegram takes: not of this machine or a bare name. */
export function refusesButton(reply: TelegramReply): boolean {
  return reply.outcome === 'refused' && /button.*(url|invalid)|wrong http url/i.test(reply.said)
}

const NEW_TOKEN = 'Save the one that @BotFather shows under Settings, Telegram.'
const NOT_SET_UP =
  'No Telegram bot is set up on this server any more. An owner saves its token under Settings, Telegram.'
const BLOCKED =
  'This server must not reach the address of the Telegram API. Name its host in BECKON_ALLOW_PRIVATE_HOSTS, or correct BECKON_TELEGRAM_API_URL.'

/** `CHAT MESSAGE`, which editMessageText needs. */
function refOf(result: unknown): { ref?: string } {
  const { message_id: message, chat } = (result ?? {}) as {
    message_id?: unknown
    chat?: { id?: unknown }
  }
  if (typeof message !== 'number' || typeof chat?.id !== 'number') return {}
  return { ref: `${chat.id} ${message}` }
}

/** The message that a reference names. */
export function messageAt(ref: string): { chat_id: number; message_id: number } {
  const [chat, message] = ref.split(' ')
  return { chat_id: Number(chat), message_id: Number(message) }
}
