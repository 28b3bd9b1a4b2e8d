import type { Tx } from '../../platform/db/database.ts'
import { afterFailure, createOutbox, type OutboxDeps } from '../../platform/db/outbox.ts'
import type { OutboxRow, OutboxTableWith } from '../../platform/db/outbox-store.ts'
import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../platform/outgoing/reply.ts'
import { VERSION } from '../../platform/program.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { hmac } from '../../platform/signing/hmac.ts'
import type { CallbackState } from './model/callback.ts'
import { SECRET_PREFIX } from './model/secret-store.ts'

export type PostDeps = OutboxDeps & {
  /** Reaches public addresses only, and follows no redirect. */
  fetch: GuardedFetch['fetch']
  /** From 0 up to 1: spreads the retries. */
  random(): number
  /**
   * Called after every attempt with the state it left the post in, and its duration in
   * milliseconds.
   */
  attempted?(state: string, ms: number): void
}

/** An outbox of signed posts; `origin` is the queue of a row. */
type PostTable = OutboxTableWith<'url' | 'origin' | 'body'>

/** The parts in which outboxes of signed posts differ. */
type PostRules<T extends PostTable> = {
  table: T
  /** The secrets that sign a row, the current one first. */
  secretsOf(row: OutboxRow<T>): Promise<readonly string[]>
  /** Records an attempt. */
  settle(tx: Tx, row: OutboxRow<T>, settled: SettledAttempt): Promise<void>
  /** Ends a row whose day was over before it could be tried. */
  lapse(tx: Tx, row: OutboxRow<T>, end: { at: number; reason: string }): Promise<void>
}

/** The result of one attempt. */
type SettledAttempt = {
  at: number
  /** HTTP status; 0 without a response. */
  status: number
  error: string | null
  state: CallbackState
  /** When the next attempt is due; only for state `waiting`. */
  nextAt: number | undefined
}

export type PostSender = AsyncDisposable & {
  /** Starts sending what is due; resolves when it is on its way, not when it has arrived. */
  look(): Promise<void>
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>
}

type Row = {
  id: string
  url: string
  origin: string
  body: string
  attempts: number
  expiresAt: number
}

// A receiver has this long to answer.
const ANSWER_MS = 10_000
// The body of the answer is ignored beyond this.
const ANSWER_BYTES_MAX = 4_096
const TAKE_MAX = 100
// New rows are sent at once on a change event; this check is for retries and for what another
// process left behind.
const LOOK_EVERY_MS = 1_000
// One server gets this many requests at a time, so that a slow one does not delay others.
const LANE_WIDTH = 8
// The time that posts in flight have when the server stops; the next process sends the rest.
const CLOSING_MS = 1_000

/** Posts the rows of an outbox, signed, each at its own time (QS-EVENT-1). */
export function createPostSender<T extends PostTable>(
  deps: PostDeps,
  { table, secretsOf, settle, lapse }: PostRules<T>,
): PostSender {
  const { db, clock } = deps
  const lane = { table, lane: table.origin }
  const outbox = createOutbox(deps, { ...lane, laneWidth: LANE_WIDTH, closingMs: CLOSING_MS })
  let again = false
  let looking: Promise<void> | undefined

  async function lookUntilQuiet() {
    try {
      while (again) {
        again = false
        await takeDue()
      }
    } finally {
      looking = undefined
    }
  }

  async function takeDue() {
    const rows = await outbox.takeDue(TAKE_MAX)
    outbox.hold(rows)
    for (const row of rows) {
      const own = row as unknown as Row
      outbox.run(row, own.origin, (signal) => attempt(row, own, signal))
    }
    if (rows.length === TAKE_MAX) again = true
  }

  async function attempt(row: OutboxRow<T>, own: Row, signal: AbortSignal) {
    const at = clock.now()
    if (at >= own.expiresAt) {
      const reason = 'It could not be sent within a day.'
      return db.write((tx) => lapse(tx, row, { at, reason }))
    }
    const began = performance.now()
    const secrets = await secretsOf(row)
    const fetched = await post(own, secrets, at, signal)
    if (fetched.outcome === 'aborted') return
    const settled = outcomeOf(own, fetched, clock.now(), deps.random())
    deps.attempted?.(settled.state, performance.now() - began)
    await db.write((tx) => settle(tx, row, settled))
  }

  function post(
    { id, url, body }: Row,
    secrets: readonly string[],
    at: number,
    signal: AbortSignal,
  ) {
    return deps.fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `Beckon/${VERSION}`,
        ...signatureHeaders(secrets, { id, at, body }),
      },
      body,
      timeoutMs: ANSWER_MS,
      maxBytes: ANSWER_BYTES_MAX,
      signal,
    })
  }

  return {
    look() {
      again = true
      looking ??= lookUntilQuiet()
      return looking
    },
    idle: () => outbox.idle(),
    async [Symbol.asyncDispose]() {
      await looking?.catch(() => {})
      await outbox[Symbol.asyncDispose]()
    },
  }
}

