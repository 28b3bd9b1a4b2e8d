import type { Static, TSchema } from '@sinclair/typebox'
import type { Shape } from '../../platform/schema.ts'
import type { Outside } from '../probing/probe.ts'
import { ask, isAbsent, mediaType, type Question, type Reply, textOf } from './ask.ts'

/** What came of asking for JSON of a known form. */
export type JsonReply<T> =
  | { outcome: 'read'; value: T; headers: Headers; url: string }
  /** The same as before (304). */
  | { outcome: 'unchanged'; headers: Headers }
  /** Said to be not there (404, 410). */
  | { outcome: 'absent'; headers: Headers }
  /** There (200), and something else than what was asked for. */
  | { outcome: 'foreign'; why: string; headers: Headers }
  /** Anything else: it says nothing. `status` where there was an answer. */
  | { outcome: 'unread'; why: string; status?: number; headers?: Headers }

const JSON_TYPE = /^(application|text)\/([\w.+-]+\+)?json$/
const MAX_BYTES = 256 * 1024
const NOT_MODIFIED = 304

/**
 * Reads JSON that is whole, called JSON by its sender, and of the form that is expected; what is
 * anything else is never `read`. Never throws.
 */
export async function askJson<S extends TSchema>(
  outside: Outside,
  url: string,
  form: Shape<S>,
  question: Question = {},
): Promise<JsonReply<Static<S>>> {
  const headers = { accept: 'application/json', ...question.headers }
  const reply = await ask(outside, url, { maxBytes: MAX_BYTES, ...question, headers })
  return readJson(reply, form)
}

export function readJson<S extends TSchema>(reply: Reply, form: Shape<S>): JsonReply<Static<S>> {
  if (reply.outcome === 'silent') return { outcome: 'unread', why: reply.why }
  const { status, headers, url } = reply
  if (status === NOT_MODIFIED) return { outcome: 'unchanged', headers }
  if (isAbsent(reply)) return { outcome: 'absent', headers }
  if (status !== 200) return { outcome: 'unread', why: `It answered ${status}.`, status, headers }
  if (reply.cut === 'broken') return { outcome: 'unread', why: 'It broke off.', status, headers }
  const foreign = (why: string) => ({ outcome: 'foreign', why, headers }) as const
  if (!JSON_TYPE.test(mediaType(headers))) return foreign('It is not called JSON.')
  if (reply.cut) return foreign('It is too long.')
  const value = parsed(textOf(reply))
  if (value === undefined) return foreign('It is no JSON.')
  if (form.wrong(value).length > 0) return foreign('It is not of the form that is known.')
  return { outcome: 'read', value: value as Static<S>, headers, url }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
