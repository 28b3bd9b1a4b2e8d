import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { findClaim } from '../../../src/ask/claims/model/store.ts'
import { findFailover } from '../../../src/ask/fail-over/model/store.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Name = 'ana' | 'bob' | 'eve'
const MINUTE = 60_000

let world: PageWorld
let token: string
let group: Group
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name, string>
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId, app } = world
  for (const name of ['ana', 'bob', 'eve'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(app, people[name].id)
    await connect(db, { workspaceId, personId: people[name].id })
  }
  const about = { workspaceId, name: 'engineers', source: 'hand', createdAt: 1 } as const
  group = { id: newId('group', 1), ...about, externalId: undefined }
  await db.write(async (tx) => {
    await insertGroup(tx, group)
    await putGroupMembers(tx, group, 'hand', [people.ana.id, people.bob.id])
  })
  const by = people.eve.id
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
})
afterEach(() => world[Symbol.asyncDispose]())

async function ask(approve: Partial<RuleApprove> = {}, more: object = {}) {
  const escalate = [{ afterMs: 10 * MINUTE, tell: ['owners'], inform: true }]
  await addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [group.id], escalate, ...approve },
  })
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Go?', toolName: 'Bash', wait: false, ...more }),
  })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}
const page = async (id: string, who: Name) => (await world.get(`/d/${id}`, cookies[who])).text()
const post = (path: string, who: Name, fields: Record<string, string> = {}) =>
  world.post(path, fields, { cookie: cookies[who] })
const claim = async (id: string, who: Name) => (await post(`/d/${id}/claim`, who)).status
const holder = async (id: QuestionId) => (await findClaim(world.db.read, id, clock.now()))?.personId
const stepAt = async (id: QuestionId) =>
  (await findFailover(world.db.read, world.workspaceId, id))?.stepAt ?? 0
const CLAIM = 'I am on it'
const BACK = 'Give it back'

test('whoever may decide takes a question once; it holds the steps, and others see who', async () => {
  const id = await ask()
  expect(await page(id, 'ana')).toContain(CLAIM)
  expect(await page(id, 'eve')).not.toContain(CLAIM)
  expect(await claim(id, 'eve')).toBe(422)
  const before = await stepAt(id)
  expect(await claim(id, 'ana')).toBe(303)
  expect((await stepAt(id)) - before).toBe(5 * MINUTE)
  expect(await holder(id)).toBe(people.ana.id)
  const seen = await page(id, 'bob')
  expect(seen).toContain('Taken by')
  expect(seen).not.toContain(CLAIM)
  expect([await claim(id, 'bob'), await claim(id, 'ana')]).toEqual([422, 422])
  const rows = (await world.db.read.select().from(audit)).filter(
    ({ kind }) => kind === 'question.claimed',
  )
  expect(rows).toMatchObject([{ subjectId: id, personName: 'ana' }])
})

test('whoever took it gives it back on its page, and the steps go on', async () => {
  const id = await ask()
  const before = await stepAt(id)
  await claim(id, 'ana')
  expect(await page(id, 'ana')).toContain(BACK)
  expect(await page(id, 'bob')).not.toContain(BACK)
  const giveBack = async (who: Name) =>
    (await post(`/d/${id}/claim`, who, { release: 'yes' })).status
  await giveBack('bob')
  expect(await holder(id)).toBe(people.ana.id)
  expect(await giveBack('ana')).toBe(303)
  expect([await holder(id), (await stepAt(id)) - before < MINUTE]).toEqual([undefined, true])
  expect(await page(id, 'ana')).not.toContain(BACK)
  expect(await page(id, 'bob')).toContain(CLAIM)
  // Twice, or after its time, is what was wanted as well.
  expect(await giveBack('ana')).toBe(303)
})

test('others decide it after one more tap; a no needs none', async () => {
  const id = await ask()
  await claim(id, 'ana')
  const first = await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('sure')])
  expect((await post(`/d/${id}/answer`, 'bob', { value: 'yes', sure: 'yes' })).status).toBe(303)
  expect(await page(id, 'bob')).not.toContain(CLAIM)
  const second = await ask({}, { question: 'And this?' })
  await claim(second, 'ana')
  expect((await post(`/d/${second}/answer`, 'bob', { value: 'no' })).status).toBe(303)
  // Whoever has it needs no second tap.
  const third = await ask({}, { question: 'And that?' })
  await claim(third, 'ana')
  expect((await post(`/d/${third}/answer`, 'ana', { value: 'yes' })).status).toBe(303)
})

