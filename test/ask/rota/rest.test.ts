import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { putFeedUrl, putReading } from '../../../src/ask/rota/model/feed-store.ts'
import type { RotaId } from '../../../src/ask/rota/model/rota.ts'
import { insertRota } from '../../../src/ask/rota/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { signInAs } from '../../support/sign-in.ts'

const DAY_MS = 24 * 60 * 60_000
type Fields = Record<string, unknown>

let world: PageWorld
let mara: string
let bo: string
let agent: { authorization: string }
beforeAll(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  mara = (await findPersonByEmail(db.read, 'mara@example.org'))?.id ?? ''
  const who = { email: 'bo@example.org', name: 'Bo Berg', role: 'member' } as const
  bo = (await addPerson({ db, clock }, who)).person.id
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'a', by: mara })
  agent = { authorization: `Bearer ${token}` }
})
afterAll(() => world[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: object, headers: object = owner()) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: world.url, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Fields }
}
const owner = () => ({ cookie: world.cookie })
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
const onCall = (rota: string, at?: number, headers?: object) => {
  const query = new URLSearchParams({ rota, ...(at !== undefined && { at: iso(at) }) })
  return call('GET', `/on-call?${query}`, undefined, headers)
}
const TURNS = { zone: 'Europe/Berlin', from: '2026-01-01' }

async function addedRota(name: string, changes: object = {}): Promise<string> {
  const added = await call('POST', '/rotas', { name, ...TURNS, people: [bo], ...changes })
  expect(added.status).toBe(201)
  return String(added.body.id)
}

test('an owner sets up, changes, overrides and removes a rota, and a script asks who is on call', async () => {
  const id = await addedRota('platform', { people: [bo, mara] })
  const path = `/rotas/${id}`
  expect((await call('GET', path)).body).toMatchObject({
    ...{ name: 'platform', zone: 'Europe/Berlin', from: '2026-01-01', at: '09:00', everyDays: 7 },
    people: [{ id: bo, name: 'Bo Berg', email: 'bo@example.org' }, { id: mara }],
    ...{ source: 'hand', overrides: [] },
  })
  const changes = { everyDays: 14, people: [bo] }
  expect((await call('PATCH', path, changes)).body).toMatchObject({ ...changes, people: [{}] })
  expect((await onCall('platform')).body).toMatchObject({ is: 'person', person: { id: bo } })
  const [starts, ends] = [iso(clock.now() - 60_000), iso(clock.now() + DAY_MS)]
  const draft = { person: mara, kind: 'takes', starts, ends }
  const override = await call('POST', `${path}/overrides`, draft)
  expect([override.status, Date.parse(`${override.body.ends}`)]).toEqual([201, Date.parse(ends)])
  expect((await onCall('platform')).body).toEqual({
    ...{ rota: 'platform', at: expect.any(String), is: 'person' },
    person: { id: mara, name: 'Mara Lindqvist', email: 'mara@example.org' },
    insteadOf: { id: bo, name: 'Bo Berg', email: 'bo@example.org' },
    until: override.body.ends,
  })
  const later = await onCall('platform', clock.now() + 2 * DAY_MS)
  expect(later.body).toMatchObject({ is: 'person', person: { id: bo } })
  const removal = `${path}/overrides/${override.body.id}`
  expect((await call('DELETE', removal)).status).toBe(204)
  expect((await call('DELETE', removal)).status).toBe(404)
  expect((await onCall('platform')).body).toMatchObject({ person: { id: bo } })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await onCall('platform')).status).toBe(404)
})

test('an agent is told the name of who is on call, and nothing else of people', async () => {
  await addedRota('agents')
  const reply = await onCall('agents', undefined, agent)
  expect(reply).toMatchObject({ status: 200, body: { is: 'person', person: { name: 'Bo Berg' } } })
  expect(JSON.stringify(reply.body)).not.toMatch(/@|"id"/)
  expect((await onCall('agents', undefined, {})).status).toBe(401)
  expect((await call('GET', '/rotas', undefined, agent)).status).toBe(401)
  const wrong = { authorization: 'Bearer bk_nobody' }
  expect((await onCall('agents', undefined, wrong)).status).toBe(401)
})

test('whoever is away is stood in for, and a vacation of everybody leaves nobody, with its reason', async () => {
  const id = await addedRota('away', { people: [bo, mara] })
  const times = { starts: iso(clock.now() - 60_000), ends: iso(clock.now() + DAY_MS) }
  const away = (person: string) =>
    call('POST', `/rotas/${id}/overrides`, { person, kind: 'away', ...times })
  await away(bo)
  expect((await onCall('away')).body).toMatchObject({ person: { id: mara } })
  await away(mara)
  const { body } = await onCall('away')
  expect([body.is, body.person, typeof body.reason]).toEqual(['nobody', undefined, 'string'])
})

