import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { linkToken } from '../../../src/ask/delivery/model/links.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import type { RuleMatch } from '../../../src/ask/policy/model/rule-match.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Name = 'ana' | 'bob' | 'fay' | 'cleo' | 'eve'

let world: PageWorld
let mara: Person
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name, string>
let engineers: Group
let managers: Group
/** Of Ana's agent. */
let token: string

beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  const owner = await findPersonByEmail(db.read, 'mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  mara = owner
  for (const name of ['ana', 'bob', 'fay', 'cleo', 'eve'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(world.app, people[name].id)
  }
  const group = (name: string): Group => ({
    ...{ id: newId('group', clock.now()), workspaceId, name, source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  })
  engineers = group('engineers')
  managers = group('managers')
  await db.write(async (tx) => {
    for (const one of [engineers, managers]) await insertGroup(tx, one)
  })
  await fill(engineers, 'ana', 'bob', 'fay')
  await fill(managers, 'cleo')
  const agent = await createToken({ db, clock }, { workspaceId, name: 'agent', by: people.ana.id })
  token = agent.token
})
afterEach(() => world[Symbol.asyncDispose]())

const fill = (group: Group, ...names: Name[]) =>
  world.db.write((tx) =>
    putGroupMembers(
      tx,
      group,
      'hand',
      names.map((name) => people[name].id),
    ),
  )
const approve = (approve: Partial<RuleApprove> = {}, match: RuleMatch = { toolName: 'Bash' }) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    match,
    approve: { from: [engineers.id], ...approve },
  })

type Reply = {
  status: unknown
  correlationId: QuestionId
  hint: string
  paused?: boolean
  permitId: string
  decision?: string
  question: { correlationId: QuestionId }
  onTimeout: { reason: string }
}

async function call(path: string, body: object, as = token) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { ...((await response.json()) as Reply), code: response.status }
}
const ASK = { question: 'Apply?', toolName: 'Bash', toolTarget: 'terraform apply', sessionId: 's1' }
// It may be hard to undo.
const SURE = { value: 'yes', sure: 'yes' }
const ask = (more: object = {}, as = token) =>
  call('/questions', { ...ASK, wait: false, ...more }, as)
const opened = async (more: object = {}) => (await ask(more)).correlationId as QuestionId

async function answer(id: QuestionId, who: Name | 'mara', value: string, more: object = {}) {
  const response = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: {
      origin: world.url,
      cookie: who === 'mara' ? world.cookie : cookies[who],
      'content-type': 'application/json',
    },
    body: JSON.stringify({ value, ...more }),
  })
  const { detail, status } = (await response.json()) as { detail?: string; status?: unknown }
  return { code: response.status, detail, status }
}
const read = async (id: QuestionId) => {
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  if (!question) throw new Error('there is no such question')
  return question
}
const statusOf = async (id: QuestionId) => (await read(id)).status
const votes = async (id: QuestionId) =>
  (await listVotes(world.db.read, id)).map(({ name, value }) => `${name} ${value}`).sort()

test('without a rule about it everybody answers, as before', async () => {
  await approve({}, { toolName: 'Write' })
  const id = await opened()
  expect((await answer(id, 'eve', 'yes')).code).toBe(200)
  expect(await votes(id)).toEqual([])
})

test('only who is in the group decides, over REST and on the page, and nothing is written of others', async () => {
  await approve()
  const id = await opened()
  expect(await answer(id, 'eve', 'yes')).toMatchObject({ code: 403 })
  expect((await answer(id, 'eve', 'yes')).detail).toContain('engineers')
  expect((await answer(id, 'eve', 'no')).code).toBe(403)
  expect((await answer(id, 'mara', 'yes')).code).toBe(403)
  const page = await world.post(`/d/${id}/answer`, SURE, { cookie: cookies.cleo })
  expect(page.status).toBe(422)
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', []])
  const own = await world.post(`/d/${id}/answer`, SURE, { cookie: cookies.bob })
  expect(own.status).toBe(303)
  expect(await read(id)).toMatchObject({
    status: 'answered',
    value: 'yes',
    answeredBy: people.bob.id,
  })
})

