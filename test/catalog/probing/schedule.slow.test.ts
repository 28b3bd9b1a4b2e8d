import { expect, test } from 'bun:test'
import { MCP_PROBE } from '../../../src/catalog/facts/mcp-tools/fact.tsx'
import { readFacts } from '../../../src/catalog/measured/fact-store.ts'
import { putTime, readResults } from '../../../src/catalog/measured/probe-store.ts'
import { ROUND_NAME } from '../../../src/catalog/probing/round.ts'
import { takeLease } from '../../../src/platform/db/lease-store.ts'
import { playMcp, vendorServer } from '../../support/vendor-server.ts'
import { DAY, HOUR, MINUTE, probeWorld, START, toolAt } from './probe-world.ts'

// Thousands of looks at the database, one after the other.
const LONG = 60_000

const MCP = { kind: 'mcp', transports: ['streamable-http'] }

test(
  'a day asks each vendor so many times, one request at a time, in its own name',
  async () => {
    await using web = await vendorServer()
    await using mcp = await vendorServer()
    await using world = await probeWorld()
    web.on('/', { status: 200 })
    mcp.on('/mcp', playMcp([{ name: 'send', description: 'Sends a message.' }]))
    // Two records share an address: it is asked once for both.
    await world.publish([
      toolAt('web', `${web.origin}/`),
      toolAt('web-too', `${web.origin}/`),
      toolAt('talk', `${mcp.origin}/mcp`, MCP),
    ])
    await world.start({ probes: [MCP_PROBE] })
    await world.pass(DAY)
    const counts = (of: typeof web) =>
      Object.groupBy(of.requests, ({ path, body }) =>
        `${path} ${body ? JSON.parse(body).method : ''}`.trim(),
      )
    const times = (of: typeof web) =>
      Object.fromEntries(Object.entries(counts(of)).map(([name, all]) => [name, all?.length]))
    const rounds = Number(times(web)['/'])
    // Four an hour, and at most one more at the end.
    expect([95, 96, 97]).toContain(rounds)
    expect(times(web)).toEqual({ '/': rounds, '/robots.txt': 1 })
    expect(times(mcp)).toEqual({
      '/mcp ping': rounds,
      '/mcp initialize': 4,
      '/mcp notifications/initialized': 4,
      '/mcp tools/list': 4,
      '/robots.txt': 1,
    })
    expect([web.mostOpen(), mcp.mostOpen()]).toEqual([1, 1])
    const agents = new Set(
      [...web.requests, ...mcp.requests].map((one) => one.headers['user-agent']),
    )
    expect([...agents]).toEqual([
      expect.stringMatching(/^Beckon\/\S+ \(\+https:\/\/beckon\.example\/methodology#probes\)$/),
    ])
    expect((await world.live('web'))?.probe).toMatchObject({ lastOk: true, uptime24h: 100 })
    expect((await world.live('web-too'))?.probe?.samples24h).toBe(rounds)
    expect((await world.live('talk'))?.mcpTools).toMatchObject({
      status: 'ok',
      protocol: '2025-11-25',
      tools: [{ name: 'send', description: 'Sends a message.' }],
    })
  },
  LONG,
)

test('a restart goes on from what is due, and asks nobody again before that', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  await world.publish([toolAt('a', `${vendor.origin}/`)])
  await world.start()
  await world.pass(5 * MINUTE)
  for (let n = 0; n < 4; n++) {
    await world.start()
    await world.pass(2 * MINUTE)
  }
  expect(vendor.requests.filter(({ path }) => path === '/')).toHaveLength(1)
  await world.pass(10 * MINUTE)
  expect(vendor.requests.filter(({ path }) => path === '/')).toHaveLength(2)
})

test('what was due in a future that never comes is due now: a clock was set back', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  await world.publish([toolAt('a', `${vendor.origin}/`)])
  const dueAt = START + 400 * DAY
  await world.db.write((tx) => putTime(tx, { slug: 'a', probe: ROUND_NAME, ranAt: dueAt, dueAt }))
  await world.start()
  await world.pass(MINUTE)
  expect(await readResults(world.db.read, 'a', 0)).toHaveLength(1)
})

test('a preview is left alone, and so is a record that says so; what was known of it goes', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  const tools = [toolAt('a', `${vendor.origin}/`)]
  await world.publish(tools, { preview: true })
  await world.start()
  await world.pass(HOUR)
  expect(vendor.requests).toEqual([])
  await world.publish(tools)
  await world.pass(HOUR)
  const count = vendor.requests.length
  expect(count).toBeGreaterThan(2)
  await world.publish([toolAt('a', `${vendor.origin}/`, { probe: { off: true } })])
  await world.pass(3 * HOUR)
  expect(vendor.requests.length).toBe(count)
  expect(await world.live('a')).toBeUndefined()
  expect(await readFacts(world.db.read)).toEqual([])
})

test('of two processes one probes, and the other goes on when it is gone', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  await world.publish([toolAt('a', `${vendor.origin}/`)])
  const now = START
  const other = { name: 'catalog-probes', holder: 'other', now, until: now + 30 * MINUTE }
  await world.db.write((tx) => takeLease(tx, other))
  await world.start()
  await world.pass(29 * MINUTE)
  expect(vendor.requests).toEqual([])
  await world.pass(3 * MINUTE)
  expect(vendor.requests.length).toBeGreaterThan(0)
})

test('a probe that throws or never ends costs nobody else, nor the next one of its tool', async () => {
  await using vendor = await vendorServer()
  await using world = await probeWorld()
  vendor.on('/', { status: 200 })
  await world.publish([toolAt('a', `${vendor.origin}/`), toolAt('b', `${vendor.origin}/`)])
  const errors: unknown[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (_: string, f: unknown) => errors.push(f) }
  const every = { everyMs: DAY, appliesTo: () => true }
  const probes = [
    { ...every, name: 'throws', run: () => Promise.reject(new Error('no')) },
    { ...every, name: 'hangs', run: () => new Promise<never>(() => {}) },
    { ...every, name: 'finds', run: async () => ({ facts: [{ subject: 'models', value: {} }] }) },
  ]
  await world.start({ probes, log: log as never })
  await world.pass(30 * MINUTE)
  expect(errors).toHaveLength(2)
  expect((await world.live('a'))?.models).toEqual({})
  expect((await world.live('b'))?.models).toEqual({})
  expect((await world.live('b'))?.probe?.lastOk).toBe(true)
})
