import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHANNELS } from '../../../src/ask/channels/channels.ts'
import { deviceKey, linkPath, quickKey } from '../../../src/ask/delivery/model/links.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const link = (questionId: QuestionId, subscriberId: SubscriberId, purpose: 'yes' | 'page') =>
  linkPath(world.app.secrets.quickAnswerSecret, { questionId, subscriberId, purpose })

async function send(path: string, body: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status
}

const FRESH = { endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }

/** Everything that was sent to a device, used without a sign-in: what each is answered. */
async function useAll(questionId: QuestionId, id: SubscriberId): Promise<Record<string, number>> {
  const { quickAnswerSecret } = world.app.secrets
  const stranger = { cookie: '' }
  const quick = { value: 'yes', key: quickKey(quickAnswerSecret, questionId, id), subscriberId: id }
  const key = deviceKey(quickAnswerSecret, id)
  const page = link(questionId, id, 'page')
  return {
    look: (await world.get(page, '')).status,
    renew: await send(`/subscribers/${id}/renew`, { ...FRESH, key }),
    report: await send(`/subscribers/${id}/look`, { key, permission: 'granted' }),
    quick: await send(`/questions/${questionId}/answer`, quick),
    button: (await world.post(link(questionId, id, 'yes'), {}, stranger)).status,
    stop: (await world.post(page, { stop: 'yes' }, stranger)).status,
    page: (await world.post(page, { value: 'yes' }, stranger)).status,
  }
}

const statusOf = async (id: QuestionId) =>
  (await findQuestion(world.db.read, world.workspaceId, id))?.status

test.each(CHANNELS.map(({ name, kinds }) => [name, kinds[0] ?? 'chat'] as const))(
  'what was sent to a device of %s answers nothing once it is removed',
  async (transport, kind) => {
    const { db, workspaceId } = world
    const [device, other] = await connect(
      db,
      { workspaceId, transport, kind, endpoint: `${transport}:one` },
      { workspaceId, transport, kind, endpoint: `${transport}:two` },
    )
    const questionId = await world.ask()
    const id = device?.id ?? 'sub_'
    expect((await world.get(link(questionId, id, 'page'), '')).status).toBe(200)
    expect((await world.post(`/settings/devices/${id}/remove`, {})).status).toBe(303)
    expect(await useAll(questionId, id)).toEqual({
      ...{ look: 410, renew: 403, report: 403, quick: 403, button: 410, stop: 410, page: 410 },
    })
    expect(await statusOf(questionId)).toBe('pending')
    // The same on a device that is still there does answer.
    const path = link(questionId, other?.id ?? 'sub_', 'page')
    expect((await world.post(path, { value: 'yes' }, { cookie: '' })).status).toBe(200)
    expect(await statusOf(questionId)).toBe('answered')
  },
)
