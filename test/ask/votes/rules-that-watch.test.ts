import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { linkToken } from '../../../src/ask/delivery/model/links.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { approverChecks } from '../../../src/ask/health/approver-check.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { changeVisibility } from '../../../src/ask/policy/change-visibility.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import type { RuleInput } from '../../../src/ask/policy/write-rule.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Name = 'ana' | 'bob' | 'fay' | 'eve'

let world: PageWorld
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name | 'mara', string>
const groupId = newId('group', 1)
/** Of Ana's agent. */
let token: string
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  cookies.mara = world.cookie
  for (const name of ['ana', 'bob', 'fay', 'eve'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(world.app, people[name].id)
  }
  const group = { id: groupId, workspaceId, name: 'engineers', source: 'hand' } as const
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, externalId: undefined, createdAt: 1 })
    const ids = (['ana', 'bob', 'fay'] as const).map((name) => people[name].id)
    await putGroupMembers(tx, group, 'hand', ids)
  })
  const by = people.ana.id
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
})
afterEach(() => world[Symbol.asyncDispose]())

const APPLY = { toolName: 'Bash', toolTarget: 'terraform apply*' }
const add = (more: Partial<RuleInput> = {}) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    ...{ match: APPLY, approve: { from: [groupId], need: 2 }, mode: 'watch' },
    ...more,
  })

async function call(path: string, body: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}
let number = 0
async function ask(more: object = {}): Promise<string> {
  const body = { question: `Apply ${++number}?`, ...APPLY, toolTarget: 'terraform apply' }
  return String((await call('/questions', { ...body, wait: false, ...more })).correlationId)
}
type Reply = { rules: Array<{ mode?: string; watched?: object; needs?: object }> }
async function json(path: string, who: Name | 'mara', init: RequestInit = {}) {
  const headers = { cookie: cookies[who], origin: world.url, 'content-type': 'application/json' }
  const response = await fetch(`${world.url}/api/v1${path}`, { ...init, headers })
  return { code: response.status, body: (await response.json()) as Reply }
}
const answer = (id: string, who: Name | 'mara', value = 'yes') =>
  json(`/questions/${id}/answer`, who, { method: 'POST', body: JSON.stringify({ value }) })
const count = async (who: Name | 'mara' = 'mara') =>
  (await json('/rules', who)).body.rules.find(({ mode }) => mode)?.watched
const text = async (path: string, who: Name | 'mara' = 'mara') =>
  (await (await world.get(path, cookies[who])).text())
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('anybody answers as before, and it is counted who did and whether they could have agreed', async () => {
  await add()
  await answer(await ask(), 'bob')
  for (const who of ['eve', 'eve', 'ana'] as const) await answer(await ask(), who)
  await ask()
  await ask({ toolTarget: 'terraform plan' })
  expect(await count()).toMatchObject({
    ...{ days: 30, calls: 5, isPartial: false },
    asks: [{ words: '2 of engineers', calls: 5 }],
    endings: { alone: 4, open: 1, rules: 0 },
    // Ana owns the token that asks.
    deciders: { yes: 1, no: 3, unknown: 0 },
  })
  const page = await text('/settings/rules')
  expect(page).toContain('5 calls in 30 days would have needed 2 of engineers')
  expect(page).toContain('2 were answered by eve alone')
})

test('a button of a message proves nobody, so that it is not known who answered', async () => {
  await add()
  const { db, workspaceId, app } = world
  const [device] = await connect(db, aDevice({ workspaceId, personId: people.bob.id }))
  const questionId = (await ask()) as QuestionId
  const about = { questionId, subscriberId: device?.id ?? 'sub_', purpose: 'page' as const }
  const path = `/a/${linkToken(app.secrets.quickAnswerSecret, about)}`
  const yes = { value: 'yes', sure: 'yes' }
  expect((await world.post(path, yes, { cookie: '' })).status).toBe(200)
  expect(await count()).toMatchObject({
    ...{ calls: 1, endings: { alone: 1 }, deciders: { yes: 0, no: 0, unknown: 1 } },
  })
  expect(await text('/settings/rules')).toContain('1 was answered with a button or a link')
})

