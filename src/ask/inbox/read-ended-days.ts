import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { calendarDay, dayAfter, dayStart, daysUntil } from '../pages/times.ts'
import { addTimes, nothing, type Tally, tallyOf, timeWithin } from '../questions/model/tally.ts'
import { findTallied, listEndedAfter, listTallies } from '../questions/model/tally-store.ts'

type Counts = Pick<Tally, 'byPerson' | 'byRule' | 'unanswered' | 'withdrawn'> & {
  /** Half of the answers of people came within this time, in milliseconds. */
  median: number | undefined
  /** Nine of ten came within this time. */
  p90: number | undefined
}

/** How the questions that ended on one day ended; `day` is like `2026-11-23`. */
export type EndedDay = Counts & { day: string }

export type EndedDays = {
  /** Every day, the earliest first. */
  days: EndedDay[]
  total: Counts
  /** The time zone of the days. */
  zone: string
  /** There is so much to count that some of it is still missing. */
  counting: boolean
}

const DAYS = 30
const DAY_MS = 24 * 60 * 60_000
// Questions that ended since the last count are read row by row, up to this many.
const UNCOUNTED_MAX = 5_000

/**
 * How questions ended in the last 30 days of `zone`, by the day they ended, in the workspace or one
 * repository. Reads counts, never more than 3,000 rows of them, and what ended since they were made.
 */
export async function readEndedDays(
  { db, clock }: { db: Db; clock: Clock },
  of: { viewer: Viewer; repoKey?: string | undefined },
  zone: string,
): Promise<EndedDays> {
  const now = clock.now()
  const { viewer, repoKey = '' } = of
  const { workspaceId } = viewer
  const from = now - (DAYS + 1) * DAY_MS
  // The counts are of the whole workspace.
  const tallied = viewer.sees ? from : await findTallied(db.read, workspaceId)
  const until = Math.max(from, tallied ?? 0)
  const page = { before: now + 1, limit: UNCOUNTED_MAX + 1 }
  const [counted, since] = await Promise.all([
    viewer.sees ? NO_DAYS : countedDays(db, { workspaceId, repoKey, zone }, from, until),
    listEndedAfter(db.read, viewer, { at: until }, page),
  ])
  const fresh = tallyOf(workspaceId, since.slice(0, UNCOUNTED_MAX))
  const uncounted = byDayOf(
    fresh.filter((one) => one.repoKey === repoKey),
    zone,
  )
  const all = nothing()
  const days = daysUntil(calendarDay(now, zone), DAYS).map((day) => {
    const [finished = NO_DAY, more] = [counted.get(day), uncounted.get(day)]
    add(all, finished.sums)
    if (!more) return { day, ...finished.counts }
    add(all, more)
    const sums = nothing()
    for (const part of [finished.sums, more]) add(sums, part)
    return { day, ...countsOf(sums) }
  })
  return { days, total: countsOf(all), zone, counting: since.length > UNCOUNTED_MAX }
}

type Of = { workspaceId: WorkspaceId; repoKey: string; zone: string }
type Day = { sums: Sums; counts: Counts }
type Days = ReadonlyMap<string, Day>

// Adding up a month takes most of the time of the page that shows it.
const cache = new WeakMap<Db, Map<string, { until: number; days: Days }>>()
const KEPT_MAX = 100

/** The counts by day. Counts from before `until` never change, so their sums are kept for it. */
async function countedDays(db: Db, of: Of, from: number, until: number): Promise<Days> {
  const entries = cache.getOrInsertComputed(db, () => new Map())
  const key = JSON.stringify([of.workspaceId, of.repoKey, of.zone])
  const entry = entries.get(key)
  if (entry?.until === until) return entry.days
  const counts = await listTallies(db.read, of, from)
  // More may have been counted since `until` was read.
  const sums = byDayOf(
    counts.filter(({ at }) => at < until),
    of.zone,
  )
  const days = new Map([...sums].map(([day, one]) => [day, { sums: one, counts: countsOf(one) }]))
  entries.delete(key)
  entries.set(key, { until, days })
  const [oldest] = entries.keys()
  if (entries.size > KEPT_MAX && oldest !== undefined) entries.delete(oldest)
  return days
}

function byDayOf(tallies: readonly Tally[], zone: string): Map<string, Sums> {
  const days = new Map<string, Sums>()
  const dayOf = daysIn(zone)
  for (const tally of tallies) add(days.getOrInsertComputed(dayOf(tally.at), nothing), tally)
  return days
}

/**
 * `calendarDay` for instants in ascending order: the calendar is read a few times for each day, not
 * for each of its 96 quarters of an hour.
 */
function daysIn(zone: string): (at: number) => string {
  let day = ''
  let end = 0
  return (at) => {
    if (at >= end) {
      day = calendarDay(at, zone)
      end = dayStart(dayAfter(day), zone)
    }
    return day
  }
}

type Sums = ReturnType<typeof nothing>

function add(to: Sums, more: Sums): void {
  to.byPerson += more.byPerson
  to.byRule += more.byRule
  to.unanswered += more.unanswered
  to.withdrawn += more.withdrawn
  addTimes(to.times, more.times)
}

function countsOf({ times, ...counts }: Sums): Counts {
  return { ...counts, median: timeWithin(times, 0.5), p90: timeWithin(times, 0.9) }
}

const NO_DAYS: Days = new Map()
const NO_DAY: Day = { sums: nothing(), counts: countsOf(nothing()) }