test('whoever owns the token that asks neither approves nor declines', async () => {
  await approve()
  const id = await opened()
  for (const value of ['yes', 'no']) {
    const reply = await answer(id, 'ana', value)
    expect([reply.code, reply.detail?.includes('Your own agent')]).toEqual([403, true])
  }
  expect(await votes(id)).toEqual([])
})

test('where the asker counts, they decide like everybody', async () => {
  await approve({ asker: 'counts' })
  const id = await opened()
  expect((await answer(id, 'ana', 'yes')).code).toBe(200)
  expect(await statusOf(id)).toBe('answered')
})

test('no link, button or chat says yes; the device of a decider says no', async () => {
  await approve()
  const { db, workspaceId, app } = world
  const id = await opened()
  const [device] = await connect(db, aDevice({ workspaceId, personId: people.bob.id }))
  if (!device) throw new Error('no device')
  const { id: subscriberId } = device
  const link = (purpose: 'page' | 'yes' | 'no') =>
    `/a/${linkToken(app.secrets.quickAnswerSecret, { questionId: id, subscriberId, purpose })}`
  for (const purpose of ['yes', 'no'] as const) {
    expect((await world.post(link(purpose), {}, { cookie: '' })).status).toBe(403)
  }
  const yes = await world.post(link('page'), { value: 'yes', sure: 'yes' }, { cookie: '' })
  expect([yes.status, await statusOf(id)]).toEqual([422, 'pending'])
  const no = await world.post(link('page'), { value: 'no' }, { cookie: '' })
  expect([no.status, await statusOf(id)]).toEqual([200, 'answered'])
  expect(await read(id)).toMatchObject({ value: 'no', answeredOn: { kind: 'link' } })
})

test('a link to the device of somebody else decides nothing', async () => {
  await approve()
  const { db, workspaceId, app } = world
  const id = await opened()
  const [device] = await connect(db, aDevice({ workspaceId, personId: people.eve.id }))
  const about = { questionId: id, subscriberId: device?.id ?? 'sub_', purpose: 'page' as const }
  const path = `/a/${linkToken(app.secrets.quickAnswerSecret, about)}`
  expect((await world.post(path, { value: 'no' }, { cookie: '' })).status).toBe(422)
  expect(await statusOf(id)).toBe('pending')
})

test('quiet hours, a mode, a pause and a rule for no answer leave nothing to the terminal', async () => {
  await approve()
  const deps = { db: world.db, clock }
  await setPolicy(deps, world.workspaceId, {
    deliveryMode: 'terminal_only',
    quietHours: { from: '00:00', to: '23:59', zone: 'UTC' },
    pauseAfterUnanswered: 1,
  })
  const set = { deliveryMode: 'notify_only', onTimeout: 'hand_off' } as const
  await addRule(deps, world.workspaceId, {
    match: { toolName: 'Bash', toolTarget: 'terraform*' },
    set,
  })
  for (let n = 0; n < 3; n++) {
    const reply = await ask({ question: `Apply ${n}?` })
    expect(reply).toMatchObject({ deliveryMode: 'push_only', status: 'pending' })
    expect(reply.paused).toBeUndefined()
    expect(await statusOf(reply.correlationId)).toBe('pending')
  }
})

test('it cannot be handed over to the terminal', async () => {
  await approve()
  const id = await opened()
  const reply = await fetch(`${world.url}/api/v1/questions/${id}/hand-over`, {
    method: 'POST',
    headers: { origin: world.url, cookie: cookies.bob },
  })
  expect([reply.status, await statusOf(id)]).toEqual([403, 'pending'])
  expect(await (await world.get(`/d/${id}`, cookies.bob)).text()).not.toContain('/terminal')
})

const hook = (toolUseId: string, more: object = {}, as = token) =>
  call(
    '/hooks/claude-code',
    {
      event: 'approval',
      sessionId: 's1',
      machineId: 'm1',
      cwd: '/home/ana/shop',
      timeoutMs: 1_000,
      ask: {
        question: 'Run terraform apply?',
        action: 'terraform apply',
        toolName: 'Bash',
        toolTarget: 'terraform apply',
        actionHash: 'a'.repeat(64),
        exact: { argumentsHash: 'b'.repeat(64), arguments: 'command' },
        toolUseId,
      },
      ...more,
    },
    as,
  )

