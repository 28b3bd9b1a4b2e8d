import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { rotaChecks } from '../../../src/ask/health/rota-check.ts'
import { readDueFeeds } from '../../../src/ask/rota/keep-reading-feeds.ts'
import { listFeeds, putFeedUrl } from '../../../src/ask/rota/model/feed-store.ts'
import { deleteRota, insertRota } from '../../../src/ask/rota/model/store.ts'
import { readOnCall } from '../../../src/ask/rota/read-on-call.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START = Date.parse('2026-10-20T12:00Z')
const SECRET = 'k3y-in-the-address'

let now = START
let reply: (request: Request) => Response
const requests: Request[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    requests.push(request)
    return reply(request)
  },
})
const url = `http://127.0.0.1:${server.port}/${SECRET}/on-call.ics`
const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const clock = { now: () => now } as Clock

let world: PageWorld
let mara: string
beforeAll(async () => {
  world = await pageWorld()
  mara = (await findPersonByEmail(world.db.read, 'mara@example.org'))?.id ?? ''
})
beforeEach(async () => {
  now = START
  requests.length = 0
  const { workspaceId, db } = world
  const rota = { id: 'rota_1', workspaceId, name: 'ops', zone: 'Europe/Berlin' } as const
  await db.write(async (tx) => {
    await deleteRota(tx, workspaceId, 'rota_1')
    await insertRota(tx, { ...rota, source: 'hand', schedule: undefined, createdAt: 1 })
    await putFeedUrl(tx, 'rota_1', url)
  })
})
afterAll(async () => {
  await server.stop(true)
  await world[Symbol.asyncDispose]()
})

const calendarOf = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')
const WEEK = ['DTSTART:20261019T070000Z', 'DTEND:20261026T080000Z']
const MARAS = calendarOf([...WEEK, 'ATTENDEE:mailto:MARA@example.org'])
const read = (signal = new AbortController().signal) =>
  readDueFeeds({ db: world.db, clock, outside }, signal)
const onCall = () => readOnCall(world.db.read, world.workspaceId, 'ops', now)
const feed = async () => (await listFeeds(world.db.read, ['rota_1']))[0]
const findings = async () =>
  (await rotaChecks(world.db.read, [world.workspaceId], now)).map((one) => [one.state, one.said])

test('a calendar is read every fifteen minutes, with its ETag, and not else', async () => {
  reply = (request) =>
    request.headers.get('if-none-match') === '"1"'
      ? new Response(null, { status: 304 })
      : new Response(MARAS, { headers: { etag: '"1"' } })
  expect((await onCall()).kind).toBe('unknown')
  await read()
  expect(await onCall()).toEqual({
    ...{ kind: 'person', personId: mara, until: Date.parse('2026-10-26T08:00Z') },
  })
  now += 15 * MINUTE_MS - 1
  await read()
  expect(requests).toHaveLength(1)
  now += 1
  await Promise.all([read(), read()])
  expect(requests).toHaveLength(2)
  expect([(await onCall()).kind, (await feed())?.readAt]).toEqual(['person', now])
})

test('what was read counts for a day while the calendar cannot be read, and Health says so', async () => {
  reply = () => new Response(MARAS)
  await read()
  expect((await findings())[0]?.[0]).toBe('ok')
  for (const failing of [
    () => new Response('no', { status: 403 }),
    () => new Response('', { status: 302, headers: { location: 'https://elsewhere.example' } }),
    () => new Response('<p>Sign in</p>'),
    () => new Response(`${MARAS}${' '.repeat(1_100_000)}`),
    () => new Response(calendarOf([...WEEK, 'RRULE:FREQ=SECONDLY'])),
  ]) {
    reply = failing
    now += 15 * MINUTE_MS
    await read()
    expect(await onCall()).toMatchObject({ kind: 'person', personId: mara })
    const [[state, sentence] = []] = await findings()
    expect([state, sentence?.includes('“ops”'), sentence?.includes(SECRET)]).toEqual([
      'warn',
      true,
      false,
    ])
    expect((await feed())?.problem).not.toContain(SECRET)
  }
  now = START + 24 * HOUR_MS
  expect((await onCall()).kind).toBe('person')
  now += 1
  expect((await onCall()).kind).toBe('unknown')
  expect((await findings())[0]?.[0]).toBe('warn')
  reply = () => new Response(MARAS)
  await read()
  expect((await onCall()).kind).toBe('person')
})

test('a private address is only reached if it is allowed, and the sentence does not have it', async () => {
  const guarded = createGuardedFetch()
  await readDueFeeds({ db: world.db, clock, outside: guarded }, new AbortController().signal)
  expect(requests).toHaveLength(0)
  const { problem = '' } = (await feed()) ?? {}
  expect([problem.includes('BECKON_ALLOW_PRIVATE_HOSTS'), problem.includes(SECRET)]).toEqual([
    true,
    false,
  ])
})

test('whose time it is: the attendee, the title, the organizer; a stranger or several are nobody’s', async () => {
  const boss = 'ORGANIZER:mailto:mara@example.org'
  const who = async (...lines: string[]) => {
    reply = () => new Response(calendarOf([...WEEK, ...lines]))
    now += 15 * MINUTE_MS
    await read()
    const result = await onCall()
    return result.kind === 'person' ? result.personId === mara : result.kind
  }
  expect(await who('SUMMARY:mara lindqvist')).toBe(true)
  expect(await who('SUMMARY:On call', boss)).toBe(true)
  expect(await who('SUMMARY:Mara Lindqvist and Bo')).toBe('nobody')
  expect(await who('SUMMARY:On call', 'ATTENDEE:mailto:eve@example.org')).toBe('nobody')
  expect(await who('SUMMARY:Off', 'STATUS:CANCELLED', boss)).toBe('nobody')
})

test('a hole is found a day before', async () => {
  reply = () => new Response(MARAS)
  now = Date.parse('2026-10-25T07:59Z')
  await read()
  expect((await findings())[0]?.[0]).toBe('ok')
  now += MINUTE_MS
  expect((await findings())[0]?.[0]).toBe('warn')
  now = Date.parse('2026-10-26T07:00Z')
  await read()
  now += 1.5 * HOUR_MS
  expect((await onCall()).kind).toBe('nobody')
})
