import { expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { readRule } from '../../../src/ask/rota/model/calendar-rule.ts'
import { dayOf, repeatsOf } from '../../../src/ask/rota/model/recurrence.ts'

const DAY_MS = 86_400_000
const textOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
const dayOfText = (text: string) => Date.parse(text) / DAY_MS

/** The days from `from` to `to` by ours, with how many days it looked at. */
function ours(rule: string, start: string, from: string, to: string) {
  const plain = Temporal.PlainDateTime.from(start)
  const time = { plain, zone: 'UTC', isDay: true }
  const value = ICAL.Recur.fromString(rule).toJSON()
  const { recurrence } = readRule(['rrule', {}, 'recur', value], time)
  let looked = 0
  const window = { from: dayOfText(from), to: dayOfText(to) }
  const days = [
    ...repeatsOf(recurrence, dayOfText(start), window, (days) => {
      looked += days
    }),
  ].map(textOf)
  return { days, looked }
}

/** The same by ical.js, from the beginning. */
function theirs(rule: string, start: string, from: string, to: string): string[] {
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateString(start))
  const days: string[] = []
  for (let next = iterator.next(); next; next = iterator.next()) {
    const day = next.toString().slice(0, 10)
    if (day > to) break
    if (day >= from && day >= start) days.push(day)
  }
  return days
}

test.each([
  ['FREQ=DAILY', '2026-01-31'],
  ['FREQ=DAILY;INTERVAL=3', '2026-01-01'],
  ['FREQ=DAILY;INTERVAL=2;COUNT=40', '2026-08-01'],
  ['FREQ=DAILY;BYDAY=MO,TU,WE', '2026-01-05'],
  ['FREQ=WEEKLY', '2025-12-31'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', '2026-01-05'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU', '2026-01-04'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=MO', '2026-01-06'],
  ['FREQ=WEEKLY;COUNT=30;BYDAY=TH,FR', '2026-06-04'],
  ['FREQ=MONTHLY', '2026-01-15'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-01-31'],
  ['FREQ=MONTHLY;BYDAY=2MO', '2026-01-12'],
  ['FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2', '2026-01-30'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-30'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '2026-02-13'],
  ['FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', '2024-10-27'],
  ['FREQ=YEARLY', '2020-10-05'],
  ['FREQ=YEARLY;BYMONTH=3,10;BYMONTHDAY=1,15', '2024-03-01'],
])('%s from %s has the days that ical.js has', (rule, start) => {
  const span = ['2026-09-01', '2027-02-01'] as const
  expect(ours(rule, start, ...span).days).toEqual(theirs(rule, start, ...span))
  expect(ours(rule, start, ...span).days.length).toBeGreaterThan(0)
})

test('a rule since 1970 is read from the window on, however often it repeats', () => {
  for (const freq of ['DAILY', 'WEEKLY', 'MONTHLY']) {
    const { days, looked } = ours(`FREQ=${freq}`, '1970-01-05', '2026-11-01', '2027-01-01')
    expect(days.length).toBeGreaterThan(1)
    expect(looked).toBeLessThan(600)
  }
})

test('a rule that names no day there is ends, where ical.js looks for ever', () => {
  for (const rule of [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9',
    'FREQ=DAILY;INTERVAL=9999',
  ]) {
    expect(ours(rule, '1970-01-31', '2026-11-01', '2027-01-01').days).toEqual([])
  }
  expect(dayOf(2026, 12, 1)).toBe(dayOf(2027, 0, 1))
})
