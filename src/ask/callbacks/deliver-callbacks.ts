import { VERSION } from '../../platform/config/version.ts'
import { afterFailure, type OutboxDeps } from '../../platform/db/outbox.ts'
import { randomText } from '../../platform/ids.ts'
import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { backoffMs } from './backoff.ts'
import type { Callback } from './callback.ts'
import { readCallbackSecrets } from './callback-secret.ts'
import { createCallbackOutbox } from './outbox.ts'
import { signatureHeaders } from './signature.ts'
import { lapseCallback, type Settled, settleCallback } from './store.ts'
import { verdictOf } from './verdict.ts'

export type DeliverDeps = OutboxDeps & {
  /** Reaches public addresses only, and follows no redirect. */
  fetch: GuardedFetch['fetch']
  /** From 0 up to 1: spreads the retries. */
  random(): number
  /** Hears of every attempt: the state it left the callback in, and milliseconds. */
  attempted?(state: string, ms: number): void
}

export type CallbackSender = AsyncDisposable & {
  /** Takes what is due; resolves when it is on its way, not when it has arrived. */
  look(): Promise<void>
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>
}

// A receiver has this long to say 2xx.
const ANSWER_MS = 10_000
// What it says beyond its status is not looked at.
const ANSWER_BYTES_MAX = 4_096
const TAKE_MAX = 100
// Rings tell of new ones at once; the look is for retries and for what a dead process left.
const LOOK_EVERY_MS = 1_000

/** Posts the callbacks of the outbox, each at its own time (QS-EVENT-1). */
export function createCallbackSender(deps: DeliverDeps): CallbackSender {
  const { db, clock, holder } = deps
  const outbox = createCallbackOutbox(deps)
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
    for (const row of rows) outbox.run(row, row.origin, (signal) => attempt(row, signal))
    if (rows.length === TAKE_MAX) again = true
  }

  async function attempt(row: Callback, signal: AbortSignal) {
    const at = clock.now()
    if (at >= row.expiresAt) {
      const reason = 'A day was over before it could be sent.'
      return db.write((tx) => lapseCallback(tx, holder, { id: row.id, at, reason }))
    }
    const began = performance.now()
    const fetched = await post(row, at, signal)
    if (fetched.outcome === 'aborted') return
    const settled = outcomeOf(row, fetched, clock.now(), deps.random())
    deps.attempted?.(settled.state, performance.now() - began)
    await db.write((tx) => settleCallback(tx, holder, settled))
  }

  async function post(row: Callback, at: number, signal: AbortSignal): Promise<Fetched> {
    const { id, workspaceId, url, body } = row
    const { current, ending } = await readCallbackSecrets(deps, workspaceId)
    const secrets = [current, ...ending].map(({ secret }) => secret)
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

function outcomeOf(row: Callback, fetched: Fetched, at: number, random: number): Settled {
  const verdict = verdictOf(fetched, at)
  const { status, error = null } = verdict
  const attempt = { id: `att_${randomText(16)}`, callbackId: row.id, at, status, error }
  if (verdict.state !== 'waiting') return { attempt, state: verdict.state, nextAt: undefined }
  const waitMs = backoffMs(row.attempts, random, verdict.retryAfterMs)
  return { attempt, ...afterFailure(row, at, waitMs) }
}

/** Looks whenever a callback is queued, and every second; `report` hears what went wrong. */
export function keepDeliveringCallbacks(
  deps: DeliverDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  const sender = createCallbackSender(deps)
  const look = () => void sender.look().catch(report)
  const stopListening = [
    deps.db.changes.on('callback', undefined, look),
    deps.db.changes.onMissed(look),
  ]
  const loop = repeatEvery(deps.clock, LOOK_EVERY_MS, () => sender.look(), report)
  return {
    async [Symbol.asyncDispose]() {
      for (const stop of stopListening) stop()
      await loop[Symbol.asyncDispose]()
      await sender[Symbol.asyncDispose]()
    },
  }
}
