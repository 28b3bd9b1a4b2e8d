import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type As, type RestWorld, restWorld } from '../http/rest-world.ts'

const HASH = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(body: object = {}, value: string | null = 'yes'): Promise<string> {
  const question = { question: `Run it? ${randomUUID()}`, wait: false, ...body }
  const reply = await world.call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: question,
  })
  if (reply.status !== 200) throw new Error(reply.text)
  const { correlationId } = reply.body as { correlationId: string }
  if (value !== null) {
    const path = `/api/v1/questions/${correlationId}/answer`
    await world.call({ as: 'member', method: 'POST', path, body: { value } })
  }
  return correlationId
}

type Reply = { status: number; code?: string; permitId: string; expiresAt: string }

async function post(path: string, body: object, as: As = 'agent'): Promise<Reply> {
  const { status, body: reply } = await world.call({
    as,
    method: 'POST',
    path: `/api/v1${path}`,
    body,
  })
  return { ...(reply as object), status } as Reply
}

const issue = (id: string, actionHash = HASH, as?: As) =>
  post(`/questions/${id}/permit`, { actionHash }, as)
const consume = (id: string, actionHash = HASH, as?: As) =>
  post(`/permits/${id}/consume`, { actionHash }, as)
const outcome = (id: string, body: object, as?: As) => post(`/permits/${id}/outcome`, body, as)

async function trail(kind: string, about: string) {
  const { body } = await world.call({ as: 'member', path: `/api/v1/audit?kind=${kind}` })
  const { entries } = body as { entries: Array<{ subjectId: string; outcome: string }> }
  return entries.filter(({ subjectId }) => subjectId === about).map((item) => item.outcome)
}

test('a yes becomes a permit, which allows its action once', async () => {
  const id = await ask()
  const permit = await issue(id)
  expect(permit).toEqual({
    status: 200,
    permitId: expect.stringMatching(/^permit_\w{25}$/),
    expiresAt: expect.any(String),
  })
  expect(Date.parse(permit.expiresAt)).toBeGreaterThan(Date.now())
  expect(await issue(id)).toEqual(permit)
  expect(await consume(permit.permitId)).toMatchObject({ status: 200, correlationId: id })
  expect(await consume(permit.permitId)).toMatchObject({ status: 409, code: 'permit_used' })
  expect(await issue(id)).toMatchObject({ status: 409, code: 'permit_used' })

  const failed = {
    outcome: 'failed',
    detail: 'disk full\u0007, token ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  }
  expect(await outcome(permit.permitId, failed)).toMatchObject({ status: 204 })
  expect(await outcome(permit.permitId, failed)).toMatchObject({ status: 204 })
  expect((await outcome(permit.permitId, { outcome: 'succeeded' })).status).toBe(409)
  expect(await trail('permit.used', id)).toEqual([`SHA-256 ${HASH}`])
  const [ended = ''] = await trail('permit.outcome', id)
  expect(ended).toStartWith('failed: disk full, token ')
  expect(ended).not.toContain('ghp_16C7')
})

test('whoever is first of many uses it, and nobody else', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await ask()
    const issued = await Promise.all(Array.from({ length: 5 }, () => issue(id)))
    const [first] = issued
    expect(new Set(issued.map(({ permitId }) => permitId))).toEqual(
      new Set([first?.permitId ?? '']),
    )
    const used = await Promise.all(Array.from({ length: 10 }, () => consume(first?.permitId ?? '')))
    const codes = used.map(({ status, code }) => code ?? status)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(codes.filter((code) => code === 'permit_used')).toHaveLength(9)
  }
})

test('only the action that was bound is permitted', async () => {
  const id = await ask()
  const { permitId } = await issue(id)
  expect(await issue(id, OTHER)).toMatchObject({ status: 409, code: 'permit_mismatch' })
  expect(await consume(permitId, OTHER)).toMatchObject({ status: 409, code: 'permit_mismatch' })
  expect(await consume(permitId)).toMatchObject({ status: 200 })
})

test('a question that named its action permits no other', async () => {
  const id = await ask({ requestId: `action:${HASH}:deploy-7` })
  expect(await issue(id, OTHER)).toMatchObject({ status: 409, code: 'permit_mismatch' })
  expect(await issue(id)).toMatchObject({ status: 200 })
})

test('without a yes there is no permit', async () => {
  expect(await issue(await ask({}, 'no'))).toMatchObject({ status: 409, code: 'conflict' })
  expect(await issue(await ask({}, null))).toMatchObject({ status: 409, code: 'conflict' })
  const select = await ask({ type: 'select', options: ['yes', 'no'] }, 'yes')
  expect(await issue(select)).toMatchObject({ status: 409, code: 'conflict' })
  const withdrawn = await ask({}, null)
  await post(`/questions/${withdrawn}/cancel`, {})
  expect(await issue(withdrawn)).toMatchObject({ status: 409, code: 'conflict' })
})

test('a permit belongs to the token that asked, and to nobody who steals its id', async () => {
  const id = await ask()
  expect((await issue(id, HASH, 'tester')).status).toBe(404)
  expect((await issue(id, HASH, 'otherAgent')).status).toBe(404)
  const { permitId } = await issue(id)
  expect((await consume(permitId, HASH, 'tester')).status).toBe(404)
  expect((await consume(permitId, HASH, 'otherAgent')).status).toBe(404)
  expect((await consume(permitId, HASH, 'nobody')).status).toBe(401)
  expect((await outcome(permitId, { outcome: 'succeeded' }, 'tester')).status).toBe(404)
  expect((await outcome(permitId, { outcome: 'succeeded' })).status).toBe(409)
  expect((await issue('q_0000000000000000000000000')).status).toBe(404)
})

test('a wrong digest is named', async () => {
  const id = await ask()
  for (const actionHash of ['', 'x'.repeat(129), 'a b', 'a\nb', '\u0000', '<b>']) {
    const { status, body } = await world.call({
      as: 'agent',
      method: 'POST',
      path: `/api/v1/questions/${id}/permit`,
      body: { actionHash },
    })
    expect([actionHash, status]).toEqual([actionHash, 422])
    expect(JSON.stringify(body)).toContain('actionHash')
  }
})
