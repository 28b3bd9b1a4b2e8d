import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { putReading } from '../../../src/ask/rota/model/feed-store.ts'
import type { RotaId } from '../../../src/ask/rota/model/rota.ts'
import { findRota, insertRota, listOverrides } from '../../../src/ask/rota/model/store.ts'
import { readOnCall } from '../../../src/ask/rota/read-on-call.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { signInAs } from '../../support/sign-in.ts'

const DAY_MS = 24 * 60 * 60_000

let world: PageWorld
let mara: Person
let bo: Person
beforeAll(async () => {
  world = await pageWorld()
  const owner = await findPersonByEmail(world.db.read, 'mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  mara = owner
  const who = { email: 'bo@example.org', name: 'Bo Berg', role: 'member' } as const
  bo = (await addPerson({ db: world.db, clock }, who)).person
})
afterAll(() => world[Symbol.asyncDispose]())

const TURNS = {
  ...{ kind: 'turns', zone: 'Asia/Kathmandu', from: '2026-01-01', at: '09:00', every: '7' },
  people: 'Bo@example.org\nmara@example.org',
}
const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const add = (changes: Record<string, string>) =>
  world.post('/settings/rotas', { ...TURNS, ...changes }, { cookie: world.cookie })
const post = (path: string, fields: Record<string, string>) =>
  world.post(path, fields, { cookie: world.cookie })

async function addedRota(name: string, changes: Record<string, string> = {}) {
  const page = (await add({ name, ...changes })).headers.get('location') ?? ''
  return { page, id: page.split('/').at(-1) as RotaId }
}
const onCall = (name: string) => readOnCall(world.db.read, world.workspaceId, name, clock.now())
const trail = async (id: RotaId) =>
  (await world.db.read.select().from(audit))
    .filter(({ subjectId, kind }) => subjectId === id && kind === 'rota.changed')
    .map(({ personName, subjectName, detail }) => [personName, subjectName, detail])

test('an owner sets up, overrides, changes and removes a rota on its page, and the trail names each step', async () => {
  const { page, id } = await addedRota(' platform ', { people: 'Bo@example.org' })
  expect(await onCall('platform')).toEqual({ kind: 'person', personId: bo.id, until: undefined })
  const tomorrow = clock.now() + DAY_MS
  const times = { startsDay: '2025-01-01', startsTime: '00:00', endsTime: '00:00' }
  const override = { person: mara.id, act: 'takes', ...times, endsDay: day(tomorrow + DAY_MS) }
  expect((await post(`${page}/overrides`, override)).status).toBe(422)
  const short = { ...override, startsDay: day(clock.now() - DAY_MS) }
  expect((await post(`${page}/overrides`, short)).status).toBe(303)
  expect(await onCall('platform')).toMatchObject({ kind: 'person', personId: mara.id })
  const text = await (await world.get(page)).text()
  expect(text).toContain('in place of Bo Berg')
  const [entry] = await listOverrides(world.db.read, [id], 0)
  const removed = await post(`${page}/overrides/remove`, { override: entry?.id ?? '' })
  expect([removed.status, (await onCall('platform')).kind]).toEqual([303, 'person'])
  expect((await post(page, { ...TURNS, name: 'base', every: '14' })).status).toBe(303)
  expect((await findRota(world.db.read, world.workspaceId, id))?.schedule).toMatchObject({
    ...{ everyDays: 14, people: [bo.id, mara.id] },
  })
  expect((await post(`${page}/remove`, {})).status).toBe(303)
  expect((await world.get(page)).status).toBe(404)
  const who = 'Mara Lindqvist'
  expect(await trail(id)).toEqual([
    [who, 'platform', 'added'],
    [
      who,
      'platform',
      expect.stringMatching(/^Mara Lindqvist takes over from .* 00:00 .*Kathmandu/),
    ],
    [who, 'platform', expect.stringMatching(/^no longer: Mara Lindqvist takes over/)],
    [who, 'base', 'renamed, was platform; turns changed'],
    [who, 'base', 'removed'],
  ])
})

test('each wrong field is named, and nothing is stored', async () => {
  const wrong: Array<[Record<string, string>, string]> = [
    [{ name: '' }, 'name'],
    [{ name: 'a@b' }, 'name'],
    [{ zone: 'Europe/Atlantis' }, 'zone'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '' }, 'from'],
    [{ at: '24:00' }, 'at'],
    [{ every: '0' }, 'every'],
    [{ every: '1.5' }, 'every'],
    [{ every: '' }, 'every'],
    [{ people: '' }, 'people'],
    [{ people: 'eve@example.org' }, 'people'],
    [{ people: 'bo@example.org bo@example.org' }, 'people'],
    [{ kind: 'calendar', url: '' }, 'url'],
    [{ kind: 'calendar', url: 'ftp://calendar.example.com/a.ics' }, 'url'],
    [{ kind: 'calendar', url: 'https://u:p@calendar.example.com/a.ics' }, 'url'],
  ]
  for (const [changes, field] of wrong) {
    const reply = await add({ name: 'wrong', ...changes })
    expect([changes, reply.status]).toEqual([changes, 422])
    expect(await reply.text()).toContain(`id="${field}-wrong"`)
  }
  expect((await onCall('wrong')).kind).toBe('unknown')
  await add({ name: 'twice' })
  expect((await add({ name: 'twice' })).status).toBe(409)
})

