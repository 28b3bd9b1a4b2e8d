import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { claimFeed, listDueFeeds, putReading } from './model/feed-store.ts'
import { readFeed } from './read-feed.ts'

export type ReadFeedsDeps = { db: Db; clock: Clock; outside: Pick<GuardedFetch, 'fetch'> }

const EVERY_MS = 15 * 60_000
// A calendar that was just set up is read soon.
const LOOK_EVERY_MS = 15_000
const AT_ONCE = 20

/** Reads each calendar every 15 minutes, one after the other. */
export function keepReadingFeeds(
  deps: ReadFeedsDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  const closing = new AbortController()
  const look = () => readDueFeeds(deps, closing.signal)
  const job = repeatEvery(deps.clock, LOOK_EVERY_MS, look, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await job[Symbol.asyncDispose]()
    },
  }
}

/** Reads the calendars that are due. Of several servers, one reads each. */
export async function readDueFeeds(
  { db, clock, outside }: ReadFeedsDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const feed of await listDueFeeds(db.read, clock.now() - EVERY_MS, AT_ONCE)) {
    if (signal.aborted) return
    const at = clock.now()
    const isOurs = await db.write((tx) => claimFeed(tx, feed, { at, before: at - EVERY_MS }))
    if (!isOurs) continue
    const reading = await readFeed(outside, feed, at, signal)
    if (reading) await db.write((tx) => putReading(tx, feed, reading, at))
  }
}
