import type { QuestionId, SubscriberId } from '../../../../platform/ids.ts'
import { cleanText } from '../../../../platform/text.ts'
import { linkPath } from '../../model/answer-link.ts'
import type { Message } from '../../model/message.ts'
import { linkOf, shortened } from '../../shorten.ts'

/** The most UTF-16 units of a message (Bot API: sendMessage). */
export const TEXT_MAX = 4_096

export type Written = {
  text: string
  entities: Array<{ type: 'bold'; offset: number; length: number }>
  reply_markup?: { inline_keyboard: Array<Array<{ text: string; url: string }>> }
  link_preview_options: { is_disabled: true }
}

type About = { baseUrl: string; quickAnswerSecret: string; deviceId: SubscriberId }

/**
 * A message with a button that opens its page; `bare` puts the address in the text instead. No
 * parse mode is used: bold ranges are sent beside the text, so nothing in the text is read as
 * markup.
 */
export function writeMessage(message: Message, about: About, how: 'button' | 'bare'): Written {
  const url = addressOf(message, about)
  const doing = message.question ? 'Read and answer' : 'Open'
  const isBare = how === 'bare'
  const text = textOf(message, isBare ? `\n\n${doing}: ${url}` : '')
  return {
    ...text,
    ...(isBare ? {} : { reply_markup: { inline_keyboard: [[{ text: doing, url }]] } }),
    link_preview_options: { is_disabled: true },
  }
}

/** The text that replaces a question that has ended, without a button. */
export function writeOutcome(message: Message): Written {
  return { ...textOf(message, ''), link_preview_options: { is_disabled: true } }
}

function textOf(message: Message, end: string): Pick<Written, 'text' | 'entities'> {
  const { asked } = message
  const whole = {
    title: cleanText(message.title) || 'Beckon',
    body: cleanText(message.body),
    ...(asked ? { asked } : {}),
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
  return { text, entities: [{ type: 'bold', offset: 0, length: bold }] }
}

/** For a question, the page that takes its answer; opening it changes nothing. */
function addressOf(message: Message, { baseUrl, quickAnswerSecret, deviceId }: About): string {
  const { question } = message
  if (!question) return linkOf(message, baseUrl)
  const questionId = question.correlationId as QuestionId
  const link = { questionId, subscriberId: deviceId, purpose: 'page' } as const
  return new URL(linkPath(quickAnswerSecret, link), baseUrl).href
}
