import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import { isUp, percentile } from '../facts/answers/fact.ts'
import type { ProbeDay, ProbeResult, SpeedDay } from '../facts/fact.ts'
import { catalogProbeDays, catalogProbeResults, catalogProbeTimes } from './table.ts'

const DAY_MS = 86_400_000

/** The probes of a month, `YYYY-MM`. */
export type ProbeMonth = { slug: string; month: string; probes: number; ok: number }

export type ProbeTime = typeof catalogProbeTimes.$inferSelect

/** Stores one probe, and counts it on its day unless it says nothing (`counted` is undefined). */
export async function addResult(
  tx: Tx,
  result: ProbeResult,
  counted: { date: string; ok: boolean } | undefined,
): Promise<void> {
  const added = await tx
    .insert(catalogProbeResults)
    .values(result)
    .onConflictDoNothing()
    .returning({ slug: catalogProbeResults.slug })
  if (added.length === 0 || !counted) return
  const ok = counted.ok ? 1 : 0
  const speed = await speedOfDay(tx, result.slug, counted.date)
  await tx
    .insert(catalogProbeDays)
    .values({ slug: result.slug, date: counted.date, probes: 1, ok, ...speed })
    .onConflictDoUpdate({
      target: [catalogProbeDays.slug, catalogProbeDays.date],
      set: {
        probes: sql<number>`${catalogProbeDays.probes} + 1`.mapWith(Number),
        ok: sql<number>`${catalogProbeDays.ok} + ${ok}`.mapWith(Number),
        ...speed,
      },
    })
}

/** The response times of a day, exact, of the probes that were answered. */
async function speedOfDay(tx: Tx, slug: string, date: string) {
  const { at } = catalogProbeResults
  const start = Date.parse(date)
  const results = await tx
    .select({ ms: catalogProbeResults.ms, outcome: catalogProbeResults.outcome })
    .from(catalogProbeResults)
    .where(and(eq(catalogProbeResults.slug, slug), gte(at, start), lt(at, start + DAY_MS)))
  const times = results.flatMap(({ ms, outcome }) => (ms !== null && isUp(outcome) ? ms : []))
  return { p50ms: percentile(times, 0.5), p95ms: percentile(times, 0.95) }
}

/** The probes of a tool after `after`, oldest first. */
export async function readResults(read: Read, slug: string, after: number): Promise<ProbeResult[]> {
  const { at } = catalogProbeResults
  return await read
    .select()
    .from(catalogProbeResults)
    .where(and(eq(catalogProbeResults.slug, slug), gt(at, after)))
    .orderBy(asc(at))
}

export async function readLastResult(read: Read, slug: string): Promise<ProbeResult | undefined> {
  const [row] = await read
    .select()
    .from(catalogProbeResults)
    .where(eq(catalogProbeResults.slug, slug))
    .orderBy(desc(catalogProbeResults.at))
    .limit(1)
  return row
}

/** The days of a tool after the day `after`, oldest first. */
export async function readDays(read: Read, slug: string, after: string): Promise<ProbeDay[]> {
  const { date, probes, ok } = catalogProbeDays
  return await read
    .select({ slug: catalogProbeDays.slug, date, probes, ok })
    .from(catalogProbeDays)
    .where(and(eq(catalogProbeDays.slug, slug), gt(date, after)))
    .orderBy(asc(date))
}

/** The days after the day `after` on which tools answered, of some tools, oldest first. */
export async function readSpeedDays(
  read: Read,
  slugs: readonly string[],
  after: string,
): Promise<SpeedDay[]> {
  const { slug, date, p50ms, p95ms } = catalogProbeDays
  const rows = await read
    .select({ slug, date, p50ms, p95ms })
    .from(catalogProbeDays)
    .where(and(inArray(slug, [...slugs]), gt(date, after), isNotNull(p50ms)))
    .orderBy(asc(slug), asc(date))
  return rows.map((row) => ({ ...row, p50ms: row.p50ms ?? 0, p95ms: row.p95ms ?? 0 }))
}

/** The probes of some tools by month, oldest first. */
export async function readMonths(read: Read, slugs: readonly string[]): Promise<ProbeMonth[]> {
  const { slug, date, probes, ok } = catalogProbeDays
  const month = sql<string>`substr(${date}, 1, 7)`
  return await read
    .select({
      slug,
      month: month.as('month'),
      probes: sql<number>`sum(${probes})`.mapWith(Number),
      ok: sql<number>`sum(${ok})`.mapWith(Number),
    })
    .from(catalogProbeDays)
    .where(inArray(slug, [...slugs]))
    .groupBy(slug, month)
    .orderBy(asc(slug), asc(month))
}

/** Measurements of an earlier address say nothing about the current one. */
export async function dropResults(tx: Tx, slug: string): Promise<void> {
  await tx.delete(catalogProbeResults).where(eq(catalogProbeResults.slug, slug))
  await tx.delete(catalogProbeDays).where(eq(catalogProbeDays.slug, slug))
}

/** Deletes probes before an instant and days before a day. Resolves to how many. */
export async function purgeResults(tx: Tx, before: number, beforeDay: string): Promise<number> {
  const results = await tx
    .delete(catalogProbeResults)
    .where(lt(catalogProbeResults.at, before))
    .returning({ slug: catalogProbeResults.slug })
  const days = await tx
    .delete(catalogProbeDays)
    .where(lt(catalogProbeDays.date, beforeDay))
    .returning({ slug: catalogProbeDays.slug })
  return results.length + days.length
}

/** When each probe of each tool is due. */
export async function readTimes(read: Read): Promise<ProbeTime[]> {
  return await read
    .select()
    .from(catalogProbeTimes)
    .orderBy(asc(catalogProbeTimes.slug), asc(catalogProbeTimes.probe))
}

export async function putTime(tx: Tx, time: ProbeTime): Promise<void> {
  const { ranAt, dueAt } = time
  await tx
    .insert(catalogProbeTimes)
    .values(time)
    .onConflictDoUpdate({
      target: [catalogProbeTimes.slug, catalogProbeTimes.probe],
      set: { ranAt, dueAt },
    })
}
