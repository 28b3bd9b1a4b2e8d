import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { splitChanges } from '../../../src/catalog/records/change.ts'

const day = fc.integer({ min: 0, max: 40 }).map((at) => `2026-${at < 20 ? '01' : '12'}-${10 + at}`)
const changes = fc.uniqueArray(fc.record({ id: fc.string(), date: day }), {
  selector: (change) => change.id,
})

test('what is dated today has happened', () => {
  const { recent, upcoming } = splitChanges(
    [
      { id: 'tomorrow', date: '2026-11-22' },
      { id: 'today', date: '2026-11-21' },
      { id: 'past', date: '2025-01-01' },
      { id: 'next-year', date: '2027-01-01' },
    ],
    '2026-11-21',
  )
  expect(recent.map((change) => change.id)).toEqual(['today', 'past'])
  expect(upcoming.map((change) => change.id)).toEqual(['tomorrow', 'next-year'])
})

// spec: CF-CHANGES
test('every change is in one half, in an order that its place in the folder does not decide', () => {
  fc.assert(
    fc.property(changes, day, (all, today) => {
      const split = splitChanges(all, today)
      expect(split.recent.length + split.upcoming.length).toBe(all.length)
      expect(splitChanges([...all].reverse(), today)).toEqual(split)
      const past = split.recent.map((change) => change.date)
      expect(past).toEqual([...past].sort().reverse())
      const next = split.upcoming.map((change) => change.date)
      expect(next).toEqual([...next].sort())
    }),
  )
})
