import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { FoundFact } from '../facts/fact.ts'
import { catalogToolDefinitions } from '../history/table.ts'
import { canonicalJson } from '../records/canonical.ts'
import { catalogFacts, catalogProbeDays, catalogProbeResults, catalogProbeTimes } from './table.ts'

export type StoredFact = typeof catalogFacts.$inferSelect

/**
 * Stores the newest value of each subject: `seenAt` never changes, `changedAt` moves only if the
 * value differs (ignoring the order of its keys), `checkedAt` is when it was read: `now` unless the
 * fact says otherwise. A value older than the stored one is ignored.
 */
export async function putFacts(
  tx: Tx,
  slug: string,
  facts: readonly FoundFact[],
  now: number,
): Promise<void> {
  for (const { subject, value, at = now } of facts) {
    const where = and(eq(catalogFacts.slug, slug), eq(catalogFacts.subject, subject))
    const [existing] = await tx.select().from(catalogFacts).where(where)
    if (!existing) {
      const fact = { slug, subject, value, seenAt: at, changedAt: at, checkedAt: at }
      await tx.insert(catalogFacts).values(fact)
      continue
    }
    if (at < existing.checkedAt && at < now) continue
    const isSame = canonicalJson(existing.value) === canonicalJson(value)
    const changed = isSame ? {} : { value, changedAt: at }
    await tx
      .update(catalogFacts)
      .set({ ...changed, checkedAt: at })
      .where(where)
  }
}

/** The newest value of each subject of one tool, of some or of all, by slug and subject. */
export async function readFacts(
  read: Read,
  of?: string | readonly string[],
): Promise<StoredFact[]> {
  const slugs = typeof of === 'string' ? [of] : of
  return await read
    .select()
    .from(catalogFacts)
    .where(slugs && inArray(catalogFacts.slug, [...slugs]))
    .orderBy(asc(catalogFacts.slug), asc(catalogFacts.subject))
}

/** Every tool with measurements, in order. */
export async function measuredSlugs(read: Read): Promise<string[]> {
  const [facts, times] = [catalogFacts, catalogProbeTimes]
  const all = [
    ...(await read.selectDistinct({ slug: facts.slug }).from(facts)),
    ...(await read.selectDistinct({ slug: times.slug }).from(times)),
  ]
  return [...new Set(all.map(({ slug }) => slug))].sort()
}

const MEASURED = [
  catalogFacts,
  catalogProbeResults,
  catalogProbeDays,
  catalogProbeTimes,
  catalogToolDefinitions,
]

/**
 * Deletes the facts of a tool that is no longer in the catalog; its history, prices and drafts stay
 * on record.
 */
export async function forgetTool(tx: Tx, slug: string): Promise<void> {
  for (const table of MEASURED) {
    await tx.delete(table).where(eq(table.slug, slug))
  }
}

/** Deletes facts that were last read before an instant. */
export async function dropStaleFacts(tx: Tx, before: number): Promise<void> {
  await tx.delete(catalogFacts).where(lt(catalogFacts.checkedAt, before))
}
