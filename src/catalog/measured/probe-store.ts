import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { ProbeDay, ProbeResult } from '../facts/fact.ts'
import { catalogProbeDays, catalogProbeResults, catalogProbeTimes } from './table.ts'

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
  await tx
    .insert(catalogProbeDays)
    .values({ slug: result.slug, date: counted.date, probes: 1, ok })
    .onConflictDoUpdate({
      target: [catalogProbeDays.slug, catalogProbeDays.date],
      set: {
        probes: sql<number>`${catalogProbeDays.probes} + 1`.mapWith(Number),
        ok: sql<number>`${catalogProbeDays.ok} + ${ok}`.mapWith(Number),
      },
    })
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
  const { date } = catalogProbeDays
  return await read
    .select()
    .from(catalogProbeDays)
    .where(and(eq(catalogProbeDays.slug, slug), gt(date, after)))
    .orderBy(asc(date))
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
