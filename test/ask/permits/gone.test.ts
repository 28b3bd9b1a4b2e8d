import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { linkPath } from '../../../src/ask/delivery/model/links.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

const actionHash = 'a'.repeat(64)

let world: PageWorld
let bo: Person
let cookie: string
let token: string
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  bo = await addPersonWithPassword({ db, clock }, { email: 'bo@example.org', name: 'Bo' })
  cookie = await signInAs(world.app, bo.id)
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent' })).token
})
afterEach(() => world[Symbol.asyncDispose]())

type Reply = { status: number; code?: string; permitId?: string; correlationId?: string }

async function call(path: string, body: object): Promise<Reply> {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const fields = (await response.json()) as Partial<Record<string, string>>
  return { ...fields, status: response.status }
}

async function ask(): Promise<QuestionId> {
  const reply = await call('/questions', {
    question: `Deploy ${crypto.randomUUID()}?`,
    wait: false,
  })
  return reply.correlationId as QuestionId
}
const issue = (id: string) => call(`/questions/${id}/permit`, { actionHash })
const consume = (id = '') => call(`/permits/${id}/consume`, { actionHash })
const sayYes = async (id: string) =>
  (await world.post(`/d/${id}/answer`, { value: 'yes' }, { cookie })).status
const remove = async () =>
  (await world.post(`/settings/people/${bo.id}/remove`, { tokens: 'revoke' })).status
const removeDevice = async (device: Subscriber) =>
  (await world.post(`/settings/devices/${device.id}/remove`, {})).status

/** Answers by a link that was sent to this device. */
async function tap(
  questionId: QuestionId,
  { id: subscriberId }: Subscriber,
  purpose: 'yes' | 'page',
) {
  const { quickAnswerSecret } = world.app.secrets
  const path = linkPath(quickAnswerSecret, { questionId, subscriberId, purpose })
  return (await world.post(path, { value: 'yes' }, { cookie: '' })).status
}

async function deviceOf(personId: Person['id'] | undefined): Promise<Subscriber> {
  const of = { workspaceId: world.workspaceId, label: 'Topic', transport: 'ntfy' }
  const [device] = await connect(world.db, { ...of, kind: 'phone', personId })
  if (!device) throw new Error('nothing is connected')
  return device
}

test('a yes of somebody who was removed since becomes no permit, and uses none', async () => {
  const [unfetched, unused, used] = [await ask(), await ask(), await ask()]
  for (const id of [unfetched, unused, used]) expect(await sayYes(id)).toBe(303)
  const { permitId } = await issue(unused)
  const { permitId: before } = await issue(used)
  expect((await consume(before)).status).toBe(200)
  expect(await remove()).toBe(303)
  const gone = { status: 409, code: 'conflict', detail: expect.stringContaining('was removed') }
  expect(await issue(unfetched)).toMatchObject(gone)
  expect(await issue(unused)).toMatchObject(gone)
  expect(await consume(permitId)).toMatchObject(gone)
  // What has begun is reported as ever.
  expect(await consume(before)).toMatchObject({ code: 'permit_used' })
  const report = await fetch(`${world.url}/api/v1/permits/${before}/outcome`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'succeeded' }),
  })
  expect(report.status).toBe(204)
})

test('a yes from a removed person’s device permits nothing, by a button or by its link', async () => {
  const device = await deviceOf(bo.id)
  const ids = [await ask(), await ask()] as const
  expect(await tap(ids[0], device, 'yes')).toBe(200)
  expect(await tap(ids[1], device, 'page')).toBe(200)
  const { permitId } = await issue(ids[1])
  expect(permitId).toBeString()
  expect(await remove()).toBe(303)
  for (const id of ids) expect(await issue(id)).toMatchObject({ status: 409, code: 'conflict' })
  expect(await consume(permitId)).toMatchObject({ status: 409, code: 'conflict' })
})

test('a yes from a device that was removed since permits nothing, although its person is still here', async () => {
  for (const device of [await deviceOf(bo.id), await deviceOf(undefined)]) {
    const ids = [await ask(), await ask()] as const
    expect(await tap(ids[0], device, 'yes')).toBe(200)
    expect(await tap(ids[1], device, 'page')).toBe(200)
    const { permitId } = await issue(ids[0])
    expect(await removeDevice(device)).toBe(303)
    const gone = { status: 409, detail: expect.stringContaining('(“Topic”) was removed') }
    expect(await consume(permitId)).toMatchObject(gone)
    expect(await issue(ids[1])).toMatchObject(gone)
  }
})

test('a yes in a channel of everybody permits without who connected it', async () => {
  const of = { workspaceId: world.workspaceId, personId: bo.id, endpoint: 'slack:C1' }
  const [channel] = await connect(world.db, { ...of, kind: 'chat', transport: 'slack' })
  if (!channel) throw new Error('nothing is connected')
  const id = await ask()
  expect(await tap(id, channel, 'page')).toBe(200)
  expect(await remove()).toBe(303)
  const { permitId } = await issue(id)
  expect((await consume(permitId)).status).toBe(200)
})

test('a yes of somebody who is here permits, whoever else has gone', async () => {
  const id = await ask()
  expect((await world.post(`/d/${id}/answer`, { value: 'yes' })).status).toBe(303)
  expect(await remove()).toBe(303)
  const { permitId } = await issue(id)
  expect((await consume(permitId)).status).toBe(200)
})

test('two of the same moment: removed first and used first are the only two', async () => {
  for (let round = 0; round < 5; round++) {
    const device = await deviceOf(bo.id)
    const id = await ask()
    expect(await tap(id, device, 'yes')).toBe(200)
    const { permitId } = await issue(id)
    const [used, removed] = await Promise.all([consume(permitId), removeDevice(device)])
    expect(removed).toBe(303)
    expect([200, 409]).toContain(used.status)
    expect((await consume(permitId)).status).toBe(409)
  }
})

test('what a grant allowed begins nothing once whoever gave it was removed', async () => {
  const approve = (requestId: string) =>
    call('/hooks/claude', {
      ...{ event: 'approval', sessionId: 's1', machineId: 'm1', cwd: '/home/u/shop' },
      ask: {
        ...{ question: 'Run this command?', action: 'npm test', toolName: 'Bash', requestId },
        ...{ toolTarget: 'npm test', wait: false },
        exact: { argumentsHash: 'a'.repeat(64), arguments: 'command' },
      },
    }) as unknown as Promise<{ decision?: string; question?: { correlationId: string } }>
  const first = (await approve('one')).question?.correlationId ?? ''
  const answer = { value: 'yes', grant: 'session' }
  expect((await world.post(`/d/${first}/answer`, answer, { cookie })).status).toBe(303)
  expect(await approve('two')).toMatchObject({ decision: 'allow' })
  expect(await approve('two')).toMatchObject({ decision: 'allow' })
  expect(await remove()).toBe(303)
  const again = await approve('two')
  expect(again.decision).toBeUndefined()
  expect(await issue(again.question?.correlationId ?? '')).toMatchObject({ code: 'conflict' })
})
