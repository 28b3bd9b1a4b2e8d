import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createPoliteFetch } from '../../../src/catalog/probing/polite-fetch.ts'
import { readRobots } from '../../../src/catalog/probing/robots.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { simulatedTime } from '../../support/simulated-time.ts'
import { vendorServer } from '../../support/vendor-server.ts'
import { DAY, HOUR, MINUTE, quickFetch, START } from './probe-world.ts'

const baseUrl = () => 'https://b.example'
const fetch = quickFetch(undefined, 10_000)

test('one request at a time goes to a host, however many are wanted', async () => {
  await using vendor = await vendorServer()
  vendor.on('/a', async () => {
    await Bun.sleep(5)
    return { status: 200 }
  })
  const outside = createPoliteFetch({ fetch, clock: systemClock, baseUrl, pauseMs: 1 })
  const all = Array.from({ length: 10 }, () => outside.fetch(`${vendor.origin}/a`))
  const answers = await Promise.all(all)
  expect(answers.every(({ outcome }) => outcome === 'answered')).toBe(true)
  expect([vendor.mostOpen(), vendor.requests.length]).toEqual([1, 11])
})

test('no probe can say that it is somebody else, or wait or read without end', async () => {
  await using vendor = await vendorServer()
  vendor.on('/a', { status: 200 })
  const wanted: unknown[] = []
  const outside = createPoliteFetch({
    ...{ clock: systemClock, baseUrl, pauseMs: 1 },
    fetch(url, request) {
      wanted.push(request)
      return fetch(url, request)
    },
  })
  const headers = { 'User-Agent': 'Mozilla', 'X-Own': '1' }
  await outside.fetch(`${vendor.origin}/a`, { headers, timeoutMs: 1e9, maxBytes: 1e12 })
  expect(vendor.requests.at(-1)?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Beckon\//),
    'x-own': '1',
  })
  expect(wanted.at(-1)).toMatchObject({ timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 })
})

test('Retry-After is kept to: by seconds, by date, and by a minute where none is said', async () => {
  await using vendor = await vendorServer()
  const time = simulatedTime(START)
  const { clock } = time
  const outside = createPoliteFetch({ fetch: time.watched(fetch), clock, baseUrl })
  const ask = async () => {
    const asking = outside.fetch(`${vendor.origin}/a`)
    await time.runUntil(clock.now() + 5_000)
    return (await asking).outcome
  }
  const date = new Date(START + HOUR).toUTCString()
  vendor.on('/a', { status: 429, headers: { 'retry-after': date } })
  expect([await ask(), await ask()]).toEqual(['answered', 'blocked'])
  await time.runUntil(START + HOUR - MINUTE)
  expect(await ask()).toBe('blocked')
  await time.runUntil(START + HOUR)
  vendor.on('/a', { status: 429 })
  expect([await ask(), await ask()]).toEqual(['answered', 'blocked'])
  await time.runUntil(START + HOUR + 2 * MINUTE)
  vendor.on('/a', { status: 503, headers: { 'retry-after': '999999999' } })
  expect([await ask(), await ask()]).toEqual(['answered', 'blocked'])
  // Whatever a host wants, it is asked once a day.
  await time.runUntil(START + 2 * DAY)
  vendor.on('/a', { status: 200 })
  expect([await ask(), await ask()]).toEqual(['answered', 'answered'])
})

test('robots.txt is read once a day, kept to, and its redirect followed', async () => {
  await using vendor = await vendorServer()
  const time = simulatedTime(START)
  const { clock } = time
  const outside = createPoliteFetch({ fetch: time.watched(fetch), clock, baseUrl })
  const ask = async (path: string) => {
    const asking = outside.fetch(`${vendor.origin}${path}`)
    await time.runUntil(clock.now() + 20_000)
    return (await asking).outcome
  }
  vendor.on('/robots.txt', { status: 301, headers: { location: '/r.txt' } })
  vendor.on('/r.txt', { status: 200, body: 'User-agent: beckon\nDisallow: /private' })
  vendor.on('/private', { status: 200 })
  vendor.on('/open', { status: 200 })
  expect([await ask('/open'), await ask('/private'), await ask('/open')]).toEqual([
    'answered',
    'blocked',
    'answered',
  ])
  expect(vendor.requests.map(({ path }) => path)).toEqual([
    ...['/robots.txt', '/r.txt', '/open', '/open'],
  ])
  // It cannot be read: what it said holds.
  vendor.on('/robots.txt', { status: 500 })
  await time.runUntil(START + DAY + HOUR)
  expect([await ask('/private'), await ask('/open')]).toEqual(['blocked', 'answered'])
  // It is gone: nothing is forbidden.
  vendor.on('/robots.txt', { status: 404 })
  await time.runUntil(START + DAY + 3 * HOUR)
  expect(await ask('/private')).toBe('answered')
})

