import type { Clock } from '../../../../platform/clock.ts'
import type { Read } from '../../../../platform/db/database.ts'
import type { GuardedFetch } from '../../../../platform/outgoing/guarded-fetch.ts'
import type { Subscriber } from '../../../devices/model/subscriber.ts'
import type { Channel, Delivery } from '../../model/channel.ts'
import type { Receipt } from '../../model/receipts.ts'
import { postedQuestion } from '../posted-question.ts'
import { callTelegram, type TelegramMethod } from './api.ts'
import { readBot, type TelegramConfig } from './bot.ts'
import { chatOf } from './place.ts'
import { isUnchanged, messageAt, receiptOf, refusesButton } from './receipt.ts'
import { writeMessage, writeOutcome } from './write-message.ts'

export type TelegramOptions = {
  config: TelegramConfig
  read: Read
  fetch: GuardedFetch['fetch']
  clock: Clock
  baseUrl: string
  quickAnswerSecret: string
}

/** Private chats with a bot (core.telegram.org/bots/api: sendMessage, editMessageText). */
export function createTelegram(options: TelegramOptions): Channel {
  const { config, read, fetch, clock, baseUrl, quickAnswerSecret } = options

  async function call(method: TelegramMethod, input: object, signal: AbortSignal) {
    const bot = await readBot(read, config)
    return callTelegram(fetch, bot, method, input, { signal, now: clock.now() })
  }

  async function post({ message }: Delivery, device: Subscriber, signal: AbortSignal) {
    const chat = chatOf(device.endpoint)
    if (chat === undefined) return NO_CHAT
    const about = { baseUrl, quickAnswerSecret, deviceId: device.id }
    const silent = message.urgency === 'high' ? {} : { disable_notification: true }
    const send = (how: 'button' | 'bare') =>
      call(
        'sendMessage',
        { chat_id: chat, ...silent, ...writeMessage(message, about, how) },
        signal,
      )
    const reply = await send('button')
    return receiptOf(refusesButton(reply) ? await send('bare') : reply)
  }

  /** Takes the question's place; `later` while that is still on its way. */
  async function replace(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<Receipt> {
    const posted = await postedQuestion(read, delivery, device)
    if ('receipt' in posted) return posted.receipt
    const { ref } = posted
    const input = { ...messageAt(ref), ...writeOutcome(delivery.message) }
    const reply = await call('editMessageText', input, signal)
    return isUnchanged(reply) ? { outcome: 'accepted', status: 400, ref } : receiptOf(reply)
  }

  return {
    transport: 'telegram',
    send: (delivery, device, signal) =>
      delivery.message.kind === 'outcome'
        ? replace(delivery, device, signal)
        : post(delivery, device, signal),
  }
}

const NO_CHAT: Receipt = {
  outcome: 'refused',
  status: 0,
  reason: 'The address of the chat is not valid; connect it again.',
}
