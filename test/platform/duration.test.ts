import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { durationWords, readDuration } from '../../src/platform/duration.ts'

test.each([
  [0, '0 s'],
  [1_500, '1.5 s'],
  [45_000, '45 s'],
  [60_000, '1 min'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [5_400_500, '1 h 30 min 0.5 s'],
])('a time in words: %d ms is %p', (ms, words) => {
  expect(durationWords(ms)).toBe(words)
})

test('a time in words is read back as the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (ms) => {
      expect(readDuration(durationWords(ms))).toBe(ms)
    }),
  )
})

test.each([
  ['45', 45_000],
  ['45 s', 45_000],
  ['45s', 45_000],
  [' 1,5 ', 1_500],
  ['1 min', 60_000],
  ['2m', 120_000],
  ['1 min 30 s', 90_000],
  ['1m30s', 90_000],
  ['1 Hour', 3_600_000],
  ['500 ms', 500],
])('a typed time: %p is %d ms', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})

test.each(['', ' ', 'soon', '-1', '1 week', '1 2', '30 s 5', '1e3', '0x10', '٣', '1..5', 's'])(
  'a typed time: %p is none',
  (text) => {
    expect(readDuration(text)).toBeNaN()
  },
)
