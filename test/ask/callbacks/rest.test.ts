import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { members } from '../../../src/ask/accounts/model/table.ts'
import { settleCallback } from '../../../src/ask/callbacks/model/store.ts'
import { callbacks } from '../../../src/ask/callbacks/model/table.ts'
import { CLAIM_MS } from '../../../src/platform/db/outbox.ts'
import { claimDue } from '../../../src/platform/db/outbox-store.ts'
import { type As, type RestWorld, restWorld } from '../http/rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type CallbackItem = { id: string; correlationId: string; state: string; attempts: unknown[] }
type Page = { items: CallbackItem[]; next?: string }
type Secret = { secret: string; ending: unknown[] }

const get = async <T>(path: string, as: As = 'member') =>
  (await world.call({ as, path: `/api/v1${path}` })).body as T
const post = (path: string, as: As = 'member', body?: unknown) =>
  world.call({ as, method: 'POST', path: `/api/v1${path}`, body })

async function answered(callbackUrl: string): Promise<string> {
  const reply = await post('/questions', 'agent', { question: 'Deploy?', wait: false, callbackUrl })
  const { correlationId } = reply.body as { correlationId: string }
  await post(`/questions/${correlationId}/answer`, 'member', { value: 'yes' })
  return correlationId
}

test('the secret is made once, and a workspace of its own has another', async () => {
  const { secret, ending } = await get<Secret>('/callback-secret')
  expect(secret).toStartWith('whsec_')
  expect(ending).toEqual([])
  expect(await get<Secret>('/callback-secret')).toMatchObject({ secret })
  expect((await get<Secret>('/callback-secret', 'otherMember')).secret).not.toBe(secret)
})

test('rotating answers with the new secret and says how long the old one signs', async () => {
  const before = await get<Secret>('/callback-secret')
  const rotated = (await post('/callback-secret/rotate')).body as Secret
  expect(rotated.secret).not.toBe(before.secret)
  expect(rotated.ending).toHaveLength(1)
  expect(await get<Secret>('/callback-secret')).toEqual(rotated)
})

test('the log goes page by page, newest first, and shows each attempt', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.unshift(await answered(`http://127.0.0.1:9/${i}`))
  const first = await get<Page>('/callbacks?limit=2')
  expect(first.items.map((item) => item.correlationId)).toEqual(ids.slice(0, 2))
  const rest = await get<Page>(`/callbacks?limit=2&cursor=${first.next}`)
  expect(rest.items.map((item) => item.correlationId)).toEqual(ids.slice(2))
  expect(rest.next).toBeUndefined()
  expect((await get<Page>('/callbacks', 'otherMember')).items).toEqual([])
  const wrong = await world.call({ as: 'member', path: '/api/v1/callbacks?cursor=%27--' })
  expect(wrong.status).toBe(400)
})

test('sending again makes it due now; another workspace and an unknown id find nothing', async () => {
  await answered('http://127.0.0.1:9/again')
  const [item] = (await get<Page>('/callbacks?limit=1')).items
  const id = item?.id as `cb_${string}`
  const at = world.deps.clock.now()
  const attempt = { id: 'att_1', callbackId: id, at, status: 410, error: 'The receiver left.' }
  await world.deps.db.write(async (tx) => {
    const claim = { by: 'me', now: at, until: at + CLAIM_MS }
    await claimDue(tx, callbacks, claim, { limit: 100 })
    await settleCallback(tx, 'me', { attempt, state: 'gone', nextAt: undefined })
  })
  const [gone] = (await get<Page>('/callbacks?limit=1')).items
  expect(gone).toMatchObject({ id, state: 'gone', attempts: [{ status: 410 }] })

  expect((await post(`/callbacks/${id}/redeliver`, 'otherMember')).status).toBe(404)
  expect((await post('/callbacks/cb_none/redeliver')).status).toBe(404)
  const again = await post(`/callbacks/${id}/redeliver`)
  expect([again.status, again.body as CallbackItem]).toEqual([
    200,
    expect.objectContaining({ id, state: 'waiting', attempts: [expect.anything()] }),
  ])
})

test('an ask whose callbackUrl can never be reached says so and records nothing', async () => {
  for (const callbackUrl of ['https://10.0.0.1/x', 'http://example.com/x', 'ftp://a.example/']) {
    const { status, body } = await post('/questions', 'agent', { question: 'Lost?', callbackUrl })
    expect([status, (body as { fields: unknown[] }).fields]).toEqual([
      422,
      [{ field: 'callbackUrl', must: expect.stringContaining('cannot be called') }],
    ])
  }
  expect((await world.call({ as: 'member', path: '/api/v1/inbox' })).text).not.toContain('Lost?')
})

test('none of it is for members who do not own the workspace', async () => {
  await world.deps.db.write((tx) =>
    tx.update(members).set({ role: 'member' }).where(eq(members.personId, 'bob')),
  )
  const answers = await Promise.all([
    world.call({ as: 'otherMember', path: '/api/v1/callback-secret' }),
    world.call({ as: 'otherMember', path: '/api/v1/callbacks' }),
    post('/callback-secret/rotate', 'otherMember'),
    post('/callbacks/cb_none/redeliver', 'otherMember'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})

test('the log of the server never shows a secret, a body or the key in an address', async () => {
  await answered('http://127.0.0.1:9/hook?key=magic-word')
  const { secret } = await get<Secret>('/callback-secret')
  expect(world.logged.join('\n')).not.toContain(secret)
  expect(world.logged.join('\n')).not.toContain('magic-word')
})
