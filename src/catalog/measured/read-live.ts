import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import type { FactHistory, FactModule } from '../facts/fact.ts'
import { FACTS, rowsOfFact } from '../facts/facts.ts'
import { canonicalJson } from '../records/canonical.ts'
import { type Live, type LiveBySlug, notMeasured } from '../records/live.ts'
import { measuredSlugs, readFacts, type StoredFact } from './fact-store.ts'
import { readPrices } from './price-store.ts'
import { readDays, readLastResult, readResults } from './probe-store.ts'

// Few enough not to block other work of the server.
const TOOLS_AT_ONCE = 20

/** All measurements as they are served, by slug. Reads a few tools at a time. */
export async function readLive(
  read: Read,
  now: number,
  facts: readonly FactModule[] = FACTS,
): Promise<LiveBySlug> {
  const all = new Map<string, Live>()
  const slugs = await measuredSlugs(read)
  for (let from = 0; from < slugs.length; from += TOOLS_AT_ONCE) {
    const some = slugs.slice(from, from + TOOLS_AT_ONCE)
    const rows = Map.groupBy(await readFacts(read, some), ({ slug }) => slug)
    for (const slug of some) {
      const live = await liveOf(historyReaders(read, slug, now), slug, rows.get(slug) ?? [], facts)
      if (live) all.set(slug, live)
    }
    await Bun.sleep(0)
  }
  return all
}

async function liveOf(
  history: FactHistory,
  slug: string,
  rows: readonly StoredFact[],
  facts: readonly FactModule[],
): Promise<Live | undefined> {
  if (rows.length === 0) return undefined
  const { updatedAt: _, ...live } = notMeasured(slug)
  for (const fact of facts) Object.assign(live, await fact.read(rowsOfFact(fact, rows), history))
  const times = rows.map(({ checkedAt }) => isoTime(checkedAt))
  return { ...live, updatedAt: times.sort().at(-1) ?? null }
}

function historyReaders(read: Read, slug: string, now: number): FactHistory {
  return {
    now,
    prices: () => readPrices(read, slug),
    results: (after) => readResults(read, slug, after),
    lastResult: () => readLastResult(read, slug),
    days: (after) => readDays(read, slug, after),
  }
}

/**
 * Reads the measurements, and returns the same map as before if nothing in it changed, so that what
 * is built from it stays the same.
 */
export function liveReader(deps: { db: { read: Read }; clock: Clock }): () => Promise<LiveBySlug> {
  let current: LiveBySlug = new Map()
  return async () => {
    const next = await readLive(deps.db.read, deps.clock.now())
    if (!(await isSame(current, next))) current = next
    return current
  }
}

async function isSame(a: LiveBySlug, b: LiveBySlug): Promise<boolean> {
  if (a.size !== b.size) return false
  for (const [slug, live] of b) {
    const before = a.get(slug)
    if (!before || canonicalJson(before) !== canonicalJson(live)) return false
    await Bun.sleep(0)
  }
  return true
}