test('of a token without an owner it is not known whether somebody of the group could have agreed', async () => {
  await add()
  const { db, workspaceId } = world
  token = (await createToken({ db, clock }, { workspaceId, name: 'nobody’s' })).token
  await answer(await ask(), 'bob')
  await answer(await ask(), 'eve')
  expect(await count()).toMatchObject({ calls: 2, deciders: { yes: 0, no: 1, unknown: 1 } })
})

test('calls that a rule allows count, and what one declines does not', async () => {
  await add({ match: { toolName: 'Bash' } })
  await addRule({ db: world.db, clock }, world.workspaceId, {
    ...{ match: { toolName: 'Bash', toolTarget: 'npm test*' }, decision: 'allow' },
  })
  await addRule({ db: world.db, clock }, world.workspaceId, {
    ...{ match: { toolName: 'Bash', toolTarget: 'npm publish*' }, decision: 'deny' },
  })
  const hook = (action: string) =>
    call('/hooks/claude', {
      ...{ event: 'approval', sessionId: 's1', machineId: 'm1', timeoutMs: 1_000 },
      ask: { question: 'Run?', toolName: 'Bash', toolTarget: action, action },
    })
  expect(await hook('npm test')).toMatchObject({ decision: 'allow' })
  expect(await hook('npm publish')).toMatchObject({ decision: 'deny' })
  expect(await count()).toMatchObject({ calls: 1, endings: { rules: 1 } })
})

test('the page of a question and REST say what it would need, and nobody sees more by it', async () => {
  await add()
  const id = await ask()
  expect(await text(`/d/${id}`)).toContain('only watches: it would need 2 of engineers')
  expect((await json(`/questions/${id}/approval`, 'mara')).code).toBe(404)
  const watching = await json(`/questions/${id}/watching`, 'bob')
  expect(watching.body.rules).toMatchObject([
    { rule: 'Bash on terraform apply*', needs: [{ from: 'engineers', need: 2 }] },
  ])
  expect(await count('eve')).toMatchObject({ calls: 1 })
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  if (!mara) throw new Error('nobody owns it')
  await changeVisibility({ db: world.db, clock }, mara, 'own')
  // Nobody sees a question for being named by a rule that only watches.
  for (const who of ['bob', 'eve'] as const) {
    expect(await count(who)).toMatchObject({ calls: 0 })
    expect((await json(`/questions/${id}/watching`, who)).code).toBe(404)
  }
  expect(await count('ana')).toMatchObject({ calls: 1 })
  await answer(id, 'mara')
  expect(await text(`/d/${id}`)).toContain('only watched: it would have needed 2 of engineers')
})

test('it stops nothing, Health is as before, and one act makes it act', async () => {
  const { id } = await add({ approve: { from: [groupId], need: 4 } })
  const states = async () =>
    (await approverChecks(world.db.read, [world.workspaceId])).map(({ state }) => state)
  expect(await states()).toEqual(['ok'])
  const page = await (await world.get('/settings/rules', cookies.mara)).text()
  expect(page).toContain('Make it act')
  const before = (await listRules(world.db.read, world.workspaceId))[0]
  const saved = await world.post(`/settings/rules/${id}`, { act: 'yes' }, { cookie: cookies.mara })
  expect(saved.status).toBe(303)
  const after = (await listRules(world.db.read, world.workspaceId))[0]
  expect(after).toEqual({ ...before, mode: undefined } as never)
  expect(await states()).not.toEqual(['ok'])
  expect(await count()).toBeUndefined()
})

test('the form says whether a rule acts, and keeps what it does not show', async () => {
  const { id } = await add({ approve: { from: [groupId], need: 2, lifeMs: 3_600_000 } })
  const post = (fields: Record<string, string>, path = `/settings/rules/${id}`) =>
    world.post(path, fields, { cookie: cookies.mara })
  const mode = async () => (await listRules(world.db.read, world.workspaceId))[0]?.mode
  await post({ agentName: 'Codex' })
  expect(await mode()).toBe('watch')
  await post({ acts: '' })
  expect(await mode()).toBeUndefined()
  await post({ acts: 'watch' })
  const [rule] = await listRules(world.db.read, world.workspaceId)
  expect(rule).toMatchObject({ mode: 'watch', approve: { lifeMs: 3_600_000 } })
  const wrong = await post(
    { toolName: 'Bash', decision: 'allow', acts: 'watch' },
    '/settings/rules/new',
  )
  expect(wrong.status).toBe(422)
})
