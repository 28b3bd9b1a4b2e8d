import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  deleteNews,
  lastNumber,
  listOldSubjects,
  noteItems,
  readNoticed,
} from './model/news-store.ts'
import type { News, PublishedNews } from './model/watched-catalog.ts'

// Twice as long as the catalog lists news: what it no longer lists is not told again.
const FORGET_MS = 120 * 24 * 60 * 60_000

/** Notes what is new, oldest first; resolves to the number of the newest. */
export async function noticeNews(
  { db, clock }: { db: Db; clock: Clock },
  { news }: Pick<PublishedNews, 'news'>,
): Promise<number> {
  const now = clock.now()
  const inTime = news.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const isNew = (noticed: ReadonlyMap<string, News>) =>
    inTime.filter((item) => isLater(noticed.get(item.subject), item))
  if (isNew(await readNoticed(db.read)).length > 0) {
    await db.write(async (tx) => {
      await tx.lock('watch news')
      await noteItems(tx, isNew(await readNoticed(tx)), now)
    })
  }
  const listed = new Set(news.map(({ subject }) => subject))
  const old = await listOldSubjects(db.read, now - FORGET_MS)
  const gone = old.filter((subject) => !listed.has(subject))
  if (gone.length > 0) await db.write((tx) => deleteNews(tx, gone))
  return await lastNumber(db.read)
}

/** A process whose catalog is a moment behind must not bring back what was replaced. */
function isLater(noticed: News | undefined, { id, at }: News): boolean {
  if (noticed === undefined) return true
  return noticed.id !== id && Date.parse(noticed.at) <= Date.parse(at)
}
