import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { plainly, wireServer } from '../support/wire-server.ts'
import type { WayResult } from './way-out.ts'
import { waysOut } from './ways-out.ts'

/** What stands in for the public internet, and two places that nobody may reach. */
const OPEN = '127.0.0.1'
const open = await wireServer(OPEN)
const { port } = open
const closed = [await wireServer('127.0.0.2', port), await wireServer('::1', port)]
for (const server of [open, ...closed]) server.play(plainly(200, '{}'))
const trespasses = () => closed.reduce((sum, server) => sum + server.connections(), 0)

afterAll(async () => {
  for (const server of [open, ...closed]) await server[Symbol.asyncDispose]()
})

type Answers = () => Promise<string[]>
const always =
  (...addresses: string[]) =>
  (): Answers =>
  async () =>
    addresses
const fails = (code: string) => (): Answers => () =>
  Promise.reject(Object.assign(new Error(`getaddrinfo ${code} 10.0.0.53:53`), { code }))

/** What a resolver says of a name, at its first look-up and later; `leads`: whether to the open one. */
const NAMES: Record<string, { answers: () => Answers; leads: boolean }> = {
  'public at first, private afterwards': {
    leads: true,
    answers() {
      let looks = 0
      return async () => [looks++ === 0 ? OPEN : '127.0.0.2']
    },
  },
  'a private address after a public one': { leads: false, answers: always(OPEN, '127.0.0.2') },
  'a public address after a private one': { leads: false, answers: always('127.0.0.2', OPEN) },
  'public in IPv4, private in IPv6': { leads: false, answers: always(OPEN, '::1') },
  // Where this were not refused, the private one would be asked first.
  'a private address beside one of the internet': {
    leads: false,
    answers: always('127.0.0.2', '93.184.215.14'),
  },
  'a private address beside one of the internet, in IPv6': {
    leads: false,
    answers: always('::1', '2606:4700:4700::1111'),
  },
  'an alias of a private name': { leads: false, answers: always('127.0.0.2') },
  'the metadata of a cloud': { leads: false, answers: always('169.254.169.254') },
  'private as IPv4 in IPv6': { leads: false, answers: always('::ffff:127.0.0.2') },
  'a private address among many': {
    leads: false,
    answers: always(...Array<string>(40).fill(OPEN), '127.0.0.2'),
  },
  'a link-local address with its zone': { leads: false, answers: always('fe80::1%eth0') },
  'no address': { leads: false, answers: always() },
  'what is no address': { leads: false, answers: always('not an address') },
  'not found': { leads: false, answers: fails('ENOTFOUND') },
  'a resolver that fails': { leads: false, answers: fails('ESERVFAIL') },
  'a resolver that throws at once': {
    leads: false,
    answers: () => () => {
      throw new Error('broken: 10.0.0.53')
    },
  },
  'a resolver that never answers': { leads: false, answers: () => () => new Promise(() => {}) },
}

const PATIENCE_MS = 100
// A reason never says where a name led, nor whom it was asked of.
const SECRET = /127\.0\.0\.2|::1|169\.254|fe80|10\.0\.0\.53|node_modules|\.ts:/

test.each(Object.entries(NAMES))(
  'a name with %s leads to no forbidden place',
  async (_name, { answers, leads }) => {
    const resolve = answers()
    // Each way looks a name of its own up, as it would in a server that has just started.
    const first = new Map<string, Answers>()
    const guard = createGuardedFetch({
      allowPrivateHosts: [`${OPEN}/32`],
      resolve(host) {
        const own = first.get(host) ?? (leads ? answers() : resolve)
        first.set(host, own)
        return own()
      },
    })
    await using table = await waysOut({
      ...guard,
      fetch: (url, request) => guard.fetch(url, { ...request, timeoutMs: PATIENCE_MS }),
    })
    const before = { open: open.connections(), closed: trespasses() }
    const attempts = ['http', 'https'].flatMap((scheme) =>
      table.ways.map((way, n) => ({ way, base: `${scheme}://name-${n}.example:${port}` })),
    )
    const results = await Promise.all(
      attempts.map(async ({ way, base }): Promise<WayResult & { name: string }> => {
        const result = await way.ask(base)
        // And a second time, when the name may lead elsewhere.
        return { name: way.name, ...result, ...(leads ? await way.ask(base) : {}) }
      }),
    )
    expect(trespasses()).toBe(before.closed)
    if (leads) expect(open.connections()).toBeGreaterThan(before.open)
    else {
      expect(open.connections()).toBe(before.open)
      expect(results.filter(({ taken }) => taken)).toEqual([])
    }
    expect(results.filter(({ why }) => SECRET.test(why ?? ''))).toEqual([])
  },
)
