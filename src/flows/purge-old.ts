import { purgeSignIns } from '../accounts/purge-store.ts'
import { purgeAudit } from '../audit/store.ts'
import type { Db, Read, Tx } from '../db/database.ts'
import { dropLease, takeLease } from '../db/lease-store.ts'
import { deleteDeliveries, underWay } from '../delivery/purge-store.ts'
import type { Clock } from '../kernel/clock.ts'
import type { NotificationId, QuestionId } from '../kernel/ids.ts'
import { repeatEvery } from '../kernel/repeat.ts'
import { deleteNotifications, listOldNotifications } from '../notifications/purge-store.ts'
import { deleteQuestions, existingQuestions, listOldQuestions } from '../questions/purge-store.ts'
import { purgeHooks } from '../scopes/hook-store.ts'
import { deleteContracts } from '../scopes/store.ts'

type SubjectId = QuestionId | NotificationId

/** What hangs on questions and notifications, and goes with them. */
export type Attached = {
  /** Those of `ids` that something of this kind is still under way for: they stay. */
  underWay(read: Read, ids: readonly SubjectId[]): Promise<ReadonlySet<string>>
  remove(tx: Tx, ids: readonly SubjectId[]): Promise<void>
}

export type PurgeDeps = {
  db: Db
  clock: Clock
  /** Names this process: of several on one database, one purges. */
  holder: string
  retentionDays: number
  /** Rows removed in one transaction. */
  batch?: number
  /** Beside deliveries. */
  attached?: readonly Attached[]
}

const DAY_MS = 24 * 60 * 60 * 1_000
const PURGE_EVERY_MS = 60 * 60 * 1_000
// So few at once that a question that is asked meanwhile waits for milliseconds at most.
const BATCH = 200
const LEASE = 'purge'
// Many times what a batch takes; after that another process may go on.
const LEASE_MS = 2 * 60_000

const DELIVERIES: Attached = { underWay, remove: deleteDeliveries }
const CONTRACTS: Attached = {
  underWay: async () => new Set(),
  remove: (tx, ids) => deleteContracts(tx, ids as readonly QuestionId[]),
}
const ALWAYS = [DELIVERIES, CONTRACTS]

/**
 * Forgets what ended more than `retentionDays` ago: questions with their late answers,
 * notifications, their deliveries, contracts, rows of the audit trail, and hooks not heard of since;
 * and sign-ins and challenges that are no longer good.
 * What is open, or has something under way, stays until it is not. Each batch is whole by itself,
 * so that it may stop anywhere. Resolves to how many rows of all but what hangs on others went.
 */
export async function purgeOld(deps: PurgeDeps, signal?: AbortSignal): Promise<number> {
  const before = deps.clock.now() - deps.retentionDays * DAY_MS
  let gone = 0
  for (const purge of [
    purgeQuestions,
    purgeNotifications,
    purgeTrail,
    purgeSeenHooks,
    purgeEnded,
  ]) {
    let after: SubjectId | undefined
    do {
      if (signal?.aborted) return gone
      const batch: Batch | undefined = await inTurn(deps, (tx) => purge(tx, deps, before, after))
      if (!batch) return gone
      gone += batch.gone
      after = batch.last
    } while (after !== undefined)
  }
  await deps.db.write((tx) => dropLease(tx, LEASE, deps.holder))
  return gone
}

/** `last`: where the next batch goes on; undefined when there is none. */
type Batch = { gone: number; last: SubjectId | undefined }

/** One batch while the job is ours; undefined when it is another's. */
function inTurn(
  { db, clock, holder }: PurgeDeps,
  work: (tx: Tx) => Promise<Batch>,
): Promise<Batch | undefined> {
  const now = clock.now()
  const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
  return db.write(async (tx) => ((await takeLease(tx, lease)) ? work(tx) : undefined))
}

async function purgeQuestions(tx: Tx, deps: PurgeDeps, before: number, after?: SubjectId) {
  const page = { before, after: after as QuestionId | undefined, limit: deps.batch ?? BATCH }
  const old = await listOldQuestions(tx, page)
  const idle = await withoutBusy(tx, deps, old)
  const gone = await deleteQuestions(tx, idle)
  await removeAttached(tx, deps, gone)
  return { gone: gone.length, last: lastOf(old, deps) }
}

async function purgeNotifications(tx: Tx, deps: PurgeDeps, before: number, after?: SubjectId) {
  const page = { before, after: after as NotificationId | undefined, limit: deps.batch ?? BATCH }
  const old = await listOldNotifications(tx, page)
  // A notification stays as long as the question in it.
  const asked = await existingQuestions(
    tx,
    old.flatMap(({ questionId }) => questionId ?? []),
  )
  const done = old.filter(({ questionId }) => !questionId || !asked.has(questionId))
  const gone = await withoutBusy(
    tx,
    deps,
    done.map(({ id }) => id),
  )
  await deleteNotifications(tx, gone)
  await removeAttached(tx, deps, gone)
  return {
    gone: gone.length,
    last: lastOf(
      old.map(({ id }) => id),
      deps,
    ),
  }
}

async function purgeTrail(tx: Tx, { batch = BATCH }: PurgeDeps, before: number): Promise<Batch> {
  const gone = await purgeAudit(tx, before, batch)
  return { gone, last: gone === batch ? 'q_' : undefined }
}

async function purgeSeenHooks(tx: Tx, { batch = BATCH }: PurgeDeps, before: number) {
  const gone = await purgeHooks(tx, before, batch)
  return { gone, last: gone >= batch ? ('q_' as const) : undefined }
}

/** What says itself until when it is good is not kept any longer. */
async function purgeEnded(tx: Tx, { clock, batch = BATCH }: PurgeDeps) {
  const gone = await purgeSignIns(tx, clock.now(), batch)
  return { gone, last: gone >= batch ? ('q_' as const) : undefined }
}

async function withoutBusy<I extends SubjectId>(tx: Tx, deps: PurgeDeps, ids: I[]): Promise<I[]> {
  let idle = ids
  for (const attached of [...ALWAYS, ...(deps.attached ?? [])]) {
    const busy = await attached.underWay(tx, idle)
    idle = idle.filter((id) => !busy.has(id))
  }
  return idle
}

async function removeAttached(tx: Tx, deps: PurgeDeps, ids: readonly SubjectId[]): Promise<void> {
  for (const attached of [...ALWAYS, ...(deps.attached ?? [])]) await attached.remove(tx, ids)
}

function lastOf(ids: readonly SubjectId[], { batch = BATCH }: PurgeDeps): SubjectId | undefined {
  return ids.length < batch ? undefined : ids.at(-1)
}

/** Purges now and from then on every hour, until disposed; `report` hears what went wrong. */
export function keepPurging(deps: PurgeDeps, report: (error: unknown) => void): AsyncDisposable {
  const closing = new AbortController()
  const work = () => purgeOld(deps, closing.signal)
  const loop = repeatEvery(deps.clock, PURGE_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
    },
  }
}
