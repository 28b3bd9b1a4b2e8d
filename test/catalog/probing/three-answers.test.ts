import { expect, test } from 'bun:test'
import type { LiveProbe } from '../../../src/catalog/facts/answers/fact.ts'
import { unknownWords, upWord } from '../../../src/catalog/facts/answers/fact.ts'
import { readLive } from '../../../src/catalog/measured/read-live.ts'
import { createPoliteFetch } from '../../../src/catalog/probing/polite-fetch.ts'
import type { RoundTarget } from '../../../src/catalog/probing/round.ts'
import { runRound } from '../../../src/catalog/probing/round.ts'
import { type VendorAnswer, vendorServer } from '../../support/vendor-server.ts'
import { HOUR, type ProbeWorld, probeWorld, quickFetch, toolAt } from './probe-world.ts'

/** Probes one address as the server does, and reads back what would be served. */
async function probed(world: ProbeWorld, target: string, allowed?: string[]) {
  const { db, time } = world
  const outside = createPoliteFetch({
    ...{ fetch: time.watched(quickFetch(allowed)), clock: time.clock },
    baseUrl: () => 'https://b.example',
  })
  const one: RoundTarget = { slug: 'it', target, method: 'GET' }
  const round = runRound({ db, clock: time.clock, outside, random: () => 0.5 }, [one])
  await world.pass(2 * 60_000)
  await round
  return (await readLive(db.read, time.clock.now())).get('it')?.probe
}

const robots: VendorAnswer = { status: 200, body: 'User-agent: Beckon\nDisallow: /\n' }

type Case = [answer: VendorAnswer, up: string, why: string, robots?: VendorAnswer]
const CASES: Record<string, Case> = {
  'an opt-out': [{ status: 200 }, 'unknown', 'asked not to be measured', robots],
  '404 at the root': [{ status: 404 }, 'unknown', 'answers 404 at its root'],
  'too many requests': [{ status: 429 }, 'unknown', 'rate limited'],
  'an answer that says that it is down': [{ status: 503 }, 'no', ''],
  'a rest after an error of the server': [
    { status: 503, headers: { 'retry-after': '7200' } },
    'no',
    '',
  ],
  'three failed connections': ['reset', 'no', ''],
}

for (const [name, [answer, up, why, rules]] of Object.entries(CASES)) {
  test(`${name}: up is ${up}`, async () => {
    await using vendor = await vendorServer()
    await using world = await probeWorld()
    vendor.on('/', answer)
    if (rules) vendor.on('/robots.txt', rules)
    const probe = await probed(world, `${vendor.origin}/`)
    expect(upWord(probe)).toBe(up as 'no')
    expect('lastOk' in (probe as LiveProbe)).toBe(up !== 'unknown')
    if (up === 'unknown') expect(unknownWords(probe as LiveProbe)).toBe(why)
  })
}

test('a private address is not asked, and nothing is said of it', async () => {
  await using world = await probeWorld()
  const probe = await probed(world, 'https://10.0.0.1/', [])
  expect(probe).toMatchObject({ unknown: 'private-address', lastStatus: null, samples30d: 0 })
  expect(probe).not.toHaveProperty('lastOk')
  expect(probe).not.toHaveProperty('authRequired')
})

test('two failed connections and an answer that says nothing are not "down"', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  let count = 0
  vendor.on('/', () => (++count < 3 ? 'reset' : { status: 404 }))
  expect(upWord(await probed(world, `${vendor.origin}/`))).toBe('unknown')
  expect(count).toBe(3)
})

test('the newest probe decides, and what was counted before stays', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  await world.publish([toolAt('it', `${vendor.origin}/`)])
  await world.start()
  await world.pass(HOUR)
  const before = (await world.live('it'))?.probe
  expect(before).toMatchObject({ lastOk: true, authRequired: false })
  vendor.on('/', { status: 404 })
  await world.pass(HOUR)
  const probe = (await world.live('it'))?.probe
  expect(probe).toMatchObject({
    unknown: 'not-found',
    uptime24h: 100,
    samples24h: before?.samples24h,
  })
  expect(probe).not.toHaveProperty('lastOk')
})
