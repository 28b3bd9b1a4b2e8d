import type { Failure, WrongField } from '../failure.ts'
import { cutText } from '../text.ts'
import type { Fields } from './message.ts'

/** The part of a `tools/call` result that this server uses. */
export type CallResult = {
  content: Fields[]
  structuredContent?: object
  isError?: boolean
  resultType?: string
  _meta?: object
}

/**
 * A tool's result in both forms, since some clients show the model only the structured one and
 * others only the text.
 */
export function succeeded(result: object, text = JSON.stringify(result)): CallResult {
  return { content: [textOf(text)], structuredContent: result }
}

/** A failure as a result: text that a model can act on. */
export function failed(failure: Failure): CallResult {
  return { content: [textOf(sentence(failure))], isError: true }
}

function textOf(said: string): Fields {
  return { type: 'text', text: said }
}

function sentence(failure: Failure): string {
  if (failure.fields.length > 0) return wrongArguments(failure.fields)
  return `${failure.message} (${failure.code})`
}

// Enough to correct a call; a hostile call does not get its own size back.
const NAMED_MAX = 20
const FIELD_MAX = 100

function wrongArguments(fields: WrongField[]): string {
  const named = fields.slice(0, NAMED_MAX).map(({ field, must }) => {
    return `- ${cutText(field, FIELD_MAX)} ${must}`
  })
  const more = fields.length - named.length
  if (more > 0) named.push(`- and ${more} more`)
  return `Some arguments are not valid, so nothing was done:\n${named.join('\n')}\nCorrect them and call again.`
}
