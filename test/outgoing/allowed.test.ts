import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { plainly, type WireServer, wireServer } from '../support/wire-server.ts'
import { waysOut } from './ways-out.ts'

const here = await wireServer('127.0.0.1')
const { port } = here
const beside = await wireServer('127.0.0.2', port)
const six = await wireServer('::1', port)
const servers = { here, beside, six }
for (const server of Object.values(servers)) server.play(plainly(404, '{}'))

afterAll(async () => {
  for (const server of Object.values(servers)) await server[Symbol.asyncDispose]()
})

const resolve = async (host: string) =>
  host.startsWith('both') ? ['127.0.0.1', '127.0.0.2'] : ['127.0.0.1']

type Column = { allows: string[]; reaches: string[]; not: string[] }

/** What an operator may name, what that opens, and what it does not. */
const SETTINGS: Record<string, Column> = {
  nothing: {
    allows: [],
    reaches: [],
    not: ['127.0.0.1', 'own.internal', '[::1]'],
  },
  'an address': {
    allows: ['127.0.0.1'],
    reaches: ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]'],
    not: ['127.0.0.2', '[::1]', 'own.internal', 'localhost', '0.0.0.0'],
  },
  'an address of IPv6': {
    allows: ['[::1]'],
    reaches: ['[::1]', '[0:0::1]'],
    not: ['127.0.0.1', '127.0.0.2', '[::]', '[::127.0.0.1]'],
  },
  'a name': {
    allows: ['own.internal'],
    reaches: ['own.internal', 'OWN.internal', 'own.internal.'],
    not: ['127.0.0.1', 'an.own.internal', 'own.internal.example', 'own', '[::1]'],
  },
  'a network': {
    allows: ['127.0.0.1/32'],
    reaches: ['127.0.0.1', 'any.internal'],
    not: ['127.0.0.2', '[::1]', 'both.internal', '169.254.169.254'],
  },
  'a wide network': {
    allows: ['127.0.0.0/8'],
    reaches: ['127.0.0.1', '127.0.0.2', 'both.internal'],
    not: ['[::1]', '0.0.0.0', '10.0.0.1'],
  },
}

const connections = () => Object.values(servers).map((server: WireServer) => server.connections())

test.each(Object.entries(SETTINGS))(
  'who allows %s opens exactly that to every way out',
  async (_name, { allows, reaches, not }) => {
    const guard = createGuardedFetch({ allowPrivateHosts: allows, resolve })
    await using table = await waysOut({
      ...guard,
      fetch: (url, request) => guard.fetch(url, { ...request, timeoutMs: 2_000 }),
    })
    for (const way of table.ways) {
      const before = connections()
      for (const host of not) await way.ask(`http://${host}:${port}`)
      expect([way.name, connections()]).toEqual([way.name, before])
      // A certificate is looked at over https alone; that somebody connected is enough.
      const scheme = way.name === 'facts of certificate' ? 'https' : 'http'
      for (const host of reaches) {
        const sum = total()
        await way.ask(`${scheme}://${host}:${port}`)
        expect([way.name, host, total() > sum]).toEqual([way.name, host, true])
      }
    }
  },
)

const total = () => connections().reduce((sum, count) => sum + count, 0) + requests()
const requests = () =>
  Object.values(servers).reduce((sum, server: WireServer) => sum + server.requests.length, 0)
