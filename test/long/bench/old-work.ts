import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import { callbacks } from '../../../src/ask/callbacks/model/table.ts'
import { deliveries } from '../../../src/ask/delivery/model/table.ts'
import { listOverdue } from '../../../src/ask/questions/model/store.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { DATABASE_FILE } from '../../../src/platform/db/find-database.ts'
import { isDue, readBacklog } from '../../../src/platform/db/outbox-store.ts'
import { openReader } from '../../../src/platform/db/sqlite.ts'

const LOOKS = 500
const FORGET = 200
const DAY_MS = 24 * 60 * 60_000

/** What one thing took, in milliseconds: on the clock, and of the server's own time where it is known. */
export type Took = { ms: number; cpuMs?: number }

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

/**
 * Milliseconds for each row that the hourly purge takes away: so many questions and what came with
 * them, which are as many rows however close together they were asked.
 */
export async function forget(folder: string): Promise<Took> {
  await using db = openDataFolder(folder)
  const oldest = await db.read
    .select({ endedAt: questions.endedAt })
    .from(questions)
    .orderBy(asc(questions.id))
    .limit(3 * FORGET)
  const ended = oldest.flatMap(({ endedAt }) => endedAt ?? []).sort((a, b) => a - b)
  const retentionDays = (clock.now() - (ended[FORGET] ?? 0)) / DAY_MS
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const gone = await purgeOld({ db, clock, holder: 'bench', retentionDays })
  const { user, system } = process.cpuUsage(cpuBefore)
  if (gone < FORGET) throw new Error(`only ${gone} rows were forgotten`)
  const ms = performance.now() - startedAt
  return { ms: ms / gone, cpuMs: (user + system) / 1_000 / gone }
}
