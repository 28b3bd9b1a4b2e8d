import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { findPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { putVisibility } from '../../../src/ask/accounts/model/workspace-store.ts'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import type { GroupId } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { readFirstSteps } from '../../../src/ask/home/first-steps.ts'
import { readEndedDays } from '../../../src/ask/inbox/read-ended-days.ts'
import { addRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { JSON_BODY } from '../http/who/rows.ts'
import { type As, type WhoWorld, whoWorld } from '../http/who/world.ts'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => see('group'))

const see = (visibility: 'workspace' | 'group' | 'own') =>
  world.app.db.write((tx) => putVisibility(tx, world.workspaceId, visibility))

async function ask(more: object = {}): Promise<QuestionId> {
  const body = JSON.stringify({ question: `Deploy ${Bun.randomUUIDv7()}?`, wait: false, ...more })
  const headers = { ...JSON_BODY, ...world.headersOf('agent') }
  const response = await world.send('POST', '/api/v1/questions', { headers, body })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}

const get = (as: As, path: string) => world.send('GET', path, { headers: world.headersOf(as) })
const status = async (as: As, id: string) => (await get(as, `/d/${id}`)).status

async function recipients(id: QuestionId): Promise<string[]> {
  const rows = await listDeliveries(world.app.db.read, world.workspaceId, id)
  return rows.map(({ subscriberId }) => names.get(subscriberId) ?? subscriberId).sort()
}
const names = new Map<string, string>()

test('whoever may decide a question sees it, as long as they may', async () => {
  const id = 'group_deciders' as GroupId
  const group = { id, workspaceId: world.workspaceId, name: 'deciders', createdAt: 0 } as const
  await world.app.db.write((tx) =>
    insertGroup(tx, { ...group, source: 'hand', externalId: undefined }),
  )
  const put = (people: string[]) =>
    world.app.db.write((tx) => putGroupMembers(tx, group, 'hand', people))
  await put(['outsider'])
  const deps = { db: world.app.db, clock }
  const rule = await addRule(deps, world.workspaceId, { match: {}, approve: { from: [id] } })
  await see('own')
  const question = await ask()
  expect(await status('outsider', question)).toBe(200)
  expect(await (await get('outsider', '/api/v1/inbox')).text()).toContain(question)
  await put([])
  expect(await status('outsider', question)).toBe(404)
  await put(['outsider'])
  expect(await status('outsider', question)).toBe(200)
  await removeRule(deps, world.workspaceId, rule.id)
})

test('a message goes to those who see the question, and whoever it names sees it', async () => {
  for (const personId of ['owner', 'member', 'outsider', undefined]) {
    const externalId = personId && `phone-of-${personId}`
    const whose = { workspaceId: world.workspaceId, personId, externalId }
    for (const { id } of await connect(world.app.db, whose)) names.set(id, personId ?? 'channel')
  }
  expect(await recipients(await ask())).toEqual(['channel', 'member', 'owner'])
  const targeted = await ask({ externalIds: ['phone-of-outsider'] })
  expect(await recipients(targeted)).toEqual(['outsider'])
  expect([await status('outsider', targeted), await status('member', targeted)]).toEqual([200, 200])
  await see('own')
  expect(await recipients(await ask())).toEqual(['channel', 'owner'])
  expect([await status('outsider', targeted), await status('member', targeted)]).toEqual([200, 404])
  await see('workspace')
  expect(await recipients(await ask())).toEqual(['channel', 'member', 'outsider', 'owner'])
})

test('an agent waits for what the owner of its token sees', async () => {
  const of = { workspaceId: world.workspaceId, name: 'theirs' } as const
  const { token } = await createToken({ db: world.app.db, clock }, { ...of, by: 'outsider' })
  const wait = async (id: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await world.send('GET', `/api/v1/questions/${id}?timeoutMs=1000`, { headers })
    return JSON.parse((await response.text()).replaceAll(id, 'ID'))
  }
  const id = await ask()
  expect(await wait(id)).toEqual(await wait('q_none'))
  await see('workspace')
  expect(await wait(id)).toMatchObject({ status: 'pending' })
})

test('a stream tells of what its person sees, and of nothing else', async () => {
  const readers = await Promise.all(
    (['member', 'outsider'] as const).map(async (as) => (await get(as, '/api/v1/events')).body),
  )
  const hidden = await ask()
  const visible = await ask({ externalIds: ['phone-of-outsider'] })
  const texts = await Promise.all(readers.map((body) => readUntil(body, visible)))
  expect(texts.map((text) => text.includes(hidden))).toEqual([true, false])
})

async function readUntil(body: ReadableStream<Uint8Array> | null, end: string): Promise<string> {
  let text = ''
  for await (const bytes of body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (text.includes(end)) break
  }
  return text
}

test('counts are of what the viewer sees', async () => {
  await world.endedQuestion()
  const counted = async (id: string, sees?: 'group') => {
    const viewer = sees
      ? ({ id, workspaceId: world.workspaceId, sees } as const)
      : ({ workspaceId: world.workspaceId } as const)
    const { total } = await readEndedDays({ db: world.app.db, clock }, { viewer }, 'UTC')
    return total.withdrawn > 0
  }
  expect([await counted('owner'), await counted('member', 'group')]).toEqual([true, true])
  expect(await counted('outsider', 'group')).toBe(false)
})

test('the first steps know of the agents that the person sees', async () => {
  const deps = { db: world.app.db, clock }
  const others = async (id: string) => {
    const person = await findPerson(deps.db.read, id)
    return person && (await readFirstSteps(deps, person)).others > 0
  }
  await ask()
  expect([await others('member'), await others('outsider')]).toEqual([true, false])
})
