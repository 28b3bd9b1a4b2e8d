import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deviceKey } from '../../../src/ask/delivery/model/links.ts'
import { until } from '../../support/until.ts'
import { type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Deliveries = { deliveries: object[] }
const read = async (id: string, as: 'member' | 'otherMember' | 'nobody' = 'member') =>
  world.call({ as, path: `/api/v1/deliveries/${id}` })

test('what became of a question is told device by device, to its own people alone', async () => {
  const reply = await world.call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: { question: 'Deploy?', wait: false },
  })
  const { correlationId: id } = reply.body as { correlationId: string }
  const listed = async () => ((await read(id)).body as Deliveries).deliveries
  await until(async () => JSON.stringify(await listed()).includes('acceptedAt'))

  const device = world.browser.id
  const key = deviceKey(world.deps.quickAnswerSecret, device)
  for (const what of ['shown', 'opened']) {
    const path = `/api/v1/subscribers/${device}/${what}`
    const body = { key, id, kind: 'question' }
    const reply = await world.call({ as: 'nobody', method: 'POST', path, body })
    expect(reply.status).toBe(204)
  }
  const time = expect.any(String)
  expect(await listed()).toEqual([
    expect.objectContaining({
      subscriberId: device,
      message: 'question',
      state: 'accepted',
      acceptedAt: time,
      shownAt: time,
      openedAt: time,
    }),
  ])
  expect((await world.call({ as: 'member', path: '/api/v1/subscribers' })).text).toContain(
    'lastOpenedAt',
  )
  const counts = (as: 'agent' | 'otherAgent') =>
    world.call({ as, path: `/api/v1/questions/${id}/delivery` })
  expect((await counts('agent')).body as object).toEqual({
    addressed: 1,
    accepted: 1,
    shown: 1,
    pending: false,
  })
  expect((await counts('otherAgent')).status).toBe(404)
  expect((await read(id, 'otherMember')).status).toBe(404)
  expect((await read(id, 'nobody')).status).toBe(401)
})
