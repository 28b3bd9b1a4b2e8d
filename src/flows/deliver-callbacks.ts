import { backoffMs } from '../callbacks/backoff.ts'
import type { Callback } from '../callbacks/callback.ts'
import { signatureHeaders } from '../callbacks/signature.ts'
import {
  claimCallbacks,
  extendClaims,
  isCallbackDue,
  lapseCallback,
  releaseClaims,
  type Settled,
  settleCallback,
} from '../callbacks/store.ts'
import { verdictOf } from '../callbacks/verdict.ts'
import { VERSION } from '../config/version.ts'
import type { Db } from '../db/database.ts'
import { createLanes } from '../delivery/lanes.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Fetched, GuardedFetch } from '../kernel/guarded-fetch.ts'
import { type CallbackId, randomText } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { repeatEvery } from '../kernel/repeat.ts'
import { readCallbackSecrets } from './callback-secret.ts'

export type DeliverDeps = {
  db: Db
  clock: Clock
  log: Log
  /** Reaches public addresses only, and follows no redirect. */
  fetch: GuardedFetch['fetch']
  /** Names this process in the rows it works on; another one for each start. */
  holder: string
  /** From 0 up to 1: spreads the retries. */
  random(): number
}

export type CallbackSender = AsyncDisposable & {
  /** Takes what is due; resolves when it is on its way, not when it has arrived. */
  look(): Promise<void>
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>
}

// A receiver has this long to say 2xx (design: Callbacks).
const ANSWER_MS = 10_000
// What it says beyond its status is not looked at.
const ANSWER_BYTES_MAX = 4_096
// One server gets this many requests at a time; another's slowness is not its business.
const LANE_WIDTH = 8
const TAKE_MAX = 100
/** How long a row stays in the hands of a process that says nothing any more. */
export const CLAIM_MS = 30_000
// What is on its way when the server stops may still arrive; what does not is sent by the next one.
const CLOSING_MS = 1_000
// Rings tell of new ones at once; the look is for retries and for what a dead process left.
const LOOK_EVERY_MS = 1_000

/** Posts the callbacks of the outbox, each at its own time (spec: Events; design: Callbacks). */
export function createCallbackSender(deps: DeliverDeps): CallbackSender {
  const { db, clock, log, holder } = deps
  const lanes = createLanes(LANE_WIDTH)
  const closing = new AbortController()
  const inHand = new Map<CallbackId, Callback>()
  let stopping = false
  let again = false
  let looking: Promise<void> | undefined
  let stopRenewing: (() => void) | undefined

  async function lookUntilQuiet() {
    try {
      while (again && !stopping) {
        again = false
        await takeDue()
      }
    } finally {
      looking = undefined
    }
  }

  async function takeDue() {
    const now = clock.now()
    if (!(await isCallbackDue(db.read, now))) return
    const claim = { by: holder, now, until: now + CLAIM_MS }
    const rows = await db.write((tx) =>
      claimCallbacks(tx, claim, { limit: TAKE_MAX, busy: busyOrigins() }),
    )
    for (const row of rows) take(row)
    if (rows.length === TAKE_MAX) again = true
  }

  /** Servers that have enough to do: what waits for them stays in the database. */
  function busyOrigins(): string[] {
    const byOrigin = Map.groupBy(inHand.values(), (row) => row.origin)
    return [...byOrigin].filter(([, rows]) => rows.length >= LANE_WIDTH).map(([origin]) => origin)
  }

  function take(row: Callback) {
    inHand.set(row.id, row)
    stopRenewing ??= clock.after(CLAIM_MS / 2, renewClaims)
    lanes.run(row.origin, () => attempt(row))
  }

  function renewClaims() {
    stopRenewing = undefined
    if (inHand.size === 0) return
    stopRenewing = clock.after(CLAIM_MS / 2, renewClaims)
    const until = clock.now() + CLAIM_MS
    db.write((tx) => extendClaims(tx, holder, [...inHand.keys()], until)).catch((error) =>
      log.warn('the claims on callbacks could not be renewed', { error }),
    )
  }

  async function attempt(row: Callback) {
    try {
      if (!stopping) await tryOnce(row)
    } catch (error) {
      // Its claim runs out, and it is sent again under the same id.
      log.error('an attempt at a callback could not be finished', { error, callback: row.id })
    } finally {
      inHand.delete(row.id)
    }
  }

  async function tryOnce(row: Callback) {
    const at = clock.now()
    if (at >= row.expiresAt) {
      const reason = 'A day was over before it could be sent.'
      return db.write((tx) => lapseCallback(tx, holder, { id: row.id, at, reason }))
    }
    const fetched = await post(row, at)
    if (fetched.outcome === 'aborted') return
    const settled = outcomeOf(row, fetched, clock.now(), deps.random())
    await db.write((tx) => settleCallback(tx, holder, settled))
  }

  async function post({ id, workspaceId, url, body }: Callback, at: number): Promise<Fetched> {
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
      signal: closing.signal,
    })
  }

  return {
    look() {
      again = true
      looking ??= lookUntilQuiet()
      return looking
    },
    idle: () => lanes.idle(),
    async [Symbol.asyncDispose]() {
      stopping = true
      stopRenewing?.()
      await looking?.catch(() => {})
      const giveUp = clock.after(CLOSING_MS, () => closing.abort())
      await lanes.idle()
      giveUp()
      await db.write((tx) => releaseClaims(tx, holder)).catch(() => {})
    },
  }
}

function outcomeOf(row: Callback, fetched: Fetched, at: number, random: number): Settled {
  const verdict = verdictOf(fetched, at)
  const { status, error = null } = verdict
  const attempt = { id: `att_${randomText(16)}`, callbackId: row.id, at, status, error }
  if (verdict.state !== 'waiting') return { attempt, state: verdict.state, nextAt: undefined }
  const nextAt = at + backoffMs(row.attempts, random, verdict.retryAfterMs)
  if (nextAt >= row.expiresAt) return { attempt, state: 'lapsed', nextAt: undefined }
  return { attempt, state: 'waiting', nextAt }
}

/** Looks whenever a callback is queued, and every second; `report` hears what went wrong. */
export function keepDeliveringCallbacks(
  deps: DeliverDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  const sender = createCallbackSender(deps)
  const look = () => void sender.look().catch(report)
  const stopListening = [deps.db.bell.on('callback', undefined, look), deps.db.bell.onGap(look)]
  const loop = repeatEvery(deps.clock, LOOK_EVERY_MS, () => sender.look(), report)
  return {
    async [Symbol.asyncDispose]() {
      for (const stop of stopListening) stop()
      await loop[Symbol.asyncDispose]()
      await sender[Symbol.asyncDispose]()
    },
  }
}
