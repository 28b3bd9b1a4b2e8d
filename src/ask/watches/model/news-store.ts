import { and, asc, desc, gt, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { watchNews } from './table.ts'
import type { News } from './watched-catalog.ts'

export type NoticedNews = { number: number; item: News }

/** The number of the newest news; 0 before the first. */
export async function lastNumber(read: Read): Promise<number> {
  const [row] = await read
    .select({ number: watchNews.number })
    .from(watchNews)
    .orderBy(desc(watchNews.number))
    .limit(1)
  return row?.number ?? 0
}

/** The newest item of every subject. */
export async function readNoticed(read: Read): Promise<Map<string, News>> {
  const rows = await read
    .select({ subject: watchNews.subject, item: watchNews.item })
    .from(watchNews)
  return new Map(rows.map(({ subject, item }) => [subject, item]))
}

/** Notes items that are new, in their order; each gets a number of its own. */
export async function noteItems(tx: Tx, items: readonly News[], now: number): Promise<void> {
  let number = await lastNumber(tx)
  for (const item of items) {
    number++
    const row = { number, item, noticedAt: now }
    await tx
      .insert(watchNews)
      .values({ subject: item.subject, ...row })
      .onConflictDoUpdate({ target: watchNews.subject, set: row })
  }
}

/** The news after a number, oldest first. */
export async function readNewsAfter(read: Read, number: number): Promise<NoticedNews[]> {
  return await read
    .select({ number: watchNews.number, item: watchNews.item })
    .from(watchNews)
    .where(gt(watchNews.number, number))
    .orderBy(asc(watchNews.number))
}

/** The subjects that were noticed before an instant, without the newest of all. */
export async function listOldSubjects(read: Read, before: number): Promise<string[]> {
  const last = await lastNumber(read)
  const rows = await read
    .select({ subject: watchNews.subject })
    .from(watchNews)
    .where(and(lt(watchNews.noticedAt, before), lt(watchNews.number, last)))
  return rows.map(({ subject }) => subject)
}

const AT_ONCE = 500

export async function deleteNews(tx: Tx, subjects: readonly string[]): Promise<void> {
  for (let at = 0; at < subjects.length; at += AT_ONCE) {
    await tx.delete(watchNews).where(inArray(watchNews.subject, subjects.slice(at, at + AT_ONCE)))
  }
}
