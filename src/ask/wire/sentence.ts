import type { Failure } from '../../platform/failure.ts'
import { cleanLine, cutText, quotedJson } from '../../platform/text.ts'
import type { SendNotificationResult } from './notification-fields.ts'
import type {
  AskUserResult,
  CancelResult,
  ProposeScopeResult,
  WaitResult,
} from './result-fields.ts'

// Results as one sentence each, for clients that show a model the text alone. What the server says
// comes first; what others wrote comes after it, quoted, so that no answer can be taken for a state
// or a next step.

type ResultFields = Pick<WaitResult, 'correlationId' | 'status'> &
  Partial<
    Pick<WaitResult, 'value' | 'note' | 'ratified' | 'contract' | 'enforcementNote' | 'hint'>
  > &
  Partial<Pick<AskUserResult, 'warning'>>

/** The result of `ask_user`, `wait_for_answer` or `propose_scope`. */
export function sayQuestion(result: AskUserResult | WaitResult | ProposeScopeResult): string {
  const { correlationId, status = 'pending', hint, ...fields } = result as ResultFields
  const agreed = fields.ratified === undefined ? '' : `, ${fields.ratified ? 'agreed' : 'declined'}`
  return sentence(
    `Question ${correlationId}: status ${status}${agreed}`,
    hint ?? stepOf(fields),
    fields,
  )
}

/** The result of `cancel_question`. */
export function sayCancelled({ correlationId, status, cancelled, hint, ...fields }: CancelResult) {
  const what = cancelled ? 'withdrawn' : 'not withdrawn'
  return sentence(`Question ${correlationId}: status ${status}, ${what}`, hint ?? GONE, fields)
}

/** The result of `send_notification`. */
export function sayNotification(result: SendNotificationResult): string {
  const { sent: count, delivery, linkedCorrelationId: id, hint, warning } = result
  const [web, mobile] = [delivery.web.recipients, delivery.mobile.recipients]
  const linked = id === undefined ? '' : `, with question ${id}: status pending`
  const summary = `Notification: sent to ${count} ${count === 1 ? 'device' : 'devices'} (browsers ${web}, phones ${mobile})${linked}`
  return sentence(summary, hint ?? 'Go on.', warning === undefined ? {} : { warning })
}

/** A call that failed: nothing in it is an answer. */
export function sayFailure({ code, message, fields }: Failure): string {
  const what = `Error ${code}, which is not an answer`
  if (fields.length === 0) return sentence(what, cleanLine(message), {})
  const wrong = fields.slice(0, NAMED_MAX).map(({ field, must }) => {
    return quotedJson(`${cutText(field, FIELD_MAX)} ${must}`)
  })
  const more = fields.length - wrong.length
  if (more > 0) wrong.push(`and ${more} more`)
  return `${what}: nothing was done; next step: correct the arguments and call again; wrong: ${wrong.join(', ')}.`
}

// Enough to correct a call; a hostile one does not get its own size back.
const NAMED_MAX = 20
const FIELD_MAX = 100

const GONE = 'Nobody answers it any more, neither yes nor no.'

function stepOf({ note, ratified }: Pick<ResultFields, 'note' | 'ratified'>): string {
  if (ratified) return 'Keep to the contract.'
  return note === undefined ? 'Act on the value.' : 'Act on the value and the note.'
}

/** `next` as one sentence with `told`, followed by what others wrote. */
function sentence(
  text: string,
  next: string,
  { value, note, warning, contract, enforcementNote, ratified }: Partial<ResultFields>,
): string {
  const fields: [name: string, said: string | object | undefined][] = [
    ['value', value],
    ['note', note],
    ['warning', warning],
    ['contract', ratified ? contract : undefined],
    ['enforcementNote', enforcementNote],
  ]
  const quotes = fields.flatMap(([name, content]) =>
    content === undefined ? [] : [`${name} ${quotedJson(content)}`],
  )
  return `${[text, `next step: ${joined(next)}`, ...quotes].join('; ')}.`
}

// Text in quotation marks stays as it is.
const QUOTED = /("(?:[^"\\]|\\.)*")/

/** Sentences as parts of one, without the last full stop. */
function joined(sentences: string): string {
  const parts = sentences.split(QUOTED).map((part, at) => {
    if (at % 2 === 1) return part
    return part.replace(/\.\s+(\p{Lu})(?=\p{Ll}|\s)/gu, (_, first) => `; ${first.toLowerCase()}`)
  })
  const whole = parts.join('').replace(/\.$/, '')
  return /^\p{Lu}\p{Ll}/u.test(whole) ? whole.charAt(0).toLowerCase() + whole.slice(1) : whole
}
