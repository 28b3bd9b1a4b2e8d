import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { forgetFullLimits } from '../../platform/db/rate-limit-store.ts'
import type { NotificationId, QuestionId, SubjectId } from '../../platform/ids.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { purgeSignIns } from '../accounts/model/purge-store.ts'
import { recountTokens } from '../accounts/recount-tokens.ts'
import { hasSealsBefore } from '../audit/model/seal-store.ts'
import { purgeAudit } from '../audit/model/store.ts'
import { sealPurge } from '../audit/seal-audit.ts'
import { forgetPushCounts } from '../delivery/model/push-count-store.ts'
import { PAGE_SEEN_MS, purgeOpenPages } from '../devices/model/open-page-store.ts'
import { listOldNotifications } from '../notifications/model/purge-store.ts'
import { purgeClients } from '../oauth/model/client-store.ts'
import { purgeGrantSecrets } from '../oauth/model/grant-store.ts'
import { purgeGrants } from '../questions/model/grant-store.ts'
import { listOldQuestions, TASK_KEPT_MS } from '../questions/model/purge-store.ts'
import { talliedUntil, tallyQuestions } from '../questions/tally-questions.ts'
import { purgeHooks } from '../scopes/model/hook-store.ts'
import { forgetNotifications, forgetQuestions } from './model/forget.ts'

export type PurgeDeps = {
  db: Db
  clock: Clock
  /** Names this process: if several share a database, one of them purges. */
  holder: string
  retentionDays: number
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
 * tokens are corrected. Each batch is complete in itself, so that it can stop anywhere. Resolves to
 * the number of deleted rows, not counting those that belonged to others.
 */
export async function purgeOld(deps: PurgeDeps, signal?: AbortSignal): Promise<number> {
  const before = deps.clock.now() - deps.retentionDays * DAY_MS
  // Charts outlive the questions that they count. Questions that another process is counting now
  // are deleted the next time.
  await tallyQuestions(deps, signal)
  const counted = Math.min(before, await talliedUntil(deps.db.read))
  const purges = [
    [purgeQuestions, counted],
    [purgeNotifications, before],
    [purgeTrail, before],
    [purgeSeenHooks, before],
    [purgeEnded, before],
  ] as const
  let gone = 0
  for (const [purge, until] of purges) {
    let after: SubjectId | undefined
    do {
      if (signal?.aborted) return gone
      const batch: Batch | undefined = await inTurn(deps, (tx) => purge(tx, deps, until, after))
      if (!batch) return gone
      gone += batch.gone
      after = batch.last
    } while (after !== undefined)
  }
  await recountTokens(deps.db, signal)
  await leaveLease(deps.db, LEASE, deps.holder)
  return gone
}

/** `last`: the id after which the next batch continues; undefined if this was the last batch. */
type Batch = { gone: number; last: SubjectId | undefined }

/** Runs one batch while this process has the lease; undefined if another has it. */
function inTurn(
  { db, clock, holder }: PurgeDeps,
  work: (tx: Tx) => Promise<Batch>,
): Promise<Batch | undefined> {
  const now = clock.now()
  const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
  return db.write(async (tx) => ((await takeLease(tx, lease)) ? work(tx) : undefined))
}

async function purgeQuestions(tx: Tx, deps: PurgeDeps, before: number, after?: SubjectId) {
  const now = deps.clock.now()
  const limit = deps.batch ?? BATCH
  const promisedUntil = now - TASK_KEPT_MS
  const page = { before, promisedUntil, after: after as QuestionId | undefined, limit }
  const old = await listOldQuestions(tx, page)
  return { gone: await forgetQuestions(tx, old, now), last: lastOf(old, deps) }
}

async function purgeNotifications(tx: Tx, deps: PurgeDeps, before: number, after?: SubjectId) {
  const page = { before, after: after as NotificationId | undefined, limit: deps.batch ?? BATCH }
  const old = await listOldNotifications(tx, page)
  const ids = old.map(({ id }) => id)
  return { gone: await forgetNotifications(tx, old, deps.clock.now()), last: lastOf(ids, deps) }
}

async function purgeTrail(tx: Tx, deps: PurgeDeps, before: number): Promise<Batch> {
  const { batch = BATCH, clock } = deps
  const gone = await purgeAudit(tx, before, batch)
  if (gone > 0 || (await hasSealsBefore(tx, before))) {
    await sealPurge(tx, { now: clock.now(), before })
  }
  return { gone, last: gone === batch ? 'q_' : undefined }
}

async function purgeSeenHooks(tx: Tx, { batch = BATCH }: PurgeDeps, before: number) {
  const gone = await purgeHooks(tx, before, batch)
  return { gone, last: gone >= batch ? ('q_' as const) : undefined }
}

/** Deletes what carries its own time of expiry. */
async function purgeEnded(tx: Tx, { clock, batch = BATCH }: PurgeDeps, before: number) {
  await purgeGrants(tx, before)
  const now = clock.now()
  const gone = (await purgeSignIns(tx, now, batch)) + (await purgeSignedIn(tx, now, batch))
  await forgetPushCounts(tx, now)
  await purgeOpenPages(tx, now - PAGE_SEEN_MS)
  await forgetFullLimits(tx, now)
  return { gone, last: gone >= batch ? ('q_' as const) : undefined }
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

/** Purges now and then every hour, until disposed; `report` is called with errors. */
export function keepPurging(deps: PurgeDeps, report: (error: unknown) => void): AsyncDisposable {
  const closing = new AbortController()
  const work = () => purgeOld(deps, closing.signal)
  const loop = repeatEvery(deps.clock, PURGE_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}
