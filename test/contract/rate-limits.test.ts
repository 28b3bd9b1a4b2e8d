import { expect, test } from 'bun:test'
import { forgetFullLimits, takeFromLimit } from '../../src/platform/db/rate-limit-store.ts'
import { onBothDatabases } from './both-databases.ts'

const RATE = { burst: 3, perMinute: 6 }
const START = 1_700_000_000_000

onBothDatabases('limits that processes share', (db) => {
  const take = (key: string, now: number) =>
    db().write((tx) => takeFromLimit(tx, key, RATE, START + now))
  const four = async (now: number) => [
    ...[await take('a', now), await take('a', now)],
    ...[await take('a', now), await take('a', now)],
  ]

  test('let a burst pass, then one at a time, and are full again after a while', async () => {
    expect(await four(0)).toEqual([undefined, undefined, undefined, START + 10_000])
    expect(await take('b', 0)).toBeUndefined()
    expect(await take('a', 9_999)).toBe(START + 10_000)
    expect(await take('a', 10_000)).toBeUndefined()
    expect(await take('a', 10_000)).toBe(START + 20_000)
    expect(await four(3_600_000)).toEqual([undefined, undefined, undefined, START + 3_610_000])
  })

  test('lock nobody out when a clock that was a year ahead has been set right', async () => {
    expect(await take('a', 365 * 86_400_000)).toBeUndefined()
    expect(await four(0)).toEqual([undefined, undefined, undefined, START + 10_000])
  })

  test('are forgotten once they are full', async () => {
    await take('a', 0)
    await take('b', 5_000)
    const forget = (now: number) => db().write((tx) => forgetFullLimits(tx, START + now))
    expect([await forget(9_999), await forget(10_000), await forget(20_000)]).toEqual([0, 1, 1])
  })
})
