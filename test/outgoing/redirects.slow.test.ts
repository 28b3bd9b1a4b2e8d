import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { plainly, type Wire, wireServer } from '../support/wire-server.ts'
import type { WayOut } from './way-out.ts'
import { waysOut } from './ways-out.ts'

/** Who redirects, another who may be asked, and two who may not. */
const source = await wireServer('127.0.0.1')
const other = await wireServer('127.0.0.3')
const closed = [await wireServer('127.0.0.2'), await wireServer('::1')]
for (const server of [other, ...closed]) server.play(plainly(200, '{}'))
const [beside, six] = closed as [(typeof closed)[0], (typeof closed)[0]]

const guard = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1', '127.0.0.3'] })
const fetch: typeof guard.fetch = (url, request) =>
  guard.fetch(url, { ...request, timeoutMs: 2_000 })
const table = await waysOut({ ...guard, fetch })
const rows = table.ways.map((way): [string, WayOut] => [way.name, way])

afterAll(async () => {
  await table[Symbol.asyncDispose]()
  for (const server of [source, other, ...closed]) await server[Symbol.asyncDispose]()
})

const STATUSES = [300, 301, 302, 303, 305, 306, 307, 308, 399]
const FORBIDDEN = [
  `http://127.0.0.2:${beside.port}/`,
  `https://127.0.0.2:${beside.port}/`,
  `//127.0.0.2:${beside.port}/`,
  `///127.0.0.2:${beside.port}/`,
  `\\\\127.0.0.2:${beside.port}/`,
  `http:127.0.0.2:${beside.port}/`,
  `http://2130706434:${beside.port}/`,
  `http://[::1]:${six.port}/`,
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://public.example/',
  `http://user:secret@127.0.0.1:${source.port}/`,
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:25/_HELO',
  'javascript:alert(1)',
  'data:application/json,{}',
  'unix:/var/run/docker.sock',
  'http://[',
  'http://127.0.0.1:99999/',
  '',
  '%00',
  `/${'a'.repeat(50_000)}`,
]
// More than anybody follows in one go, each asked for robots.txt as well, and tried again.
const REQUESTS_MAX = 150

const leads = (status: number, to: string): Wire => plainly(status, '{}', { location: to })

test.each(rows)('%s is led to no forbidden place', async (_name, way) => {
  let n = 0
  for (const status of STATUSES) {
    for (const to of FORBIDDEN) {
      source.play(leads(status, to))
      const { taken } = await way.ask(`http://127.0.0.1:${source.port}`)
      expect([status, to, taken && !isOwn(to) && way.byStatus !== true]).toEqual([
        status,
        to,
        false,
      ])
      n++
    }
  }
  expect(n).toBe(STATUSES.length * FORBIDDEN.length)
  expect(closed.map((server) => server.connections())).toEqual([0, 0])
})

/** On the server that redirects: it leads round in a circle. */
const isOwn = (to: string) => to === '' || to.startsWith('/a') || to.startsWith('%')

test.each(rows)('%s comes to an end of circles and chains', async (_name, way) => {
  const chain: Wire = (socket, request) => {
    const n = Number(/^[A-Z]+ \/(\d+)/.exec(request)?.[1] ?? 0)
    leads(302, `/${n + 1}`)(socket, request)
  }
  const toAndFro: Wire = (socket, request) =>
    leads(307, request.includes('/to') ? '/fro' : '/to')(socket, request)
  const itself: Wire = (socket, request) =>
    leads(308, /^[A-Z]+ (\S+)/.exec(request)?.[1] ?? '/')(socket, request)
  for (const circle of [chain, toAndFro, itself]) {
    source.play(circle)
    const before = source.requests.length
    await way.ask(`http://127.0.0.1:${source.port}`)
    expect(source.requests.length - before).toBeLessThan(REQUESTS_MAX)
  }
})

// What says no more than that a machine asks, and how it wants to be answered.
const HARMLESS = new Set([
  ...['host', 'connection', 'accept', 'accept-encoding', 'user-agent', 'content-type'],
  ...['content-length', 'mcp-protocol-version', 'mcp-method'],
  ...['accept-language', 'x-github-api-version'],
])

test.each(rows)('%s takes nothing along that is meant for the first server', async (_name, way) => {
  for (const status of [301, 302, 303, 307, 308]) {
    source.play(leads(status, `http://127.0.0.3:${other.port}/elsewhere`))
    other.requests.length = 0
    await way.ask(`http://127.0.0.1:${source.port}`)
    for (const request of other.requests) {
      const [head = '', body = ''] = request.split('\r\n\r\n')
      const names = head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(':')[0]?.toLowerCase())
      expect(names.filter((name) => !HARMLESS.has(name ?? ''))).toEqual([])
      // An empty object, or the opening message of MCP: nothing of anybody's.
      if (body !== '')
        expect(body).toMatch(
          /^(\{\}|\{"jsonrpc":"2.0","id":\d+,"method":"(ping|initialize|tools\/list|server\/discover)".*)$/,
        )
    }
  }
})

test('the session of an MCP server is not taken to another', async () => {
  const way = table.ways.find(({ name }) => name === 'facts of mcp')
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  const type = { 'content-type': 'application/json', 'mcp-session-id': 'secret-session' }
  source.play(plainly(404, ''))
  source.play((socket, request) => {
    const begins = request.includes('"method":"initialize"')
    const wire = begins
      ? plainly(200, answer, type)
      : leads(307, `http://127.0.0.3:${other.port}/mcp`)
    wire(socket, request)
  }, '/mcp')
  other.requests.length = 0
  await way?.ask(`http://127.0.0.1:${source.port}`)
  expect(source.requests.join('')).toContain('secret-session')
  expect(other.requests.join('')).not.toContain('secret-session')
})
