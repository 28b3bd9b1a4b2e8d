import { expect, test } from 'bun:test'
import { createTokenBucket, inSeconds, networkOf } from '../../src/platform/http/limits.ts'
import { fakeClock } from '../support/fake-clock.ts'

const RATE = { burst: 3, perMinute: 6 }

test('each one taken leaves one less, and what is refused takes nothing', () => {
  const take = createTokenBucket(fakeClock(), RATE)
  expect([take('a'), take('a'), take('a')]).toEqual([{ left: 2 }, { left: 1 }, { left: 0 }])
  expect(take('a')).toEqual({ left: 0, retryAfter: 10 })
  expect(take('a')).toEqual({ left: 0, retryAfter: 10 })
  expect(take('b')).toEqual({ left: 2 })
})

test('whoever waits as long as was said is let through, even for less than a second', async () => {
  const clock = fakeClock()
  const take = createTokenBucket(clock, { burst: 1, perMinute: 60_000 })
  take('a')
  expect(take('a').retryAfter).toBe(1)
  await clock.advance(1_000)
  expect(take('a')).toEqual({ left: 0 })
})

test('a clock that is set back takes nothing away', async () => {
  let now = 1_000_000
  const take = createTokenBucket({ ...fakeClock(), now: () => now }, RATE)
  take('a')
  now = 0
  expect(take('a')).toEqual({ left: 1 })
})

test('a flood of keys forgets the oldest and keeps the one used last', () => {
  const take = createTokenBucket(fakeClock(), RATE)
  for (let i = 0; i < 3; i++) take('first')
  take('second')
  for (let i = 0; i < 9_998; i++) take(`other ${i}`)
  expect(take('first').retryAfter).toBe(10)
  take('one more')
  expect(take('first').retryAfter).toBe(10)
  expect(take('second')).toEqual({ left: 2 })
})

test('a flood of keys forgives nobody who was refused, and a million of them fill no memory', () => {
  const take = createTokenBucket(fakeClock(), RATE)
  for (let i = 0; i < 4; i++) take('guesser')
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 1_000_000; i++) take(`address ${i}`)
  Bun.gc(true)
  const grown = process.memoryUsage().heapUsed - before
  expect(take('guesser').retryAfter).toBe(10)
  // Ten thousand keys are a few MiB; a million would be more than a hundred.
  expect(grown).toBeLessThan(16 * 1024 * 1024)
})

test('an IPv6 address stands for its /64, anything else for itself', () => {
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff::2'))
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
  for (const other of ['192.0.2.1', 'unknown', 'a:b', '', '::g']) {
    expect(networkOf(other)).toBe(other)
  }
})

test('seconds are said as people say them', () => {
  expect([inSeconds(1), inSeconds(12)]).toEqual(['1 second', '12 seconds'])
})
