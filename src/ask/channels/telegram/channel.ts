import type { Clock } from '../../../platform/clock.ts'
import type { Read } from '../../../platform/db/database.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { cleanText } from '../../../platform/text.ts'
import { findAccount } from '../../chat-accounts/model/store.ts'
import type { SessionAccess } from '../../delivery/channel-module.ts'
import type { Channel, Delivery, DeliveryReceipt, Message } from '../../delivery/model/channel.ts'
import { answerLinkOf, type LinkFor, shortened } from '../../delivery/shorten.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { openQuestion, postedQuestion } from '../posted-question.ts'
import { callTelegram, type TelegramMethod } from './api.ts'
import { chatOf, readBot, type TelegramConfig } from './bot.ts'
import { answerButtons } from './buttons.ts'
import { isUnchanged, messageAt, receiptOf, refusesButton } from './receipt.ts'

export type TelegramOptions = {
  config: TelegramConfig
  read: Read
  fetch: GuardedFetch['fetch']
  clock: Clock
  baseUrl: string
  quickAnswerSecret: string
  sessionOf: SessionAccess['ofMessage']
}

/** Private chats with a bot (core.telegram.org/bots/api: sendMessage, editMessageText). */
export function createTelegram(options: TelegramOptions): Channel {
  const { config, read, fetch, clock, baseUrl, quickAnswerSecret, sessionOf } = options

  async function call(method: TelegramMethod, input: object, signal: AbortSignal) {
    const bot = await readBot(read, config)
    return callTelegram(fetch, bot, method, input, { signal, now: clock.now() })
  }

  /** The buttons that answer in the chat, where its account is linked to its person. */
  async function buttonsFor(delivery: Delivery, device: Subscriber) {
    const account = String(chatOf(device.endpoint) ?? '')
    const link = await findAccount(read, 'telegram', account)
    if (!link || link.personId !== device.personId) return []
    return answerButtons(delivery.message, await sessionOf(delivery, device.workspaceId))
  }

  async function post(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const { message } = delivery
    const chat = chatOf(device.endpoint)
    if (chat === undefined) return NO_CHAT
    const posted = message.edit ? await openQuestion(read, delivery, device) : undefined
    if (posted && 'receipt' in posted) return posted.receipt
    const buttons = await buttonsFor(delivery, device)
    const about = { baseUrl, quickAnswerSecret, deviceId: device.id, buttons }
    const silent = message.urgency === 'high' ? {} : { disable_notification: true }
    const send = (how: 'button' | 'bare') => {
      const written = writeMessage(message, about, how)
      return posted
        ? call('editMessageText', { ...messageAt(posted.ref), ...written }, signal)
        : call('sendMessage', { chat_id: chat, ...silent, ...written }, signal)
    }
    const first = await send('button')
    const reply = refusesButton(first) ? await send('bare') : first
    return posted && isUnchanged(reply)
      ? { outcome: 'accepted', status: 400, ref: posted.ref }
      : receiptOf(reply)
  }

  /** Takes the question's place; `later` while that is still on its way. */
  async function replace(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const posted = await postedQuestion(read, delivery, device)
    if ('receipt' in posted) return posted.receipt
    const { ref } = posted
    const input = { ...messageAt(ref), ...writeOutcome(delivery.message) }
    const reply = await call('editMessageText', input, signal)
    return isUnchanged(reply) ? { outcome: 'accepted', status: 400, ref } : receiptOf(reply)
  }

  return {
    transport: 'telegram',
    edits: true,
    send: (delivery, device, signal) =>
      delivery.message.kind === 'outcome'
        ? replace(delivery, device, signal)
        : post(delivery, device, signal),
  }
}

const NO_CHAT: DeliveryReceipt = {
  outcome: 'refused',
  status: 0,
  reason: 'The address of the chat is not valid; connect it again.',
}

/** The most UTF-16 units of a message (Bot API: sendMessage). */
export const TEXT_MAX = 4_096

type Button = { text: string; url: string } | { text: string; callback_data: string }

type Written = {
  text: string
  entities: Array<{ type: 'bold'; offset: number; length: number }>
  reply_markup?: { inline_keyboard: Button[][] }
  link_preview_options: { is_disabled: true }
}

/**
 * A message with a button that opens its page; `bare` puts the address in the text instead. No
 * parse mode is used: bold ranges are sent beside the text, so nothing in the text is read as
 * markup.
 */
export function writeMessage(
  message: Message,
  { buttons = [], ...about }: LinkFor & { buttons?: Button[][] },
  how: 'button' | 'bare',
): Written {
  const url = answerLinkOf(message, about)
  const doing = message.question ? 'Read and answer' : 'Open'
  const isBare = how === 'bare'
  const text = textOf(message, isBare ? `\n\n${doing}: ${url}` : '')
  // An answer belongs under a text that shows all of it.
  const answers = text.isWhole ? buttons : []
  const inline_keyboard = isBare ? answers : [...answers, [{ text: doing, url }]]
  return {
    text: text.text,
    entities: text.entities,
    ...(inline_keyboard.length > 0 ? { reply_markup: { inline_keyboard } } : {}),
    link_preview_options: { is_disabled: true },
  }
}

/** The text that replaces a question that has ended, without a button. */
function writeOutcome(message: Message): Written {
  const { text, entities } = textOf(message, '')
  return { text, entities, link_preview_options: { is_disabled: true } }
}

function textOf(
  message: Message,
  end: string,
): Pick<Written, 'text' | 'entities'> & { isWhole: boolean } {
  const { asked: parts } = message
  const whole = {
    title: cleanText(message.title) || 'Beckon',
    body: cleanText(message.body),
    ...(parts ? { asked: parts } : {}),
  }
  let bold = 0
  const text = shortened(
    whole,
    TEXT_MAX,
    ({ title, body }) => {
      bold = title.length
      return `${title}${body && `\n\n${body}`}${end}`
    },
    (written) => written.length,
  )
  const isWhole = text.includes(whole.title) && text.includes(whole.body)
  return { text, entities: [{ type: 'bold', offset: 0, length: bold }], isWhole }
}
