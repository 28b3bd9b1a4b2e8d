import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { runInSteps } from '../../platform/run-in-steps.ts'
import { gradingSteps } from '../grading/grade.ts'
import { type PublishedCatalog, readPublished } from '../publishing/read-published.ts'
import { addGrades, latestRevision, type NewGrade } from '../publishing/store.ts'
import { putTime, readTimes } from './probe-store.ts'
import { readLive } from './read-live.ts'

const DAY_MS = 86_400_000
// Stored with the times of probes, so that it survives a restart.
const GRADED = 'grade'

/**
 * Adds to the history of each tool whose grade differs from the last entry, because a measurement
 * closed a gate or counted for the first time, or because a day came. At most once in 24 hours for
 * each tool, so that brief changes are one entry. Resolves to the number of entries added.
 */
export async function recordGrades({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const published = await readPublished(db.read)
  if (!published) return 0
  const now = clock.now()
  const rested = new Set(
    (await readTimes(db.read))
      .filter(({ probe, ranAt }) => probe === GRADED && Math.abs(now - ranAt) < DAY_MS)
      .map(({ slug }) => slug),
  )
  const moved = (await movedGrades(db, published, now)).filter(({ slug }) => !rested.has(slug))
  if (moved.length === 0) return 0
  const { sequence } = published.revision
  return await db.write(async (tx) => {
    await tx.lock('catalog')
    if ((await latestRevision(tx))?.sequence !== sequence) return 0
    await addGrades(tx, moved, sequence)
    for (const { slug } of moved) {
      await putTime(tx, { slug, probe: GRADED, ranAt: now, dueAt: now + DAY_MS })
    }
    return moved.length
  })
}

async function movedGrades(db: Db, published: PublishedCatalog, now: number): Promise<NewGrade[]> {
  const { source, history } = published
  const live = await readLive(db.read, now)
  const today = new Date(now).toISOString().slice(0, 10)
  const gradings = await runInSteps(gradingSteps(source, live, today, history))
  return [...gradings].flatMap(([slug, { catalog }]) => {
    const previous = history.get(slug) ?? []
    const item = catalog.history[previous.length]
    return item ? [{ slug, place: previous.length, item }] : []
  })
}
