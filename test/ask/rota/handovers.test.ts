import { describe, expect, test } from 'bun:test'
import { handoverOf, turnAt } from '../../../src/ask/rota/model/handovers.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000

// Two years each; Samoa left out the 30th of December 2011.
const ZONES = [
  ['Europe/Berlin', 2026],
  ['Africa/Casablanca', 2026],
  ['Asia/Kathmandu', 2026],
  ['Australia/Lord_Howe', 2026],
  ['America/New_York', 2026],
  ['Pacific/Apia', 2011],
] as const

/** The clock on the wall as if it were UTC, for each quarter of an hour of two years. */
function wallClocks(zone: string, year: number): Array<{ at: number; wall: number }> {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  })
  const clocks = []
  const end = Date.UTC(year + 2, 0, 3)
  for (let at = Date.UTC(year, 0, 1) - 2 * DAY_MS; at < end; at += QUARTER_MS) {
    clocks.push({ at, wall: Date.parse(`${format.format(at).replace(' ', 'T')}Z`) })
  }
  return clocks
}

/**
 * When each clock on the wall is `time` on each date, by looking at the clock: the last moment at which
 * it is, and where it jumps over it, as long after the jump began as the clock was short of it.
 */
function handoversByLooking(clocks: ReturnType<typeof wallClocks>): Map<number, number> {
  const moments = new Map<number, number>()
  for (const [i, { at, wall }] of clocks.entries()) {
    const before = clocks[i - 1]
    const first = before ? before.wall + QUARTER_MS : wall
    for (let skipped = first; before && skipped < wall; skipped += QUARTER_MS) {
      moments.set(skipped, before.at + skipped - before.wall)
    }
    moments.set(wall, at)
  }
  return moments
}

describe.each(ZONES)('in %s for two years from %d', (zone, year) => {
  const moments = handoversByLooking(wallClocks(zone, year))
  const startsOn = `${year}-01-01`
  const days = Math.round((Date.UTC(year + 2, 0, 1) - Date.UTC(year, 0, 1)) / DAY_MS)

  test.each(['00:00', '02:00', '02:30', '03:15', '09:00', '23:45'])(
    'each handover at %s is when the clock on the wall says so',
    (time) => {
      const wrong = []
      for (let number = 0; number < days; number++) {
        const at = handoverOf({ startsOn, at: time, zone, everyDays: 1 }, number)
        const wall = Date.parse(`${startsOn}T${time}Z`) + number * DAY_MS
        if (moments.get(wall) !== at) wrong.push([number, moments.get(wall), at])
      }
      expect(wrong).toEqual([])
    },
  )

  test('each moment is in the turn that began last', () => {
    const handovers = { startsOn, at: '02:30', zone, everyDays: 3 }
    const starts: number[] = []
    for (let day = 0; day < days; day += 3) {
      starts.push(moments.get(Date.parse(`${startsOn}T02:30Z`) + day * DAY_MS) ?? 0)
    }
    const wrong = []
    // A step that meets every quarter of the day.
    for (let at = starts[0] ?? 0; at < (starts.at(-1) ?? 0); at += 19 * QUARTER_MS) {
      const number = starts.findLastIndex((start) => start <= at)
      const turn = turnAt(handovers, at)
      const isRight =
        turn?.number === number && turn.from === starts[number] && turn.to === starts[number + 1]
      if (!isRight) wrong.push([at, number, turn])
    }
    expect(wrong).toEqual([])
    expect(turnAt(handovers, (starts[0] ?? 0) - 1)).toBeUndefined()
  })
})