/** Looks when told of a change of `topic`, and every second; `report` is called with errors. */
export function keepPosting(
  { db, clock }: Pick<PostDeps, 'db' | 'clock'>,
  topic: 'callback' | 'watchPost',
  sender: PostSender,
  report: (error: unknown) => void,
): AsyncDisposable {
  const look = () => void sender.look().catch(report)
  const stopListening = [db.changes.on(topic, undefined, look), db.changes.onMissed(look)]
  const loop = repeatEvery(clock, LOOK_EVERY_MS, () => sender.look(), report)
  return {
    async [Symbol.asyncDispose]() {
      for (const stop of stopListening) stop()
      await loop[Symbol.asyncDispose]()
      await sender[Symbol.asyncDispose]()
    },
  }
}

function outcomeOf(row: Row, fetched: Fetched, at: number, random: number): SettledAttempt {
  const verdict = verdictOf(fetched, at)
  const { status, error = null } = verdict
  if (verdict.state !== 'waiting')
    return { at, status, error, state: verdict.state, nextAt: undefined }
  const waitMs = backoffMs(row.attempts, random, verdict.retryAfterMs)
  return { at, status, error, ...afterFailure(row, at, waitMs) }
}

/** The result of an attempt: finished, or to be tried again. */
type Verdict =
  | { state: 'delivered' | 'gone'; status: number; error: string | undefined }
  | { state: 'waiting'; status: number; error: string; retryAfterMs: number | undefined }

/** Interprets a receiver's answer: 2xx and 410 are final, anything else is retried. */
function verdictOf(fetched: Fetched, now: number): Verdict {
  if (fetched.outcome !== 'answered') {
    return { state: 'waiting', status: 0, error: fetched.reason, retryAfterMs: undefined }
  }
  const { status, headers } = fetched
  if (status >= 200 && status < 300) return { state: 'delivered', status, error: undefined }
  if (status === 410)
    return { state: 'gone', status, error: 'The receiver asked not to be sent it again.' }
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now)
  return { state: 'waiting', status, error: reasonOf(status), retryAfterMs }
}

function reasonOf(status: number): string {
  if (status >= 300 && status < 400) return 'The receiver redirects, which is not followed.'
  if (status === 429) return 'The receiver asks for fewer requests.'
  return status >= 500 ? 'The receiver reported an internal error.' : 'The receiver refused it.'
}

/** One attempt: what is sent, when (milliseconds), under which stable id. */
type Signed = { id: string; at: number; body: string }

/**
 * The headers that prove where a callback comes from, in two formats: our own (QS-AUTH-3) and
 * Standard Webhooks. While secrets are exchanged each adds its signature, so that a receiver with
 * either of them can check it.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: Signed,
): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000))
  return {
    'X-Service-Signature': serviceSignature(secrets, seconds, body),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standardSignature(secrets, `${id}.${seconds}.${body}`),
  }
}

/** `t=UNIX,v1=HEX`, keyed with the secret's whole text, including its prefix. */
function serviceSignature(secrets: readonly string[], seconds: string, body: string): string {
  const signed = secrets.map((secret) => {
    return `v1=${hmac(secret, `${seconds}.${body}`, 'hex')}`
  })
  return [`t=${seconds}`, ...signed].join(',')
}

/** `v1,BASE64`, keyed with the decoded base64 of the secret. */
function standardSignature(secrets: readonly string[], content: string): string {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${hmac(key, content, 'base64')}`
  })
  return signed.join(' ')
}

// Long enough for a restart, short enough to go unnoticed.
const FIRST_MS = 5_000
const FACTOR = 3
const MOST_MS = 6 * 3_600_000
// Spreads retries, so that receivers that failed together are not retried at one moment.
const JITTER = 0.2

/**
 * How long to wait before the next attempt, in milliseconds: from 5 seconds to 6 hours
 * (QS-EVENT-3), or longer if the receiver asked for it. `random`: from 0 up to 1.
 */
export function backoffMs(
  attemptsBefore: number,
  random: number,
  retryAfterMs: number | undefined,
): number {
  const plain = Math.min(FIRST_MS * FACTOR ** Math.min(attemptsBefore, 20), MOST_MS / (1 + JITTER))
  const own = Math.round(plain * (1 + JITTER * random))
  return Math.min(Math.max(own, retryAfterMs ?? 0), MOST_MS)
}