test('no more specific rule and no grant allows what people have to agree to; a rule that declines does', async () => {
  await approve()
  const deps = { db: world.db, clock }
  const match = { toolName: 'Bash', toolTarget: 'terraform apply' }
  await addRule(deps, world.workspaceId, { match, decision: 'allow' })
  const reply = await hook('t1')
  expect(reply.decision).toBeUndefined()
  expect(reply.onTimeout).toMatchObject({ decision: 'deny', staysOpen: true })
  const grant = await answer(reply.question.correlationId, 'bob', 'yes', { grant: 'session' })
  expect(grant.code).toBe(422)
  await addRule(deps, world.workspaceId, { match: { ...match, machineId: 'm1' }, decision: 'deny' })
  expect((await hook('t2')).decision).toBe('deny')
})

test('several are not answered together', async () => {
  await approve()
  const ids = [await opened({ requestId: 'a' }), await opened({ requestId: 'b' })]
  for (const value of ['yes', 'no']) {
    const fields = [...ids.map((id) => ['id', id]), ['value', value]]
    await world.post('/inbox/together', fields, { cookie: cookies.bob })
  }
  expect(await Promise.all(ids.map(statusOf))).toEqual(['pending', 'pending'])
})

test('a token without a known owner is asked of nobody, and told why', async () => {
  await approve()
  const { db, workspaceId } = world
  const { token: ownerless } = await createToken({ db, clock }, { workspaceId, name: 'old' })
  const reply = await ask({}, ownerless)
  expect(reply).toMatchObject({ noDevices: true, handoffAction: 'stop' })
  expect(reply.hint).toContain('Whose token this is is not known')
  expect(await statusOf(reply.correlationId)).toBe('expired')
})

test('what too few people can decide is over at once', async () => {
  await approve()
  await fill(engineers, 'ana')
  const reply = await ask()
  expect(reply).toMatchObject({ noDevices: true, handoffAction: 'stop' })
  expect(reply.hint).toContain('Nobody may decide this now')
  const reply2 = await hook('t1')
  expect(reply2.onTimeout).toMatchObject({ decision: 'deny' })
})

test('a rule can name whose token it is, which no caller can claim, and match everything', async () => {
  await approve({}, { owner: people.ana.id })
  const { db, workspaceId } = world
  const other = await createToken({ db, clock }, { workspaceId, name: 'other', by: people.eve.id })
  const own = await opened({ repoKey: 'another', toolName: 'Other' })
  expect((await answer(own, 'eve', 'yes')).code).toBe(403)
  const { correlationId } = await ask({}, other.token)
  expect((await answer(correlationId, 'eve', 'yes')).code).toBe(200)
  await approve({}, {})
  const { correlationId: all } = await ask({ question: 'More?' }, other.token)
  expect((await answer(all, 'eve', 'yes')).code).toBe(403)
})

test('test traffic, which reaches nobody, is answered by programs as before', async () => {
  await approve()
  const id = await opened({ env: 'test' })
  expect((await call(`/questions/${id}/answer`, { value: 'yes' })).status).toBe('answered')
})

