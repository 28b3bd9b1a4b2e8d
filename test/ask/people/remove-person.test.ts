import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { linkPath } from '../../../src/ask/delivery/model/links.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { listRules, readPolicy } from '../../../src/ask/policy/model/store.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { pushServer } from '../../support/push-server.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

const PEOPLE = '/settings/people'
const REVOKE = { tokens: 'revoke' }

let world: PageWorld
let bo: Person
let boCookie: string
beforeEach(async () => {
  world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const who = { email: 'bo@example.org', name: 'Bo', role: 'owner' } as const
  bo = await addPersonWithPassword({ db: world.db, clock }, who)
  boCookie = await signInAs(world.app, bo.id)
})
afterEach(() => world[Symbol.asyncDispose]())

const tokenOf = async (by: Person | undefined, name = 'agent of Bo') =>
  createToken(
    { db: world.db, clock },
    { workspaceId: world.workspaceId, name, ...(by && { by: by.id }) },
  )

async function call(token: string, method: string, path: string, body?: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json().catch(() => undefined) }
}
const ask = (token: string, more: object = {}) =>
  call(token, 'POST', '/questions', { question: 'Deploy?', wait: false, ...more })
const remove = (fields: Record<string, string> = REVOKE) =>
  world.post(`${PEOPLE}/${bo.id}/remove`, fields)
const answer = (id: string, value: string, cookie: string, more = {}) =>
  world.post(`/d/${id}/answer`, { value, ...more }, { cookie })

test('the token of a removed person ends with its held call and its open questions, without a callback', async () => {
  const { token } = await tokenOf(bo)
  const { token: other } = await tokenOf(undefined, 'another')
  await using push = await pushServer()
  await connect(world.db, { workspaceId: world.workspaceId, ...push.subscribe('a') })
  const { body: open } = await ask(token, { callbackUrl: 'http://127.0.0.1:9/hook' })
  const { body: question } = await ask(other)
  const held = ask(token, { question: 'And now?', wait: true, timeoutMs: 30_000 })
  while ((await (await world.get('/inbox')).text()).includes('And now?') === false)
    await Bun.sleep(5)
  expect((await remove()).status).toBe(303)
  // It is told that its question was withdrawn, or that its token is refused: whichever comes first.
  const { status, body } = await held
  expect(status === 401 ? 'refused' : body.status).toMatch(/^(refused|cancelled)$/)
  expect(body).not.toHaveProperty('value')
  expect((await ask(token)).status).toBe(401)
  const read = (id: string) => findQuestion(world.db.read, world.workspaceId, id as QuestionId)
  expect(await read(open.correlationId)).toMatchObject({
    status: 'cancelled',
    endReason: 'Bo was removed, and the token that asked was theirs.',
  })
  expect((await read(question.correlationId))?.status).toBe('pending')
  expect(await (await world.get('/settings/callbacks')).text()).not.toContain('127.0.0.1:9')
})

test('a token that is handed over goes on asking, and is the other person’s', async () => {
  const { token } = await tokenOf(bo)
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  expect((await remove({})).status).toBe(422)
  expect((await remove({ tokens: 'hand_over', handTo: 'nobody' })).status).toBe(422)
  expect((await remove({ tokens: 'hand_over', handTo: bo.id })).status).toBe(422)
  expect((await ask(token)).status).toBe(200)
  const { body } = await ask(token)
  expect((await remove({ tokens: 'hand_over', handTo: mara?.id ?? '' })).status).toBe(303)
  expect((await ask(token)).status).toBe(200)
  const question = await findQuestion(world.db.read, world.workspaceId, body.correlationId)
  expect(question?.status).toBe('pending')
  expect(await (await world.get('/settings/tokens')).text()).toContain(' · yours')
  const trail = await (await world.get('/api/v1/audit?kind=token.changed')).json()
  expect(trail.entries).toMatchObject([
    { subject: 'agent of Bo', outcome: 'from Bo to Mara Lindqvist' },
  ])
})

test('what they allowed for a while is asked again, whoever owns the token', async () => {
  const { token } = await tokenOf(undefined, 'another')
  const approve = async () => {
    const { body } = await call(token, 'POST', '/hooks/claude', {
      ...{ event: 'approval', sessionId: 's1', machineId: 'm1', cwd: '/home/u/shop' },
      ask: {
        ...{ question: 'Run this command?', action: 'npm test', toolName: 'Bash' },
        ...{ toolTarget: 'npm test', requestId: crypto.randomUUID(), wait: false },
        exact: { argumentsHash: 'a'.repeat(64), arguments: 'command' },
      },
    })
    return body
  }
  const first = await approve()
  const response = await answer(first.question.correlationId, 'yes', boCookie, { grant: 'session' })
  expect(response.status).toBe(303)
  expect(await approve()).toMatchObject({ decision: 'allow' })
  expect((await remove()).status).toBe(303)
  expect(await approve()).not.toHaveProperty('decision')
  expect(await (await world.get('/settings/allowed')).text()).not.toContain('npm test')
  const { entries } = await (await world.get('/api/v1/audit?kind=grant.ended')).json()
  expect(entries[0].outcome).toContain('was removed')
})

