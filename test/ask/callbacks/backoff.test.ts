import { expect, test } from 'bun:test'
import { backoffMs } from '../../../src/ask/callbacks/post-sender.ts'

const HOUR = 3_600_000

test('waits grow from five seconds to six hours and stay there', () => {
  const plain = Array.from({ length: 30 }, (_, i) => backoffMs(i, 0, undefined))
  expect(plain.slice(0, 4)).toEqual([5_000, 15_000, 45_000, 135_000])
  expect(plain).toEqual(plain.toSorted((a, b) => a - b))
  expect(plain.at(-1)).toBe(5 * HOUR)
  const most = Array.from({ length: 30 }, (_, i) => backoffMs(i, 1, undefined))
  expect(most[0]).toBe(6_000)
  expect(Math.max(...most)).toBe(6 * HOUR)
})

test('a day of failures is no more than a handful of attempts', () => {
  for (const random of [0, 0.999]) {
    let attempts = 0
    for (let at = 0; at < 24 * HOUR; attempts++) at += backoffMs(attempts, random, undefined)
    expect(attempts).toBeGreaterThan(8)
    expect(attempts).toBeLessThan(16)
  }
})

test('what the receiver asks for counts where it is longer, up to six hours', () => {
  expect(backoffMs(0, 0, 60_000)).toBe(60_000)
  expect(backoffMs(0, 0, 1_000)).toBe(5_000)
  expect(backoffMs(8, 0, 1_000)).toBe(backoffMs(8, 0, undefined))
  expect(backoffMs(0, 0, 1e12)).toBe(6 * HOUR)
})
