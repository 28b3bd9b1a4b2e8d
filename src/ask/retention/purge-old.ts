import type { Clock } from '../../platform/clock.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { forgetFullLimits } from '../../platform/db/rate-limit-store.ts'
import type { Log } from '../../platform/log.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { purgeSignIns } from '../accounts/model/purge-store.ts'
import { purgeOldTallies, readTallyEnd, tallyQuestions } from '../asking/tally-questions.ts'
import { hasSealsBefore } from '../audit/model/seal-store.ts'
import { purgeAudit } from '../audit/model/store.ts'
import { forgetRemovedProviders } from '../company/removed-providers.ts'
import { forgetPushCounts } from '../delivery/model/push-count-store.ts'
import { purgeListings } from '../gates/model/listing-store.ts'
import { purgeGateVersions } from '../gates/model/version-store.ts'
import { purgeGrants } from '../grants/model/store.ts'
import { listOldNotifications } from '../notifications/model/purge-store.ts'
import { purgeClients } from '../oauth/model/client-store.ts'
import { purgeGrantSecrets } from '../oauth/model/grant-store.ts'
import { listOldQuestions, TASK_KEPT_MS } from '../questions/model/purge-store.ts'
import { deleteOldOverrides } from '../rota/model/store.ts'
import { purgeHooks } from '../scopes/model/hook-store.ts'
import { PAGE_SEEN_MS, purgeOpenPages } from '../subscribers/model/open-page-store.ts'
import { sealPurge } from '../trail/seal-audit.ts'
import { purgeInstructions } from '../turns/model/instruction-store.ts'
import { purgeTurns } from '../turns/model/turn-store.ts'
import type { NotificationId, QuestionId, SubjectId } from '../wire/ids.ts'
import { forgetNotifications, forgetQuestions } from './forget.ts'
import { recountTokens } from './recount-tokens.ts'
import { countRemovals, type Removals } from './removals.ts'

export type PurgeDeps = {
  db: Db
  clock: Clock
  /** Names this process: if several share a database, one of them purges. */
  holder: string
  retentionDays: number
  log?: Log
  /** Rows removed in one transaction. */
  batch?: number
}

const DAY_MS = 24 * 60 * 60 * 1_000
const PURGE_EVERY_MS = 60 * 60 * 1_000
// Small enough that a question asked meanwhile waits for a few milliseconds at most.
const BATCH = 200
const LEASE = 'purge'
// Many times what a batch takes; after that another process may continue.
const LEASE_MS = 2 * 60_000

/**
 * Deletes what ended more than `retentionDays` ago: questions with their late answers,
 * notifications, their deliveries, contracts, grants, rows of the audit trail, and hooks that have
 * not reported since; also sign-ins and challenges that have expired. What is open or still being
 * sent stays. Clients that nobody allowed within a day are forgotten. At the end the counts of the
 * tokens are corrected. Each batch is complete in itself, so that it can stop anywhere; what was
 * removed is recorded in any case. `now` is a time that is sure. Resolves to the number of deleted
 * rows, not counting those that belonged to others.
 */
export async function purgeOld(
  deps: PurgeDeps,
  signal?: AbortSignal,
  now = deps.clock.now(),
): Promise<number> {
  const { db, log } = deps
  const before = now - deps.retentionDays * DAY_MS
  const removals = countRemovals()
  try {
    await purgeAll({ ...deps, removals, now, before }, signal)
  } finally {
    await removals.record({ db, log, before, now })
  }
  return removals.total()
}

/** `before`: what ended earlier is over its time. */
type Purge = PurgeDeps & { removals: Removals; now: number; before: number }

async function purgeAll(deps: Purge, signal: AbortSignal | undefined): Promise<void> {
  const { before } = deps
  // Charts outlive the questions that they count. Questions that another process is counting now
  // are deleted the next time.
  await tallyQuestions(deps, signal)
  const counted = Math.min(before, await readTallyEnd(deps.db.read))
  const purges = [
    [purgeQuestions, counted],
    [purgeNotifications, before],
    [purgeTrail, before],
    [purgeSeenHooks, before],
    [purgeEnded, before],
  ] as const
  for (const [purge, until] of purges) {
    let after: SubjectId | undefined
    do {
      if (signal?.aborted) return
      const batch: Batch | undefined = await inTurn(deps, (tx) => purge(tx, deps, until, after))
      if (!batch) return
      batch.count(deps.removals)
      after = batch.last
    } while (after !== undefined)
  }
  await recountTokens(deps.db, signal)
  await leaveLease(deps.db, LEASE, deps.holder)
}