test('each wrong field is named, and nothing is stored', async () => {
  const id = await addedRota('right')
  const url = 'https://calendar.example.com/a.ics'
  const calendar = await call('POST', '/rotas', { name: 'calendar', zone: 'UTC', url })
  const wrong: Array<[string, string, object, string]> = [
    ['POST', '/rotas', { name: 'x', ...TURNS }, 'people'],
    ['POST', '/rotas', { name: 'x', zone: 'UTC', people: [bo] }, 'from'],
    ['POST', '/rotas', { name: 'x', zone: 'UTC' }, 'people'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo], url }, 'url'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: ['per_0'] }, 'people'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo, bo] }, 'people'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo], from: '2026-02-30' }, 'from'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo], at: '24:00' }, 'at'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo], everyDays: 0 }, 'everyDays'],
    ['POST', '/rotas', { name: 'x', ...TURNS, people: [bo], every: 7 }, 'every'],
    ['POST', '/rotas', { name: 'x', zone: 'Europe/Atlantis', url }, 'zone'],
    ['POST', '/rotas', { name: 'x', zone: 'UTC', url: 'ftp://calendar.example.com/a' }, 'url'],
    ['PATCH', `/rotas/${id}`, { name: 'a@b' }, 'name'],
    ['PATCH', `/rotas/${id}`, { url }, 'url'],
    ['PATCH', `/rotas/${id}`, { people: [] }, 'people'],
    ['PATCH', `/rotas/${calendar.body.id}`, { people: [bo] }, 'people'],
    ['POST', `/rotas/${id}/overrides`, { person: bo, kind: 'takes', starts: 'x' }, 'starts'],
    ['GET', `/on-call?rota=right&at=tomorrow`, {}, 'at'],
    ['GET', `/on-call?rota=right&at=${iso(clock.now() - 2 * DAY_MS)}`, {}, 'at'],
    ['GET', '/on-call', {}, 'rota'],
  ]
  for (const [method, path, body, field] of wrong) {
    const reply = await call(method, path, method === 'GET' ? undefined : body)
    const fields = (reply.body.fields as { field: string }[] | undefined)?.map((one) => one.field)
    expect([path, body, reply.status, fields?.includes(field)]).toEqual([path, body, 422, true])
  }
  expect((await call('POST', '/rotas', { name: 'right', ...TURNS, people: [bo] })).status).toBe(409)
  const { rotas } = (await call('GET', '/rotas')).body as { rotas: Fields[] }
  expect(rotas.filter(({ name }) => name === 'x')).toEqual([])
  expect(rotas.find((one) => one.id === id)).toMatchObject({ name: 'right', people: [{ id: bo }] })
})

test('the address of a calendar is written and never read, and what is not known is not nobody', async () => {
  const url = 'https://calendar.example.com/k3y-in-the-address.ics'
  const added = await call('POST', '/rotas', { name: 'feed', zone: 'UTC', url })
  expect(added.body).toMatchObject({ calendar: { host: 'calendar.example.com' } })
  expect((await onCall('feed')).body).toMatchObject({ is: 'unknown' })
  const path = `/rotas/${added.body.id}`
  const replies = [
    added,
    await call('GET', path),
    await call('PATCH', path, { zone: 'Asia/Tokyo' }),
  ]
  expect(JSON.stringify([...replies, await call('GET', '/rotas')])).not.toContain('k3y')
  // A month ahead it is asked with what was read just now, not with what will be old then.
  const rotaId = added.body.id as RotaId
  const [from, to] = [clock.now() - DAY_MS, clock.now() + 40 * DAY_MS]
  const event = { from, to, attendees: ['bo@example.org'], organizer: '', summary: 'Bo' }
  await world.db.write(async (tx) => {
    const of = { rotaId, url, workspaceId: world.workspaceId }
    await putFeedUrl(tx, rotaId, url)
    await putReading(tx, of, { is: 'read', shifts: [event], etag: undefined }, clock.now())
  })
  const ahead = await onCall('feed', clock.now() + 30 * DAY_MS)
  expect(ahead.body).toMatchObject({ is: 'person', person: { id: bo } })
  expect((await onCall('feed', clock.now() + 90 * DAY_MS)).body).toMatchObject({ is: 'unknown' })
})

test('a member reads and changes nothing; a rota from the policy file takes overrides alone', async () => {
  const id = await addedRota('closed')
  const cookie = { cookie: await signInAs(world.app, bo) }
  expect((await call('GET', `/rotas/${id}`, undefined, cookie)).status).toBe(200)
  expect((await onCall('closed', undefined, cookie)).body).toMatchObject({ person: { id: bo } })
  for (const [method, path] of [
    ['POST', '/rotas'],
    ['PATCH', `/rotas/${id}`],
    ['DELETE', `/rotas/${id}`],
    ['POST', `/rotas/${id}/overrides`],
  ] as const) {
    expect([path, (await call(method, path, {}, cookie)).status]).toEqual([path, 403])
  }
  const schedule = { startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [bo] }
  const rota = { id: 'rota_rest', name: 'file', zone: 'UTC', schedule, source: 'file' } as const
  const { workspaceId } = world
  await world.db.write((tx) => insertRota(tx, { ...rota, workspaceId, createdAt: 1 }))
  expect((await call('PATCH', '/rotas/rota_rest', { name: 'mine' })).status).toBe(409)
  expect((await call('DELETE', '/rotas/rota_rest')).status).toBe(409)
  const times = { starts: iso(clock.now()), ends: iso(clock.now() + DAY_MS) }
  const override = { person: mara, kind: 'takes', ...times }
  expect((await call('POST', '/rotas/rota_rest/overrides', override)).status).toBe(201)
})