test('times of an override are of the rota’s zone, and one that is over, endless or of nobody is refused', async () => {
  const { page, id } = await addedRota('nepal')
  const [from, to] = [day(clock.now() + 2 * DAY_MS), day(clock.now() + 3 * DAY_MS)]
  const times = { startsDay: from, startsTime: '09:00', endsDay: to, endsTime: '09:00' }
  const right = { person: mara.id, act: 'away', ...times }
  expect((await post(`${page}/overrides`, right)).status).toBe(303)
  const [entry] = await listOverrides(world.db.read, [id], 0)
  expect(entry).toMatchObject({ kind: 'away', from: Date.parse(`${from}T03:15Z`) })
  for (const changes of [
    { person: 'nobody' },
    { endsDay: from },
    { startsDay: '2025-01-01', endsDay: '2025-01-02' },
    { endsDay: '2099-01-01' },
    { startsTime: '' },
    { endsDay: 'tomorrow' },
  ]) {
    const reply = await post(`${page}/overrides`, { ...right, ...changes })
    expect([changes, reply.status]).toEqual([changes, 422])
  }
})

test('a member looks and changes nothing; a rota from the policy file takes overrides alone', async () => {
  const { page } = await addedRota('closed')
  const cookie = await signInAs(world.app, bo.id)
  expect(await (await world.get(page, cookie)).text()).not.toContain(`action="${page}`)
  for (const path of ['/settings/rotas', page, `${page}/overrides`, `${page}/remove`]) {
    expect((await world.post(path, TURNS, { cookie })).status).toBe(403)
  }
  const schedule = { startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [bo.id] }
  const { workspaceId } = world
  const rota = { id: 'rota_file', workspaceId, name: 'file', zone: 'UTC', schedule } as const
  await world.db.write((tx) => insertRota(tx, { ...rota, source: 'file', createdAt: 1 }))
  expect((await post('/settings/rotas/rota_file', { ...TURNS, name: 'mine' })).status).toBe(409)
  expect((await post('/settings/rotas/rota_file/remove', {})).status).toBe(409)
  const text = await (await world.get('/settings/rotas/rota_file')).text()
  expect([text.includes('name="every"'), text.includes('name="startsDay"')]).toEqual([false, true])
})

test('the address of a calendar is shown and recorded nowhere but for its host', async () => {
  const secret = 'k3y-in-the-address'
  const url = `https://calendar.example.com/${secret}/on-call.ics`
  const { page, id } = await addedRota('ops', { kind: 'calendar', url })
  const texts = [page, '/settings/rotas', '/activity/audit'].map(async (path) =>
    (await world.get(path)).text(),
  )
  const pages = (await Promise.all(texts)).join()
  expect([pages.includes('calendar.example.com'), pages.includes(secret)]).toEqual([true, false])
  await post(page, { kind: 'calendar', name: 'ops', zone: 'UTC', url: `${url}?2` })
  expect(JSON.stringify(await trail(id))).not.toContain(secret)
  expect((await onCall('ops')).kind).toBe('unknown')
})

test('a calendar that cannot be read says why once, and that owners are notified instead', async () => {
  const calendar = { kind: 'calendar', zone: 'UTC', url: 'https://calendar.example.com/a.ics' }
  const { page, id } = await addedRota('feed', calendar)
  const problem = 'its server answered with 503'
  const feed = { rotaId: id, url: calendar.url, workspaceId: world.workspaceId }
  await world.db.write((tx) => putReading(tx, feed, { is: 'failed', problem }, clock.now()))
  const text = await (await world.get(page)).text()
  expect(text.split(problem).length).toBe(2)
  expect(text).toContain('Owners are notified instead.')
})
