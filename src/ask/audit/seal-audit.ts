import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { loadServerKey, readServerKey } from '../../platform/db/server-key.ts'
import type { SignKey } from '../../platform/ed25519.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { hashOf, rowDigest, type Seal, signSeal } from './model/seal.ts'
import {
  addSeal,
  deleteSealsBefore,
  firstSealSince,
  lastCheckpoint,
  lastSeal,
  listUnsealed,
} from './model/seal-store.ts'

export type SealDeps = {
  db: Db
  clock: Clock
  /** Names this process: of several on one database, one seals. */
  holder: string
  /** Rows sealed in one transaction. */
  batch?: number
}

const LEASE = 'seal-audit'
const LEASE_MS = 2 * 60_000
const SEAL_EVERY_MS = 10_000
// Small enough that a question asked meanwhile waits for a few milliseconds at most.
const BATCH = 200

/**
 * Seals the rows of the audit trail that are not sealed yet: their digests, chained to those
 * before and signed. Each batch is complete in itself. Resolves to how many rows were sealed.
 */
export async function sealAudit(deps: SealDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, holder, batch = BATCH } = deps
  // Mostly there is nothing to do, and nothing is written then.
  if ((await listUnsealed(db.read, 1)).length === 0) return 0
  const key = await loadServerKey(deps)
  let sealed = 0
  while (!signal?.aborted) {
    const now = clock.now()
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    const done = await db.write(async (tx) =>
      (await takeLease(tx, lease)) ? await sealBatch(tx, key, now, batch) : 0,
    )
    sealed += done
    if (done < batch) break
  }
  return sealed
}

async function sealBatch(tx: Tx, key: SignKey, now: number, batch: number): Promise<number> {
  await tx.lock(LEASE)
  const found = await listUnsealed(tx, batch)
  if (found.length === 0) return 0
  const rows = found.map((row): Seal['rows'][number] => [row.id, row.at, rowDigest(row)])
  const link = { ...(await nextLink(tx, now)), rows }
  await addSeal(
    tx,
    signSeal(link, key),
    found.map(({ id }) => id),
  )
  return found.length
}

async function nextLink(tx: Tx, now: number) {
  const last = await lastSeal(tx)
  return { seq: (last?.seq ?? 0) + 1, sealedAt: now, previous: last ? hashOf(last) : null }
}

/**
 * Says, signed and in the chain, that rows before `before` are removed on purpose; in the
 * transaction that removes them. Links that seal nothing later are removed, too.
 */
export async function sealPurge(
  tx: Tx,
  { now, before }: { now: number; before: number },
): Promise<void> {
  await tx.lock(LEASE)
  const known = await lastCheckpoint(tx)
  if (!(await lastSeal(tx)) || (known?.purgedBefore ?? -1) >= before) return
  const key = await readServerKey(tx)
  if (!key) return
  const link = await nextLink(tx, now)
  const first = (await firstSealSince(tx, before)) ?? link.seq
  await addSeal(tx, signSeal({ ...link, rows: [], purged: { before, first } }, key), [])
  await deleteSealsBefore(tx, first)
}

/** Seals now and then every ten seconds, until disposed; `report` is called with errors. */
export function keepSealing(deps: SealDeps, report: (error: unknown) => void): AsyncDisposable {
  const closing = new AbortController()
  const work = () => sealAudit(deps, closing.signal)
  const loop = repeatEvery(deps.clock, SEAL_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}
