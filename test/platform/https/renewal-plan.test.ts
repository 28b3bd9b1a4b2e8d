import { expect, test } from 'bun:test'
import { pauseAfter, pauseLeft, renewAt } from '../../../src/platform/https/renewal-plan.ts'

const DAY = 24 * 3_600_000
const FROM = Date.UTC(2026, 0, 1)
const validity = { from: FROM, until: FROM + 90 * DAY }

test('a certificate is renewed after two thirds of its life', () => {
  expect(renewAt(validity, { obtainedAt: FROM }, FROM + DAY * 2)).toBe(FROM + 60 * DAY)
})

test('one that just came is left alone for a day, though the clock says that it has ended', () => {
  const obtainedAt = FROM + 400 * DAY
  expect(renewAt(validity, { obtainedAt }, obtainedAt + 1)).toBe(obtainedAt + DAY)
  expect(renewAt(validity, { obtainedAt }, obtainedAt + DAY)).toBe(FROM + 60 * DAY)
})

test('one that came under a clock that was ahead is renewed in time once the clock is right', () => {
  const obtainedAt = FROM + 400 * DAY
  expect(renewAt(validity, { obtainedAt }, FROM + 10 * DAY)).toBe(FROM + 60 * DAY)
})

test('of short-lived ones a third of the life is left alone', () => {
  const short = { from: FROM, until: FROM + 6 * 3_600_000 }
  const obtainedAt = FROM + DAY
  expect(renewAt(short, { obtainedAt }, obtainedAt)).toBe(obtainedAt + 2 * 3_600_000)
})

test('within any hour at most five attempts are made, and less and less often', () => {
  const starts = [0]
  for (let count = 1; count < 40; count++) starts.push((starts.at(-1) ?? 0) + pauseAfter(count))
  const inHour = starts.map(
    (at) => starts.filter((one) => one >= at && one < at + 3_600_000).length,
  )
  expect(Math.max(...inHour)).toBeLessThanOrEqual(5)
  const pauses = starts.slice(1).map((_, n) => pauseAfter(n + 1))
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
})

test('a pause that the authority asks for is kept, up to eight days', () => {
  expect(pauseAfter(1, 3 * DAY)).toBe(3 * DAY)
  expect(pauseAfter(1, 400 * DAY)).toBe(8 * DAY)
  expect(pauseAfter(1, 1)).toBe(pauseAfter(1))
})

test('a clock that is put back makes no pause longer', () => {
  const attempts = { directory: '', names: [], count: 1, notBefore: FROM + 600, decidedAt: FROM }
  expect(pauseLeft(attempts, FROM + 100)).toBe(500)
  expect(pauseLeft(attempts, FROM + 700)).toBe(0)
  expect(pauseLeft(attempts, FROM - 900 * DAY)).toBe(600)
})
