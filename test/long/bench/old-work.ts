import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import { callbacks } from '../../../src/ask/callbacks/model/table.ts'
import { deliveries } from '../../../src/ask/delivery/model/table.ts'
import { purgeOld } from '../../../src/ask/health/purge-old.ts'
import { listOverdue } from '../../../src/ask/questions/model/store.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { DATABASE_FILE, openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { isDue, readBacklog } from '../../../src/platform/db/outbox-store.ts'
import { openReader } from '../../../src/platform/db/sqlite.ts'

const LOOKS = 500
const FORGET = 200
const DAY_MS = 24 * 60 * 60_000

/** Milliseconds for what a server looks for every second: deadlines, deliveries, callbacks. */
export async function lookAround(folder: string): Promise<{ ms: number }> {
  using database = openReader(join(folder, DATABASE_FILE))
  const { read } = database
  const startedAt = performance.now()
  for (let i = 0; i < LOOKS; i++) {
    const now = clock.now()
    await listOverdue(read, now, 500)
    await isDue(read, deliveries, now)
    await isDue(read, callbacks, now)
    await readBacklog(read, deliveries)
  }
  return { ms: (performance.now() - startedAt) / LOOKS }
}

/** Milliseconds for each row that the hourly purge takes away, a few hundred questions' worth. */
export async function forget(folder: string): Promise<{ ms: number }> {
  await using db = openDataFolder(folder)
  const [before] = await db.read
    .select({ at: questions.createdAt })
    .from(questions)
    .orderBy(asc(questions.id))
    .limit(1)
    .offset(FORGET)
  const retentionDays = (clock.now() - (before?.at ?? 0)) / DAY_MS
  const startedAt = performance.now()
  const gone = await purgeOld({ db, clock, holder: 'bench', retentionDays })
  if (gone < FORGET / 2) throw new Error(`only ${gone} rows were forgotten`)
  return { ms: (performance.now() - startedAt) / gone }
}
