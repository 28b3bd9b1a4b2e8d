import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type As, type Ask, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const PATH = '/api/v1/subscribers'
const call = (ask: Partial<Ask>) => world.call({ as: 'member', path: PATH, ...ask })
type Device = { id: string; label: string; tags: string[]; externalId?: string }

async function connected(name: string, more: object = {}, as: As = 'member'): Promise<Device> {
  const phone = { kind: 'phone', transport: 'webpush', ...world.push.subscribe(name), ...more }
  return (await call({ as, method: 'POST', body: phone })).body as Device
}

const change = (id: string, body: unknown, as: As = 'member') =>
  call({ as, method: 'PATCH', path: `${PATH}/${id}`, body: body as object })

async function storedOf(id: string): Promise<Device | undefined> {
  const { body } = await call({})
  return (body as { subscribers: Device[] }).subscribers.find((one) => one.id === id)
}

async function trailOf(id: string) {
  const { body } = await call({ path: '/api/v1/audit?kind=device.changed' })
  const { entries } = body as { entries: Array<Record<string, string>> }
  return entries.filter(({ subjectId }) => subjectId === id).map(({ outcome }) => outcome)
}

test('a device gets tags, an id and a name, and is reached by them', async () => {
  const { id } = await connected('tagged')
  const body = { label: 'Pixel', tags: [' work', 'on call', 'work'], externalId: 'mara-1' }
  const changed = await change(id, body)
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({ id, label: 'Pixel', tags: ['on call', 'work'] })
  expect(changed.text).not.toContain('push.example')

  for (const targeting of [{ tags: ['on call'] }, { externalIds: ['mara-1'] }]) {
    const before = world.push.delivered.length
    const notification = { title: 'Hello', body: 'There.', ...targeting }
    await call({ as: 'agent', method: 'POST', path: '/api/v1/notifications', body: notification })
    const names = world.push.delivered.slice(before).map(({ name }) => name)
    expect(names).toEqual(['tagged'])
  }
  expect(await trailOf(id)).toEqual(['name: Pixel; tags: on call, work; external id: mara-1'])
})

test('what is not named stays, empty values take away, and what is so already leaves no trace', async () => {
  const { id } = await connected('kept', { label: 'Kept', tags: ['a', 'b'], externalId: 'x' })
  expect((await change(id, { externalId: '' })).body).toMatchObject({ tags: ['a', 'b'] })
  expect((await change(id, { tags: ['b', 'a'] })).body).toMatchObject({ label: 'Kept' })
  expect((await change(id, {})).status).toBe(200)
  const bare = (await change(id, { tags: [] })).body as Device
  expect([bare.tags, bare.externalId, bare.label]).toEqual([[], undefined, 'Kept'])
  expect((await trailOf(id)).sort()).toEqual(['no external id', 'no tags'])
  // A browser that subscribes again keeps what its person chose.
  await change(id, { tags: ['c'] })
  const again = await connected('kept')
  expect([again.id, again.tags]).toEqual([id, ['c']])
})

test('what cannot be one is refused by its field, and changes nothing', async () => {
  const { id } = await connected('refused', { tags: ['a'] })
  const many = Array.from({ length: 21 }, (_, i) => `t${i}`)
  for (const [body, problem] of [
    [{ tags: many }, '"field":"tags","must":"must have at most 20 items"'],
    [{ tags: ['a', 'x'.repeat(65)] }, '"field":"tags[1]","must":"must have at most 64 characters"'],
    [{ tags: ['a', ''] }, '"field":"tags[1]"'],
    [{ tags: ['a', '\u3164'] }, '"field":"tags[1]","must":"must have something that can be seen"'],
    [{ tags: ['a,b'] }, '"field":"tags[0]","must":"must not contain a comma'],
    [{ tags: 'a' }, '"field":"tags"'],
    [{ tags: null }, '"field":"tags"'],
    [{ externalId: 'x'.repeat(201) }, 'must have at most 200 characters'],
    [
      { externalId: '\u2800' },
      '"field":"externalId","must":"must have something that can be seen"',
    ],
    [{ externalId: 7 }, '"field":"externalId"'],
    [{ label: '' }, '"field":"label"'],
    [{ label: '\u200b' }, '"field":"label"'],
    [{ label: 'x'.repeat(101) }, 'must have at most 100 characters'],
    [{ endpoint: 'https://evil.example/' }, '"field":"endpoint"'],
    [{ personId: 'owner' }, '"field":"personId"'],
  ] as const) {
    const { status, text } = await change(id, body)
    expect([body, status]).toEqual([body, 422])
    expect(text).toContain(problem)
  }
  const stored = await storedOf(id)
  expect([stored?.tags, stored?.externalId]).toEqual([['a'], undefined])
  expect(await trailOf(id)).toEqual([])
})

test('a device of another workspace is not there, and agents change none', async () => {
  const { id } = await connected('mine')
  expect((await change(id, { tags: ['x'] }, 'otherMember')).status).toBe(404)
  expect((await change(id, { tags: ['x'] }, 'agent')).status).toBe(401)
  expect((await change('sub_none', { tags: ['x'] })).status).toBe(404)
  expect((await storedOf(id))?.tags).toEqual([])
})

test('two changes at once of different fields both hold, and of one field one of them', async () => {
  const { id } = await connected('both')
  await Promise.all([
    change(id, { tags: ['a', 'b'] }),
    change(id, { externalId: 'x' }),
    change(id, { label: 'L' }),
    change(id, { tags: ['c', 'd'] }),
  ])
  const stored = await storedOf(id)
  expect(stored).toMatchObject({ externalId: 'x', label: 'L' })
  expect([
    ['a', 'b'],
    ['c', 'd'],
  ]).toContainEqual(stored?.tags ?? [])
})
