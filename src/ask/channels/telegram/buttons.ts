import type { ChatAct } from '../../chat-accounts/model/account.ts'
import type { Message } from '../../delivery/model/channel.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** A button: it answers at once, or, with `typed`, asks for a reply first. */
export type ButtonAct = { act: ChatAct; typed: boolean; subject: QuestionId | AgentSessionId }

type Button = { text: string; callback_data: string }

/**
 * The buttons that answer in the chat: yes and no only where a notification has them too, because the
 * message shows all that a yes would allow.
 */
export function answerButtons(
  { question }: Pick<Message, 'question'>,
  session: AgentSessionId | undefined,
): Button[][] {
  if (session)
    return [[button('Tell it what to do next…', { act: 'tell', typed: true, subject: session })]]
  if (!question) return []
  const subject = question.correlationId as QuestionId
  // A form is answered as a whole, on its page.
  if (question.form) return []
  if (question.type === 'input') return [[button('Answer…', { act: 'text', typed: true, subject })]]
  const { votes = question.quick ? YES_NO : [] } = question
  if (votes.length === 0) return []
  const row = (typed: boolean) =>
    votes.map((act) => button(LABELS[act] + (typed ? NOTE : ''), { act, typed, subject }))
  return [row(false), row(true)]
}

const YES_NO = ['yes', 'no'] as const
const LABELS = { yes: 'Yes', no: 'No' }
const NOTE = ', with a note…'

/** At most 64 bytes (Bot API: InlineKeyboardButton, `callback_data`). */
function button(text: string, { act, typed, subject }: ButtonAct): Button {
  return { text, callback_data: `${act}${typed ? '+' : ''} ${subject}` }
}

const DATA = /^(text|yes|no|tell)(\+?) ((?:q|ses)_[0-9a-z]{1,40})$/

/** The button of a press; undefined when it is not ours. */
export function readButton(data: string): ButtonAct | undefined {
  const [, act, typed, subject] = DATA.exec(data) ?? []
  if (!act || !subject || (act === 'tell') !== subject.startsWith('ses_')) return undefined
  return {
    act: act as ChatAct,
    typed: typed === '+',
    subject: subject as QuestionId | AgentSessionId,
  }
}