test('a robots.txt that never ends, or is no text, forbids nothing', async () => {
  await using vendor = await vendorServer()
  vendor.on('/a', { status: 200 })
  vendor.on('/robots.txt', { status: 200, ends: 'never' })
  const outside = createPoliteFetch({ fetch, clock: systemClock, baseUrl, pauseMs: 1 })
  expect((await outside.fetch(`${vendor.origin}/a`)).outcome).toBe('answered')
})

test('all that waits is given up at once when the server stops', async () => {
  await using vendor = await vendorServer()
  vendor.on('/a', 'hang')
  const stop = new AbortController()
  const time = simulatedTime(START)
  const { signal } = stop
  const patient = quickFetch(['127.0.0.1'], 60_000)
  const outside = createPoliteFetch({ fetch: patient, clock: time.clock, baseUrl, signal })
  const all = Array.from({ length: 5 }, () => outside.fetch(`${vendor.origin}/a`))
  await Bun.sleep(20)
  stop.abort()
  const outcomes = new Set((await Promise.all(all)).map(({ outcome }) => outcome))
  expect([...outcomes]).toEqual(['aborted'])
})

const RULES: Array<[robots: string, path: string, allowed: boolean]> = [
  ['', '/', true],
  ['User-agent: *\nDisallow: /', '/x', false],
  ['User-agent: *\nDisallow: /\n\nUser-agent: Beckon/2.0\nAllow: /', '/x', true],
  ['User-agent: *\nAllow: /\n\nuser-agent: BECKON\ndisallow: /', '/x', false],
  ['User-agent: a\nUser-agent: beckon\nDisallow: /x', '/x/y', false],
  ['User-agent: beckon\nDisallow: /x\nAllow: /x/y', '/x/y', true],
  ['User-agent: beckon\nDisallow: /x\nAllow: /x', '/x', true],
  ['User-agent: beckon\nDisallow: /*.json$', '/a/b.json', false],
  ['User-agent: beckon\nDisallow: /*.json$', '/a/b.json?x=1', true],
  ['User-agent: beckon\nDisallow: /a*b*c', '/a-b-c-d', false],
  ['User-agent: beckon\nDisallow: /x$', '/x', false],
  ['User-agent: beckon\nDisallow: /x$', '/xy', true],
  ['User-agent: beckon\nDisallow:', '/x', true],
  ['User-agent: beckon # us\r\nDisallow: /x # not this', '/x', false],
  ['User-agent: beckon\nDisallow: /\n', '/robots.txt', true],
  ['Disallow: /', '/x', true],
  ['User-agent: beckoning\nDisallow: /', '/x', true],
]

for (const [robots, path, allowed] of RULES) {
  test(`${JSON.stringify(robots)} ${allowed ? 'allows' : 'forbids'} ${path}`, () => {
    expect(readRobots(robots, 'Beckon').allows(path)).toBe(allowed)
  })
}

test('any text is a robots.txt, and is read quickly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.webPath(), (text, path) => {
      const robots = readRobots(`User-agent: *\nDisallow: ${text}\n${text}`, 'Beckon')
      expect(typeof robots.allows(path)).toBe('boolean')
    }),
  )
  const hostile = `User-agent: *\n${`Disallow: /${'*a'.repeat(19)}$\n`.repeat(2_000)}`
  expect(readRobots(hostile, 'Beckon').allows(`/${'a'.repeat(1_000)}`)).toBe(false)
})
