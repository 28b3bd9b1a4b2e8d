import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { Failure } from '../../../src/platform/failure.ts'
import {
  createBucket,
  createLimits,
  createSharedBucket,
  RATES,
} from '../../../src/platform/http/limits.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const RATE = { burst: 3, perMinute: 6, sentence: 'Too many.' }

function outcome(take: () => void): number | undefined {
  try {
    take()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return (error as Failure).retryAfter
  }
}

test('a bucket lets a burst pass, then says when the next one fits', async () => {
  const clock = fakeClock()
  const bucket = createBucket(clock, RATE)
  const take = (key: string) => outcome(() => bucket.take(key))
  expect([take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined])
  expect(take('a')).toBe(10)
  expect(take('b')).toBeUndefined()
  await clock.advance(10_000)
  expect(take('a')).toBeUndefined()
  expect(take('a')).toBe(10)
})

test('a refused attempt costs nothing, and a bucket never holds more than its burst', async () => {
  const clock = fakeClock()
  const bucket = createBucket(clock, RATE)
  const take = () => outcome(() => bucket.take('a'))
  for (let i = 0; i < 50; i++) take()
  await clock.advance(3_600_000)
  expect([take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, 10])
})

test('the addresses of one IPv6 network are one guesser, those of another are not', async () => {
  await using w = world()
  const { signIn } = createLimits(w)
  for (let i = 0; i < RATES.signIn.burst; i++) await signIn.take(`2001:db8::${i + 1}`)
  await expect(signIn.take('2001:db8::ffff')).rejects.toThrow('Too many attempts')
  await signIn.take('2001:db8:0:1::1')
  await signIn.take('192.0.2.1')
})

test('who guesses at two processes, or waits for a restart, has no more attempts', async () => {
  await using w = world()
  const [here, there] = [createLimits(w), createLimits(w)]
  for (let i = 0; i < RATES.account.burst; i++) {
    await (i % 2 ? here : there).account.take('mara@example.org')
  }
  const restarted = createLimits(w)
  for (const { account } of [here, there, restarted]) {
    const refused = account.take('mara@example.org')
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 12 })
  }
  await here.account.take('ben@example.org')
  await w.clock.advance(12_000)
  await there.account.take('mara@example.org')
  await expect(here.account.take('mara@example.org')).rejects.toThrow('Too many attempts')
})

test('what is refused again and again is not written down again', async () => {
  await using w = world()
  let writes = 0
  const counting: typeof w.db.write = (work) => {
    writes++
    return w.db.write(work)
  }
  const bucket = createSharedBucket({ db: { write: counting }, clock: w.clock }, 'x', RATE)
  for (let i = 0; i < 50; i++) await bucket.take('a').catch(() => {})
  expect(writes).toBe(RATE.burst + 1)
})

function world() {
  const folder = tempFolder()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  async function close() {
    await db[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  }
  return { db, clock: fakeClock(), [Symbol.asyncDispose]: close }
}
