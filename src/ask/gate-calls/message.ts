import { repeatsMembers } from '../../platform/json.ts'
import { META } from '../../platform/mcp/era.ts'
import { type Fields, isFields, type RequestId } from '../../platform/mcp/message.ts'
import { utf8Text } from '../../platform/text.ts'
import { elementSpans, part, spanAt } from './json-text.ts'

/** One JSON-RPC message, as it was written. */
export type Message = {
  text: string
  id: RequestId | undefined
  method: string | undefined
  params: Fields
  /** The answer of a request. */
  result: Fields | undefined
}

/** What a line is: one message, several, or nothing that can be read. */
export type Reading =
  | { is: 'one'; message: Message; value: unknown }
  | { is: 'batch'; messages: Message[]; value: unknown }
  | { is: 'other'; text: string }

export function readMessages(line: Uint8Array): Reading {
  const text = utf8Text(line)?.trimEnd()
  // A line that is not UTF-8 may still be read by a careless server.
  if (text === undefined) return { is: 'other', text: Buffer.from(line).toString('latin1') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { is: 'other', text }
  }
  if (!Array.isArray(value)) return { is: 'one', message: messageOf(text, value), value }
  const spans = elementSpans(text)
  const messages = value.map((one, at) => messageOf(part(text, spans[at] ?? NOWHERE), one))
  return { is: 'batch', messages, value }
}

const NOWHERE = { from: 0, to: 0 }

/**
 * Returns true if another reader may take the text for something else than `JSON.parse` does: a
 * member is there twice, or a member that says what a message is has capitals. Readers differ in
 * which of two members counts, and those of Go take both spellings for one name.
 */
export function isAmbiguous(text: string, value: unknown): boolean {
  if (repeatsMembers(text, value)) return true
  return (Array.isArray(value) ? value : [value]).some(
    (one) =>
      isFields(one) &&
      (isSpeltOtherwise(one, MESSAGE_NAMES) ||
        (isFields(one.params) && isSpeltOtherwise(one.params, PARAMS_NAMES))),
  )
}

const MESSAGE_NAMES = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])
const PARAMS_NAMES = new Set(['name', 'arguments', '_meta'])

function isSpeltOtherwise(fields: Fields, names: ReadonlySet<string>): boolean {
  // First the capitals, as a few letters of other scripts have the capitals of ours.
  const plain = (name: string) => name.toUpperCase().toLowerCase()
  return Object.keys(fields).some((name) => !names.has(name) && names.has(plain(name)))
}

function messageOf(text: string, value: unknown): Message {
  const { id, method, params, result } = isFields(value) ? value : {}
  return {
    text,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    params: isFields(params) ? params : {},
    result: isFields(result) ? result : undefined,
  }
}

/** The id as its sender wrote it: a number may be longer than a double. */
export function idText({ text }: Pick<Message, 'text'>): string {
  const span = spanAt(text, { from: 0, to: text.length }, ['id'])
  return span ? part(text, span) : 'null'
}

export function metaIn({ params }: Pick<Message, 'params'>): Fields {
  return isFields(params._meta) ? params._meta : {}
}

/** Returns true for a request of the era without a handshake. */
export function isModern(message: Pick<Message, 'params'>): boolean {
  return metaIn(message)[META.version] !== undefined
}