/** `last`: the id after which the next batch continues; undefined if this was the last batch. */
type Batch = {
  last: SubjectId | undefined
  /** Called once the batch is on disk: the transaction may run again. */
  count(removals: Removals): void
}

/** Runs one batch while this process has the lease; undefined if another has it. */
function inTurn(
  { db, clock, holder }: PurgeDeps,
  work: (tx: Tx) => Promise<Batch>,
): Promise<Batch | undefined> {
  const now = clock.now()
  const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
  return db.write(async (tx) => ((await takeLease(tx, lease)) ? work(tx) : undefined))
}

async function purgeQuestions(
  tx: Tx,
  deps: Purge,
  before: number,
  after?: SubjectId,
): Promise<Batch> {
  const { now } = deps
  const limit = deps.batch ?? BATCH
  const promisedUntil = now - TASK_KEPT_MS
  const page = { before, promisedUntil, after: after as QuestionId | undefined, limit }
  const old = await listOldQuestions(tx, page)
  const deleted = await forgetQuestions(tx, old, now)
  return { last: lastOf(old, deps), count: (removals) => removals.add('questions', deleted) }
}

async function purgeNotifications(
  tx: Tx,
  deps: Purge,
  before: number,
  after?: SubjectId,
): Promise<Batch> {
  const page = { before, after: after as NotificationId | undefined, limit: deps.batch ?? BATCH }
  const old = await listOldNotifications(tx, page)
  const ids = old.map(({ id }) => id)
  const deleted = await forgetNotifications(tx, old, deps.now)
  return { last: lastOf(ids, deps), count: (removals) => removals.add('notifications', deleted) }
}

async function purgeTrail(tx: Tx, deps: Purge, before: number): Promise<Batch> {
  const { batch = BATCH, now } = deps
  const deleted = await purgeAudit(tx, before, batch)
  if (deleted.length > 0 || (await hasSealsBefore(tx, before))) await sealPurge(tx, { now, before })
  return {
    last: deleted.length === batch ? 'q_' : undefined,
    count: (removals) => removals.add('trail', deleted),
  }
}

async function purgeSeenHooks(tx: Tx, { batch = BATCH }: Purge, before: number): Promise<Batch> {
  return expired(await purgeHooks(tx, before, batch), batch)
}

/** Deletes what carries its own time of expiry. */
async function purgeEnded(tx: Tx, { now, batch = BATCH }: Purge, before: number): Promise<Batch> {
  await purgeGrants(tx, before)
  const count = (await purgeSignIns(tx, now, batch)) + (await purgeSignedIn(tx, now, batch))
  await purgeOldTallies(tx, now)
  await forgetPushCounts(tx, now)
  await forgetRemovedProviders(tx, now)
  await purgeOpenPages(tx, now - PAGE_SEEN_MS)
  await forgetFullLimits(tx, now)
  await purgeListings(tx, before)
  await purgeGateVersions(tx, before)
  await deleteOldOverrides(tx, before)
  await purgeInstructions(tx, before, batch)
  await purgeTurns(tx, before, batch)
  return expired(count, batch)
}

function expired(count: number, batch: number): Batch {
  return {
    last: count >= batch ? 'q_' : undefined,
    count: (removals) => removals.addExpired(count),
  }
}

// A code that is used a second time was stolen. Used codes are kept this long to notice it.
const CODE_KNOWN_MS = DAY_MS
const CLIENT_UNUSED_MS = DAY_MS
const CLIENT_USED_MS = 90 * DAY_MS

/** Codes and tokens of clients that signed in, and clients that nobody uses. */
async function purgeSignedIn(tx: Tx, now: number, limit: number): Promise<number> {
  const secrets = await purgeGrantSecrets(tx, now - CODE_KNOWN_MS, limit)
  const since = { unusedSince: now - CLIENT_UNUSED_MS, usedSince: now - CLIENT_USED_MS }
  return secrets + (await purgeClients(tx, { ...since, limit }))
}

function lastOf(ids: readonly SubjectId[], { batch = BATCH }: PurgeDeps): SubjectId | undefined {
  return ids.length < batch ? undefined : ids.at(-1)
}

/**
 * Purges now and then every hour, until disposed, but nothing while the clock is ahead; `report` is
 * called with errors.
 */
export function keepPurging(
  deps: PurgeDeps & { agreedTime: AgreedTime },
  report: (error: unknown) => void,
): AsyncDisposable {
  const closing = new AbortController()
  async function work() {
    const now = await deps.agreedTime.read()
    if (now !== undefined) await purgeOld(deps, closing.signal, now)
  }
  const loop = repeatEvery(deps.clock, PURGE_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}
