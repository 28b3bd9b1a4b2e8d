import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readVapid } from '../../support/push-server.ts'
import { until } from '../../support/until.ts'
import { type As, type Ask, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const PATH = '/api/v1/subscribers'
const call = (ask: Partial<Ask>) => world.call({ as: 'member', path: PATH, ...ask })
const subscribe = (body: object, as: As = 'member') => call({ as, method: 'POST', body })

type Device = { id: string; deviceKey: string; label: string; tags: string[] }

const aPhone = (name: string) => ({
  kind: 'phone',
  transport: 'webpush',
  ...world.push.subscribe(name),
})

async function labels(as: As = 'member'): Promise<string[]> {
  const { body } = await call({ as })
  return (body as { subscribers: Device[] }).subscribers.map(({ label }) => label)
}

test('a device subscribes, is listed, is tested with its true result, and leaves', async () => {
  const reply = await subscribe({ ...aPhone('pixel'), label: 'Pixel', tags: ['on call'] })
  expect(reply.status).toBe(201)
  const { id } = reply.body as Device
  expect(await labels()).toContain('Pixel')

  const tested = await call({ method: 'POST', path: `${PATH}/${id}/test` })
  expect(tested.body).toMatchObject({ accepted: true, status: 201 })
  expect(world.push.delivered.at(-1)?.name).toBe('pixel')

  expect((await call({ method: 'DELETE', path: `${PATH}/${id}` })).status).toBe(204)
  expect(await labels()).not.toContain('Pixel')
  expect((await call({ method: 'POST', path: `${PATH}/${id}/test` })).status).toBe(404)
})

test('an app without a browser subscribes, reads a question, and answers it with the key in it', async () => {
  const key = (await call({ path: '/api/v1/push-key' })).body as { publicKey: string }
  const created = await subscribe({ ...aPhone('an-app'), label: 'App' })
  const question = { question: 'Does the app ring?', wait: false }
  const reply = await call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: question,
  })
  const { correlationId } = reply.body as { correlationId: string }
  const arrived = () =>
    world.push.delivered.find(
      ({ name, headers }) => name === 'an-app' && headers.topic === correlationId,
    )
  await until(async () => arrived() !== undefined)
  const { headers, payload } = arrived() ?? {}
  expect(await readVapid(headers?.authorization ?? '')).toMatchObject({ key: key.publicKey })
  const { answerKey, subscriberId } = payload?.notification.data ?? {}
  expect(subscriberId).toBe((created.body as Device).id)
  const path = `/api/v1/questions/${correlationId}/answer`
  const say = (value: string) =>
    call({ as: 'nobody', method: 'POST', path, body: { value, key: answerKey, subscriberId } })
  expect((await say('yes')).body).toMatchObject({ status: 'answered', value: 'yes' })
  expect((await say('no')).body).toMatchObject({ code: 'too_late', outcome: { value: 'yes' } })
})

test('a push service that refuses is not called a success', async () => {
  const gone = world.push.subscribe('gone', { status: 410 })
  const { body } = await subscribe({ kind: 'browser', transport: 'webpush', ...gone })
  const { id } = body as Device
  const tested = await call({ method: 'POST', path: `${PATH}/${id}/test` })
  expect([tested.status, tested.body]).toEqual([
    200,
    expect.objectContaining({ accepted: false, outcome: 'gone', status: 410 }),
  ])
})

test('the address and the keys of a device are never shown', async () => {
  const phone = aPhone('secretive')
  await subscribe({ ...phone, label: 'Secretive' })
  const { text } = await call({})
  expect(text).toContain('Secretive')
  expect(text).not.toContain(phone.endpoint)
  expect(text).not.toContain(phone.keys.auth)
})

test('another workspace neither sees nor touches it', async () => {
  const { body } = await subscribe({ ...aPhone('own'), label: 'Own' })
  const { id } = body as Device
  expect(await labels('otherMember')).not.toContain('Own')
  const as = 'otherMember'
  expect((await call({ as, method: 'DELETE', path: `${PATH}/${id}` })).status).toBe(404)
  expect((await call({ as, method: 'POST', path: `${PATH}/${id}/test` })).status).toBe(404)
  expect(await labels()).toContain('Own')
})

test('what is not a subscription is refused, field by field', async () => {
  const phone = aPhone('wrong')
  for (const [change, field] of [
    [{ kind: 'fridge' }, 'kind'],
    [{ endpoint: 'not a url' }, 'endpoint'],
    [{ endpoint: 'https://10.0.0.1/push' }, 'endpoint'],
    [{ keys: { p256dh: 'short', auth: phone.keys.auth } }, 'keys'],
    [{ extra: 1 }, 'extra'],
  ] as const) {
    const { status, text } = await subscribe({ ...phone, ...change })
    expect([field, status]).toEqual([field, 422])
    expect(text).toContain(`"field":"${field}`)
  }
})

test('a device speaks for itself with its key, and only with its own', async () => {
  const first = (await subscribe(aPhone('first'))).body as Device
  const second = (await subscribe(aPhone('second'))).body as Device
  const say = (what: string, body: object) =>
    call({ as: 'nobody', method: 'POST', path: `${PATH}/${first.id}/${what}`, body })
  const moved = world.push.subscribe('moved')
  for (const key of ['', 'nonsense', second.deviceKey]) {
    expect((await say('shown', { key })).status).toBe(403)
    expect((await say('renew', { key, ...moved })).status).toBe(403)
  }
  expect((await say('shown', { key: first.deviceKey })).status).toBe(204)
  expect((await say('renew', { key: first.deviceKey, ...moved })).status).toBe(204)
  const { text } = await call({})
  expect(text).toContain('lastShownAt')
  await call({ method: 'POST', path: `${PATH}/${first.id}/test` })
  expect(world.push.delivered.at(-1)?.name).toBe('moved')
})