test('a claim ends with a vote, a sign-out and a removal, and the steps go on', async () => {
  const approve = { need: 2, asker: 'counts' } as const
  const voted = await ask(approve)
  await claim(voted, 'ana')
  await post(`/d/${voted}/answer`, 'ana', { value: 'yes' })
  expect(await holder(voted)).toBeUndefined()
  expect(await page(voted, 'ana')).not.toContain(CLAIM)

  const left = await ask(approve, { question: 'And this?' })
  await claim(left, 'bob')
  const held = await stepAt(left)
  const again = await signInAs(world.app, people.bob.id)
  await world.post('/sign-out', {}, { cookie: cookies.bob })
  expect(await holder(left)).toBeUndefined()
  expect(await stepAt(left)).toBeLessThan(held)
  cookies.bob = again
  expect(await claim(left, 'bob')).toBe(422)

  const gone = await ask(approve, { question: 'And that?' })
  await claim(gone, 'ana')
  const path = `/settings/people/${people.ana.id}/remove`
  expect((await world.post(path, { confirm: 'yes' }, { cookie: world.cookie })).status).toBe(303)
  expect(await holder(gone)).toBeUndefined()
})

type Reply = { status: number; body: Record<string, unknown> }
async function rest(method: string, path: string, who: Name | 'agent'): Promise<Reply> {
  const as = who === 'agent' ? { authorization: `Bearer ${token}` } : { cookie: cookies[who] }
  const response = await fetch(`${world.url}/api/v1/questions/${path}`, {
    method,
    headers: { origin: world.url, ...as },
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

test('over REST a question is taken, shown as taken, and given back once', async () => {
  const id = await ask()
  const before = await stepAt(id)
  expect(await rest('POST', `${id}/claim`, 'eve')).toMatchObject({
    ...{ status: 403, body: { code: 'is_asker' } },
  })
  const claimed = await rest('POST', `${id}/claim`, 'ana')
  expect([claimed.status, claimed.body.correlationId]).toEqual([201, id])
  const claim = { person: 'ana', until: claimed.body.until }
  for (const who of ['bob', 'agent'] as const) {
    expect((await rest('GET', `${id}/approval`, who)).body).toMatchObject({ claim, votes: [] })
  }
  const other = await rest('POST', `${id}/claim`, 'bob')
  expect([other.status, other.body.code]).toEqual([409, 'conflict'])
  expect((await rest('DELETE', `${id}/claim`, 'bob')).status).toBe(404)
  expect((await rest('DELETE', `${id}/claim`, 'ana')).status).toBe(204)
  expect([await holder(id), (await stepAt(id)) - before < MINUTE]).toEqual([undefined, true])
  expect((await rest('GET', `${id}/approval`, 'bob')).body.claim).toBeUndefined()
  expect((await rest('POST', `${id}/claim`, 'ana')).status).toBe(409)
  expect((await rest('POST', `${id}/claim`, 'bob')).status).toBe(201)
  await post(`/d/${id}/answer`, 'bob', { value: 'no' })
  expect((await rest('POST', `${id}/claim`, 'ana')).body.code).toBe('too_late')
})

test('over REST a vote is taken back while the question is open', async () => {
  const id = await ask({ need: 2 })
  await post(`/d/${id}/answer`, 'ana', { value: 'yes' })
  const have = async () => (await rest('GET', `${id}/approval`, 'agent')).body.have
  expect(await have()).toBe(1)
  expect((await rest('DELETE', `${id}/vote`, 'bob')).status).toBe(404)
  expect((await rest('DELETE', `${id}/vote`, 'ana')).status).toBe(204)
  expect([await have(), (await rest('DELETE', `${id}/vote`, 'ana')).status]).toEqual([0, 404])
})

test('an agent reads who agreed, without notes and proofs, and nothing of what it may not see', async () => {
  const id = await ask({ need: 2 })
  await post(`/d/${id}/answer`, 'ana', { value: 'yes', note: 'Looked at the plan' })
  const { body } = await rest('GET', `${id}/approval`, 'agent')
  expect(body).toEqual({
    ...{ rules: [expect.any(String)], need: 2, have: 1 },
    missing: [{ from: ['engineers'], need: 1 }],
    votes: [{ person: 'ana', value: 'yes', at: expect.any(String), counts: true }],
  })
  const { body: own } = await rest('GET', `${id}/approval`, 'ana')
  expect(own.votes).toMatchObject([{ note: 'Looked at the plan', proof: 'session' }])
  const none = await rest('GET', 'q_0/approval', 'agent')
  expect([none.status, none.body.code]).toEqual([404, 'not_found'])
})

test('whether a yes over REST would count says what proof is missing', async () => {
  const id = await ask({ fresh: 'passkey' })
  const { body } = await rest('GET', `${id}/approval`, 'bob')
  expect(body.whyNoYes).toMatchObject({ code: 'proof_needed' })
})
