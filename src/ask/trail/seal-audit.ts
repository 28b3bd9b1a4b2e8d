import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { loadServerKey, readServerKey } from '../../platform/db/server-key.ts'
import { letOthersRun, type Rest, repeatEvery, restBetween } from '../../platform/repeat.ts'
import type { SignKey } from '../../platform/signing/ed25519.ts'
import { lockChain, nextLink } from '../audit/model/chain.ts'
import { FACT_KINDS, factDigest } from '../audit/model/fact.ts'
import { rowDigest, type Seal, signSeal } from '../audit/model/seal.ts'
import {
  addSeal,
  deleteSealsBefore,
  firstSealSince,
  lastCheckpoint,
  lastSeal,
  listUnsealed,
} from '../audit/model/seal-store.ts'
import { FACT_SOURCES } from './facts.ts'

export type SealDeps = {
  db: Db
  clock: Clock
  /** Names this process: if several share a database, one of them seals. */
  holder: string
  /** Rows, and facts, sealed in one transaction. */
  batch?: number
  rest?: Rest
}

const LEASE = 'seal-audit'
const LEASE_MS = 2 * 60_000
const SEAL_EVERY_MS = 10_000
// Small enough that a question asked meanwhile waits for a few milliseconds at most.
const BATCH = 50

/**
 * Seals what is not sealed yet: the rows of the audit trail, and what happened to questions,
 * notifications and messages. Their digests are chained to those before and signed. Each batch is
 * complete in itself. Resolves to how many rows and facts were sealed.
 */
export async function sealAudit(deps: SealDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, holder, batch = BATCH, rest = letOthersRun } = deps
  // Usually there is nothing to seal, and then nothing is written.
  if (!(await isAnyUnsealed(db.read))) return 0
  const key = await loadServerKey(deps)
  let sealed = 0
  while (!signal?.aborted) {
    const now = clock.now()
    const began = performance.now()
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    const done = await db.write(async (tx) =>
      (await takeLease(tx, lease)) ? await sealBatch(tx, key, now, batch) : NOTHING,
    )
    sealed += done.rows + done.facts
    if (done.rows < batch && done.facts < batch) break
    await rest(performance.now() - began)
  }
  return sealed
}

const NOTHING = { rows: 0, facts: 0 }

async function isAnyUnsealed(read: Read): Promise<boolean> {
  if ((await listUnsealed(read, 1)).length > 0) return true
  return (await unsealedFacts(read, 1)).length > 0
}

async function sealBatch(tx: Tx, key: SignKey, now: number, batch: number) {
  await lockChain(tx)
  const records = await listUnsealed(tx, batch)
  const facts = await unsealedFacts(tx, batch)
  if (records.length === 0 && facts.length === 0) return NOTHING
  const rows = records.map((row): Seal['rows'][number] => [row.id, row.at, rowDigest(row)])
  const link = await nextLink(tx, now)
  const seal: Seal = { ...link, rows, ...(facts.length > 0 && { facts: facts.map(sealedAs) }) }
  const ids = records.map(({ id }) => id)
  await addSeal(tx, signSeal(seal, key), ids)
  for (const [kind, some] of Map.groupBy(facts, (fact) => fact.kind)) {
    const marked = some.map(({ id }) => id)
    await FACT_SOURCES[kind].marks.mark(tx, marked, seal.seq)
  }
  return { rows: rows.length, facts: facts.length }
}

type SealedAs = NonNullable<Seal['facts']>[number]

function sealedAs(fact: Parameters<typeof factDigest>[0]): SealedAs {
  return [fact.kind, fact.id, fact.at, fact.subjectId, factDigest(fact)]
}

async function unsealedFacts(read: Read, limit: number) {
  const facts = []
  for (const kind of FACT_KINDS) {
    if (facts.length === limit) break
    facts.push(...(await FACT_SOURCES[kind].listUnsealed(read, limit - facts.length)))
  }
  return facts
}

/**
 * Records in a signed link that rows before `before` are removed on purpose; in the transaction
 * that removes them. Links that seal nothing later are removed, too.
 */
export async function sealPurge(
  tx: Tx,
  { now, before }: { now: number; before: number },
): Promise<void> {
  await lockChain(tx)
  const checkpoint = await lastCheckpoint(tx)
  if (!(await lastSeal(tx)) || (checkpoint?.purgedBefore ?? -1) >= before) return
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
  const rest = restBetween()
  const work = () => sealAudit({ rest, ...deps }, closing.signal)
  const loop = repeatEvery(deps.clock, SEAL_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}
