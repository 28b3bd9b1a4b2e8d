import type { Read } from '../../../platform/db/database.ts'
import { readJsonObject } from '../../../platform/json.ts'
import type { Fetched, GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import { readSlackApp, type SlackApp, type SlackConfig } from './app.ts'

export type SlackMethod = 'auth.test' | 'chat.postMessage' | 'chat.update' | 'views.open'

/** The result of a method of Slack's Web API; `ok: false` in a 200 is an answer like any. */
export type SlackReply =
  | { outcome: 'done'; status: number; body: Record<string, unknown> }
  /** Slack's own error code, and the scope that is missing, if any. */
  | { outcome: 'refused'; status: number; error: string; needed?: string }
  | { outcome: 'later'; status: number; reason: string; retryAfterMs?: number }
  | { outcome: 'blocked'; reason: string }
  | { outcome: 'not_set_up' }

export type CallOptions = { signal?: AbortSignal; timeoutMs?: number; now: number }

const TIMEOUT_MS = 10_000
// Slack returns the whole message, of at most 30,000 characters of ours, and writes each non-Latin one
// as six.
const ANSWER_MAX_BYTES = 256 * 1024

/** One call in the name of `app`; never throws. */
export async function callSlack(
  fetch: GuardedFetch['fetch'],
  app: Pick<SlackApp, 'botToken' | 'apiUrl'>,
  method: SlackMethod,
  input: object,
  { signal, timeoutMs = TIMEOUT_MS, now }: CallOptions,
): Promise<SlackReply> {
  if (app.botToken === undefined) return { outcome: 'not_set_up' }
  const fetched = await fetch(`${app.apiUrl}/${method}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Authorization: `Bearer ${app.botToken}`,
    },
    body: JSON.stringify(input),
    timeoutMs,
    maxBytes: ANSWER_MAX_BYTES,
    ...(signal ? { signal } : {}),
  })
  return readReply(fetched, now)
}

function readReply(fetched: Fetched, now: number): SlackReply {
  if (fetched.outcome === 'blocked') return { outcome: 'blocked', reason: fetched.reason }
  if (fetched.outcome !== 'answered') {
    return { outcome: 'later', status: 0, reason: `Slack was not reached. ${fetched.reason}` }
  }
  const { status, headers } = fetched
  const body = readJsonObject(fetched.body)
  const error = typeof body?.error === 'string' ? body.error : ''
  if (status === 429 || BUSY.has(error)) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), now)
    const reason = `Slack asks for fewer messages (${error || status}).`
    return { outcome: 'later', status, reason, ...(retryAfterMs ? { retryAfterMs } : {}) }
  }
  if (status >= 500 || TROUBLE.has(error)) {
    return {
      outcome: 'later',
      status,
      reason: `Slack has trouble of its own (${error || status}).`,
    }
  }
  if (!body && fetched.cut === 'broken') {
    return { outcome: 'later', status, reason: `Slack broke off its answer (${status}).` }
  }
  if (body?.ok === true) return { outcome: 'done', status, body }
  const needed = typeof body?.needed === 'string' ? { needed: body.needed } : {}
  return { outcome: 'refused', status, error: error || 'no_slack', ...needed }
}

const BUSY = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])
const TROUBLE = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
])

/** The workspace of Slack and the bot of a token, as Slack names them. */
export type SlackTeam = { id: string; team: string; bot: string }

export function readTeam({ team_id: id, team, user }: Record<string, unknown>): SlackTeam {
  return { id: lineOf(id, ''), team: lineOf(team, 'Slack'), bot: lineOf(user, 'Slack') }
}

function lineOf(text: unknown, otherwise: string): string {
  return cutText(cleanLine(String(text ?? '')), 80) || otherwise
}

/** The Slack app as it is set up at each moment. */
export type Slack = {
  app(): Promise<SlackApp>
  /** The workspace of the token; undefined if Slack does not say it now. */
  team(now: number): Promise<SlackTeam | undefined>
  call(method: SlackMethod, input: object, options: CallOptions): Promise<SlackReply>
}

// Slack wants an answer to a press within 3 seconds.
const TEAM_MS = 2_000

export function createSlack(deps: {
  read: Read
  config: SlackConfig
  fetch: GuardedFetch['fetch']
}): Slack {
  const app = () => readSlackApp(deps.read, deps.config)
  const call: Slack['call'] = async (method, input, options) =>
    callSlack(deps.fetch, await app(), method, input, options)
  // A token never changes its workspace.
  let last: { botToken: string | undefined; team: SlackTeam } | undefined
  return {
    app,
    call,
    async team(now) {
      const { botToken } = await app()
      if (last?.botToken === botToken) return last?.team
      const reply = await call('auth.test', {}, { timeoutMs: TEAM_MS, now })
      const team = reply.outcome === 'done' ? readTeam(reply.body) : undefined
      if (!team?.id) return undefined
      last = { botToken, team }
      return team
    },
  }
}
