import type { Read } from '../../platform/db/database.ts'
import { dayBeforeSpeeds, type SpeedHistory, speedHistory } from '../facts/answers/speed-history.ts'
import { measuredSlugs } from './fact-store.ts'
import { readSpeedDays } from './probe-store.ts'

// Few enough not to block other work of the server.
const TOOLS_AT_ONCE = 20

/** The daily response times of all tools that ever answered, by slug. Reads a few tools at a time. */
export async function readSpeeds(
  read: Read,
  today: string,
): Promise<ReadonlyMap<string, SpeedHistory>> {
  const speeds = new Map<string, SpeedHistory>()
  const slugs = await measuredSlugs(read)
  for (let from = 0; from < slugs.length; from += TOOLS_AT_ONCE) {
    const days = await readSpeedDays(
      read,
      slugs.slice(from, from + TOOLS_AT_ONCE),
      dayBeforeSpeeds(today),
    )
    for (const [slug, own] of Map.groupBy(days, (day) => day.slug)) {
      speeds.set(slug, speedHistory(own, today))
    }
    await Bun.sleep(0)
  }
  return speeds
}