test('an invitation that they made lets nobody in, one of another owner does', async () => {
  const invite = async (email: string, cookie: string) => {
    const form = { email, name: 'Ina', role: 'owner' }
    const text = await (await world.post(PEOPLE, form, { cookie })).text()
    return /setup\?key=(\w+)/.exec(text)?.[1] ?? ''
  }
  const [theirs, ours] = [
    await invite('ina@example.org', boCookie),
    await invite('eve@example.org', world.cookie),
  ]
  expect(await (await world.get(`${PEOPLE}/${bo.id}/remove`)).text()).toContain('1 invitation')
  expect((await remove()).status).toBe(303)
  const setUp = (code: string) =>
    world.post('/setup', { code, name: 'Ina', password: 'correct horse staple' }, { cookie: '' })
  expect((await setUp(theirs)).status).toBe(410)
  expect((await setUp(ours)).status).toBe(303)
})

test('a removed member invites nobody, not even with an earlier link', async () => {
  const form = { email: 'ina@example.org', name: 'Ina', role: 'owner' }
  const text = await (await world.post(PEOPLE, form, { cookie: boCookie })).text()
  const code = /setup\?key=(\w+)/.exec(text)?.[1] ?? ''
  expect((await world.post(`${PEOPLE}/${bo.id}/role`, { role: 'member' })).status).toBe(303)
  const setUp = { code, name: 'Ina', password: 'correct horse staple' }
  expect((await world.post('/setup', setUp, { cookie: '' })).status).toBe(410)
})

test('the devices of a removed person and the links on them end; a Slack channel stays', async () => {
  const { db, workspaceId, app } = world
  const of = { workspaceId, personId: bo.id }
  const [phone] = await connect(
    db,
    { ...of, label: 'Phone of Bo' },
    { ...of, kind: 'chat', transport: 'slack', endpoint: 'slack:C1', label: '#ops on Slack' },
  )
  const questionId = await world.ask()
  const link = linkPath(app.secrets.quickAnswerSecret, {
    ...{ questionId, subscriberId: phone?.id ?? 'sub_', purpose: 'yes' },
  })
  const form = await (await world.get(`${PEOPLE}/${bo.id}/remove`)).text()
  expect(form).toContain('Phone of Bo')
  expect(form).toContain('#ops on Slack stays connected')
  expect((await remove()).status).toBe(303)
  expect(
    (await listSubscribers(db.read, workspaceId)).map(({ label, personId }) => [label, personId]),
  ).toEqual([['#ops on Slack', undefined]])
  expect((await world.post(link, {}, { cookie: '' })).status).toBe(410)
  expect((await findQuestion(db.read, workspaceId, questionId))?.status).toBe('pending')
})

test('nobody is told next who is gone, and scopes that they agreed to are over', async () => {
  const { db, workspaceId } = world
  const deps = { db, clock }
  await setPolicy(deps, workspaceId, { failoverMs: 60_000, failoverTo: [bo.id] })
  const set = { failoverMs: 60_000, failoverTo: [bo.id] }
  await addRule(deps, workspaceId, { match: { toolName: 'Bash' }, set })
  const { token } = await tokenOf(undefined, 'another')
  const { body } = await call(token, 'POST', '/scopes', {
    ...{ sessionId: 's1', doneWhen: 'tests pass', allowedPaths: ['src'], timeoutMs: 1_000 },
  })
  expect((await answer(body.correlationId, 'yes', boCookie)).status).toBe(303)
  const inForce = async () => (await call(token, 'GET', '/scopes/s1')).body
  expect(await inForce()).toMatchObject({ allowedPaths: ['src', 'src/**'] })
  const form = await (await world.get(`${PEOPLE}/${bo.id}/remove`)).text()
  expect(form).toContain('told next by the policy and 1 rule')
  expect(form).toContain('1 scope')
  expect((await remove()).status).toBe(303)
  expect((await readPolicy(db.read, workspaceId)).failoverTo).toEqual([])
  expect((await listRules(db.read, workspaceId))[0]?.set.failoverTo).toEqual([])
  expect(await inForce()).not.toHaveProperty('allowedPaths')
})

test('tokens say whose they are, to their own people and to owners', async () => {
  await tokenOf(bo)
  await tokenOf(undefined, 'ci')
  const page = await (await world.get('/settings/tokens')).text()
  expect(page).toContain('Bo’s')
  expect(page).toContain('without an owner')
  expect(await (await world.get('/settings/tokens', boCookie)).text()).toContain(' · yours')
  const { keys } = await (await world.get('/api/v1/keys')).json()
  const makers = new Set(keys.map((key: { createdBy?: string }) => key.createdBy))
  expect(makers).toEqual(new Set([undefined, bo.id]))
})

test('a token that is asked for at the same moment is not made', async () => {
  await remove()
  expect(tokenOf(bo)).rejects.toThrow('no longer in this workspace')
})
