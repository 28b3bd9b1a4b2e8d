import { readJsonObject } from '../../../platform/json.ts'
import type { Fetched, GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { TelegramBot } from './bot.ts'

export type TelegramMethod =
  | 'getMe'
  | 'getUpdates'
  | 'sendMessage'
  | 'editMessageText'
  | 'answerCallbackQuery'

/** The result of a method of the Bot API. */
export type TelegramReply =
  | { outcome: 'done'; status: number; result: unknown }
  /** `said` is Telegram's own description; empty when what answered is not Telegram. */
  | { outcome: 'refused'; status: number; said: string }
  | { outcome: 'later'; status: number; reason: string; retryAfterMs?: number }
  | { outcome: 'blocked'; reason: string }
  | { outcome: 'not_set_up' }

export type CallOptions = { signal?: AbortSignal; timeoutMs?: number; now: number }

const TIMEOUT_MS = 10_000
// One message of at most 4,096 characters, of which each may be written as six or twelve.
const ANSWER_MAX_BYTES = 64 * 1024
// A hundred updates, the most that one call gives, with the longest messages; one call at a time.
const UPDATES_MAX_BYTES = 2 * 1024 * 1024
const SAID_MAX = 200

/**
 * One call in the name of the bot; never throws. The address contains the token, so it never
 * appears in an error or a log.
 */
export async function callTelegram(
  fetch: GuardedFetch['fetch'],
  { botToken, apiUrl }: Pick<TelegramBot, 'botToken' | 'apiUrl'>,
  method: TelegramMethod,
  input: object,
  { signal, timeoutMs = TIMEOUT_MS, now }: CallOptions,
): Promise<TelegramReply> {
  if (botToken === undefined) return { outcome: 'not_set_up' }
  const fetched = await fetch(`${apiUrl}/bot${botToken}/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
    timeoutMs,
    maxBytes: method === 'getUpdates' ? UPDATES_MAX_BYTES : ANSWER_MAX_BYTES,
    ...(signal ? { signal } : {}),
  })
  return readReply(fetched, botToken, now)
}

function readReply(fetched: Fetched, botToken: string, now: number): TelegramReply {
  if (fetched.outcome === 'blocked') return { outcome: 'blocked', reason: fetched.reason }
  if (fetched.outcome !== 'answered') {
    return { outcome: 'later', status: 0, reason: `Telegram was not reached. ${fetched.reason}` }
  }
  const { status, headers } = fetched
  const body = readJsonObject(fetched.body)
  if (status === 429) {
    const retryAfter = readParameters(body).retry_after
    const statedMs =
      typeof retryAfter === 'number' && retryAfter > 0 ? retryAfter * 1_000 : undefined
    const retryAfterMs = statedMs ?? readRetryAfter(headers.get('retry-after'), now)
    const reason = 'Telegram asks for fewer messages (429).'
    return { outcome: 'later', status, reason, ...(retryAfterMs ? { retryAfterMs } : {}) }
  }
  if (status >= 500) {
    return { outcome: 'later', status, reason: `Telegram has trouble of its own (${status}).` }
  }
  if (!body && fetched.cut === 'broken') {
    return { outcome: 'later', status, reason: `Telegram broke off its answer (${status}).` }
  }
  if (body?.ok === true) return { outcome: 'done', status, result: body.result }
  const words = body?.ok === false && typeof body.description === 'string' ? body.description : ''
  const description = cutText(cleanLine(words.replaceAll(botToken, '…')), SAID_MAX)
  return { outcome: 'refused', status, said: description }
}

function readParameters(body: Record<string, unknown> | undefined): { retry_after?: unknown } {
  const parameters = body?.parameters
  return typeof parameters === 'object' && parameters !== null ? parameters : {}
}