test('two have to agree; the first is told that their yes counts, and the agent that one is missing', async () => {
  await approve({ need: 2 })
  const id = await opened()
  expect(await answer(id, 'bob', 'yes')).toMatchObject({ code: 200, status: 'pending' })
  expect(await answer(id, 'bob', 'yes')).toMatchObject({ code: 200, status: 'pending' })
  const waiting = await fetch(`${world.url}/api/v1/questions/${id}?timeoutMs=1000`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(((await waiting.json()) as { hint: string }).hint).toMatch(
    /^1 of 2 approvals so far, not a yes/,
  )
  expect(await answer(id, 'fay', 'yes')).toMatchObject({ code: 200, status: 'answered' })
  expect(await votes(id)).toEqual(['bob yes', 'fay yes'])
  const ended = await fetch(`${world.url}/api/v1/questions/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { hint, value } = (await ended.json()) as { hint: string; value: string }
  expect([value, hint]).toEqual(['yes', 'Approved by bob and fay. Use it within 15 minutes, once.'])
  const trail = (await world.db.read.select().from(audit)).filter(
    ({ subjectId }) => subjectId === id,
  )
  expect(
    trail
      .map(({ kind, personName }) => `${kind} ${personName}`)
      .filter((row) => row.startsWith('vote')),
  ).toEqual(['vote.given bob', 'vote.changed bob', 'vote.given fay'])
})

test('of two last votes at once, one ends it and both count', async () => {
  await approve({ need: 2 })
  const id = await opened()
  const replies = await Promise.all([answer(id, 'bob', 'yes'), answer(id, 'fay', 'yes')])
  expect(replies.map(({ status }) => status).sort()).toEqual(['answered', 'pending'])
  expect(await votes(id)).toEqual(['bob yes', 'fay yes'])
})

test('one no ends it, or only that of those who may veto', async () => {
  await approve({ need: 2 })
  const id = await opened()
  await answer(id, 'bob', 'yes')
  await answer(id, 'fay', 'no', { note: 'not today' })
  expect(await read(id)).toMatchObject({ status: 'answered', value: 'no', note: 'not today' })
  await approve({ no: [managers.id] }, { toolName: 'Write' })
  const other = await opened({ toolName: 'Write' })
  expect(await answer(other, 'bob', 'no')).toMatchObject({ code: 200, status: 'pending' })
  expect((await answer(other, 'cleo', 'yes')).detail).toContain('You may decline this')
  expect(await answer(other, 'cleo', 'no')).toMatchObject({ status: 'answered' })
})

test('a retry of the same call joins its question, and an approval given meanwhile counts once', async () => {
  await approve({ need: 2 })
  const first = await hook('t1')
  const { correlationId: id } = first.question
  await answer(id, 'bob', 'yes')
  const again = await hook('t2')
  expect(again.question.correlationId).toBe(id)
  expect(again.onTimeout.reason).toContain('1 of 2 approvals')
  await answer(id, 'fay', 'yes')
  const third = await hook('t3')
  expect(third.question).toMatchObject({ correlationId: id, status: 'answered', value: 'yes' })
  const permit = await call(`/questions/${id}/permit`, { actionHash: 'a'.repeat(64) })
  const used = await call(`/permits/${permit.permitId}/consume`, { actionHash: 'a'.repeat(64) })
  expect(used.code).toBe(200)
  const fourth = await hook('t4')
  expect(fourth.question.correlationId).not.toBe(id)
})

test('a retry from another machine, or after who has to agree was changed, is asked anew', async () => {
  const { removeRule } = await import('../../../src/ask/policy/change-policy.ts')
  const { id: ruleId } = await approve()
  const { correlationId: id } = (await hook('t1')).question
  await answer(id, 'bob', 'yes')
  const other = await hook('t2', { machineId: 'm2' })
  expect(other.question).toMatchObject({ status: 'pending' })
  expect(other.question.correlationId).not.toBe(id)
  await removeRule({ db: world.db, clock }, world.workspaceId, ruleId)
  await approve({ need: 2 })
  const stricter = await hook('t3')
  expect(stricter.question.correlationId).not.toBe(id)
  expect(stricter.onTimeout.reason).toContain('was changed since')
  expect((await hook('t4')).question.correlationId).toBe(stricter.question.correlationId)
})

test('a yes of somebody who was removed since is used for nothing', async () => {
  await approve()
  const { correlationId: id } = (await hook('t1')).question
  await answer(id, 'bob', 'yes')
  await fill(engineers, 'ana', 'fay')
  const permit = await call(`/questions/${id}/permit`, { actionHash: 'a'.repeat(64) })
  expect(permit.code).toBe(409)
  expect((await hook('t2')).question.correlationId).not.toBe(id)
})

test('a rule that was deleted still holds for the question that it was asked under, and a rename follows', async () => {
  const { id: ruleId } = await approve()
  const id = await opened()
  const { removeRule } = await import('../../../src/ask/policy/change-policy.ts')
  await removeRule({ db: world.db, clock }, world.workspaceId, ruleId, mara.id)
  expect((await answer(id, 'eve', 'yes')).code).toBe(403)
  expect((await answer(id, 'fay', 'yes')).code).toBe(200)
})
