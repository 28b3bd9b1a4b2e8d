import { expect, setDefaultTimeout, test } from 'bun:test'
import { freePorts } from '../../support/free-port.ts'
import { acmeProblem, standInAuthority } from '../../support/stand-in-authority.ts'
import { until } from '../../support/until.ts'
import { keeperWorld } from './keeper-world.ts'

setDefaultTimeout(60_000)

const HOUR = 3_600_000
const orders = (paths: string[]) => paths.filter((path) => path === '/order').length

function limited(retryAfter?: string): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const detail = 'too many certificates (5) already issued for this exact set of names'
  return acmeProblem('rateLimited', detail, { status: 429, headers })
}

test('a limit of the authority is kept for as long as it says, over restarts too', async () => {
  using authority = standInAuthority(() => limited(String(30 * 3_600)))
  const [httpPort = 0] = freePorts(1)
  await using world = keeperWorld({ ...authority, httpPort })
  const keeper = world.start()
  await until(() => keeper.problem()?.includes('too many certificates') ?? false)
  await keeper[Symbol.asyncDispose]()
  for (let n = 0; n < 20; n++) await world.start()[Symbol.asyncDispose]()
  const last = world.start()
  for (const hours of [1, 7, 29]) {
    world.clock.set(hours * HOUR)
    await until(world.isIdle)
  }
  expect(orders(authority.paths)).toBe(1)
  expect(last.problem()).toContain('too many certificates')
  world.clock.set(31 * HOUR)
  await until(() => orders(authority.paths) === 2)
})

test('the pauses grow when the authority names no time', async () => {
  using authority = standInAuthority(() => limited())
  const [httpPort = 0] = freePorts(1)
  await using world = keeperWorld({ ...authority, httpPort })
  world.start()
  for (let day = 0; day < 48; day++) {
    world.clock.set(day * (HOUR / 2))
    await until(world.isIdle)
  }
  // A day in steps of half an hour.
  expect(orders(authority.paths)).toBeGreaterThanOrEqual(5)
  expect(orders(authority.paths)).toBeLessThanOrEqual(10)
})

test.each([
  ['a page of HTML', () => new Response('<h1>Hello</h1>'), 'is not ACME'],
  [
    'an order without addresses',
    () => Response.json({ status: 'pending', authorizations: ['x'] }),
    'not ACME',
  ],
  [
    'an address without https',
    () =>
      Response.json({ status: 'pending', authorizations: [], finalize: 'http://169.254.169.254/' }),
    'not ACME',
  ],
  [
    'a problem with control characters',
    () => acmeProblem('malformed', 'a\u001b[31mb\nc'),
    'refuses',
  ],
  ['500 without words', () => new Response('', { status: 500 }), 'it answers with status 500.'],
  ['no JSON', () => new Response('{', { status: 403 }), 'it answers with status 403.'],
])('%s is one sentence, and not asked for again at once', async (_name, answer, sentence) => {
  using authority = standInAuthority(answer)
  const [httpPort = 0] = freePorts(1)
  await using world = keeperWorld({ ...authority, httpPort })
  const keeper = world.start()
  await until(() => keeper.problem()?.includes(sentence) ?? false)
  expect(keeper.problem()).not.toMatch(/\p{Cc}/u)
  await until(world.isIdle)
  expect(orders(authority.paths)).toBe(1)
})

test('an authority that refuses every nonce is given up', async () => {
  using authority = standInAuthority(() => acmeProblem('badNonce', 'stale'))
  const [httpPort = 0] = freePorts(1)
  await using world = keeperWorld({ ...authority, httpPort })
  const keeper = world.start()
  await until(() => keeper.problem()?.includes('stale') ?? false)
  expect(orders(authority.paths)).toBe(6)
})

test('an authority that has another time is said', async () => {
  const date = new Date(Date.now() - 50 * HOUR).toUTCString()
  using authority = standInAuthority(() => acmeProblem('malformed', 'no', { headers: { date } }))
  const [httpPort = 0] = freePorts(1)
  await using world = keeperWorld({ ...authority, httpPort })
  const keeper = world.start()
  await until(() => keeper.problem()?.includes('refuses') ?? false)
  expect(keeper.problem()).toContain("clock differs from the authority's by 50 hours")
})

test('an authority that is away or not trusted is said', async () => {
  const [httpPort = 0, nobody = 0] = freePorts(2)
  using authority = standInAuthority(() => limited())
  for (const one of [
    { directory: `https://127.0.0.1:${nobody}/dir`, ca: authority.ca },
    { directory: authority.directory, ca: '' },
  ]) {
    await using world = keeperWorld({ ...one, httpPort })
    const keeper = world.start()
    await until(() => keeper.problem()?.includes('cannot be reached') ?? false)
  }
})
