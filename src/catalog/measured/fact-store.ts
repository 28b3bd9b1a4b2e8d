import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { FoundFact } from '../facts/fact.ts'
import { canonicalJson } from '../publishing/canonical.ts'
import { catalogFacts, catalogProbeDays, catalogProbeResults, catalogProbeTimes } from './table.ts'

export type StoredFact = typeof catalogFacts.$inferSelect

/**
 * Keeps the newest of each subject: `seenAt` stays what it was at first, `changedAt` moves only
 * when the value differs (the order of its keys is no difference), `checkedAt` is when it was read,
 * which is `now` unless the fact says so. What was read before the newest is not put.
 */
export async function putFacts(
  tx: Tx,
  slug: string,
  facts: readonly FoundFact[],
  now: number,
): Promise<void> {
  for (const { subject, value, at = now } of facts) {
    const where = and(eq(catalogFacts.slug, slug), eq(catalogFacts.subject, subject))
    const [known] = await tx.select().from(catalogFacts).where(where)
    if (!known) {
      const fact = { slug, subject, value, seenAt: at, changedAt: at, checkedAt: at }
      await tx.insert(catalogFacts).values(fact)
      continue
    }
    if (at < known.checkedAt && at < now) continue
    const isSame = canonicalJson(known.value) === canonicalJson(value)
    const changed = isSame ? {} : { value, changedAt: at }
    await tx
      .update(catalogFacts)
      .set({ ...changed, checkedAt: at })
      .where(where)
  }
}

/** The newest of each subject, of one tool, of some or of all, by slug and subject. */
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

/** For what a tool does not have any more: a package that was taken off, another address. */
export async function dropFacts(tx: Tx, slug: string, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return
  await tx
    .delete(catalogFacts)
    .where(and(eq(catalogFacts.slug, slug), inArray(catalogFacts.subject, [...subjects])))
}

/** Every tool that anything is known of, in order. */
export async function measuredSlugs(read: Read): Promise<string[]> {
  const [facts, times] = [catalogFacts, catalogProbeTimes]
  const all = [
    ...(await read.selectDistinct({ slug: facts.slug }).from(facts)),
    ...(await read.selectDistinct({ slug: times.slug }).from(times)),
  ]
  return [...new Set(all.map(({ slug }) => slug))].sort()
}

/** Forgets a tool that is no longer in the catalog; its prices and drafts stay on record. */
export async function forgetTool(tx: Tx, slug: string): Promise<void> {
  for (const table of [catalogFacts, catalogProbeResults, catalogProbeDays, catalogProbeTimes]) {
    await tx.delete(table).where(eq(table.slug, slug))
  }
}

/** Forgets facts that were last looked at before an instant. */
export async function dropStaleFacts(tx: Tx, before: number): Promise<void> {
  await tx.delete(catalogFacts).where(lt(catalogFacts.checkedAt, before))
}
