import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { matchSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'
import { until } from '../../support/until.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let count = 0
async function somebody() {
  const email = `p${++count}@example.org`
  const who = { email, name: `P${count}`, role: 'member' } as const
  const person = await addPersonWithPassword({ db: world.db, clock }, who)
  const { workspaceId } = world
  const agent = await createToken(
    { db: world.db, clock },
    { workspaceId, name: 'agent', by: person.id },
  )
  return { person, token: agent.token, cookie: await signInAs(world.app, person.id) }
}

const makeRole = async (id: string, role: string) =>
  (await world.post(`/settings/people/${id}/role`, { role })).status

const send = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const asks = (token: string, more: object = {}) =>
  send(
    '/questions',
    { question: 'Deploy?', wait: false, timeoutMs: 30_000, ...more },
    { authorization: `Bearer ${token}` },
  )
const open = async (token: string, more: object = {}) =>
  ((await (await asks(token, more)).json()) as { correlationId: string }).correlationId
const answers = async (id: string, value: string, cookie: string) =>
  (await send(`/questions/${id}/answer`, { value }, { cookie })).status

test('whoever becomes an auditor reads on, and nothing acts in their name until they take part again', async () => {
  const { person, token, cookie } = await somebody()
  const { db, workspaceId } = world
  const whose = { workspaceId, personId: person.id }
  await connect(db, aDevice({ ...whose, kind: 'phone', transport: 'ntfy' }))
  const theirs = await open(token)
  const hold = asks(token, { question: 'Restart?', wait: true })
  await until(async () => (await world.get('/api/v1/inbox').then((r) => r.json())).total === 2)
  expect(await makeRole(person.id, 'auditor')).toBe(303)
  expect((await hold).status).toBe(401)
  expect((await asks(token)).status).toBe(401)
  expect(await (await world.get(`/d/${theirs}`)).text()).toContain('became an auditor')
  expect(await matchSubscribers(db.read, workspaceId, {})).toEqual([])

  // They are still signed in.
  const question = await world.ask()
  const page = await (await world.get(`/d/${question}`, cookie)).text()
  expect(page).toContain('You may read this; others decide')
  expect(page).not.toMatch(/<form[^>]*method="post"/)
  expect(await answers(question, 'yes', cookie)).toBe(403)
  expect(await answers(question, 'no', cookie)).toBe(403)
  const trail = await world.get('/api/v1/audit', cookie)
  expect(await trail.text()).toContain('person.role_changed')
  const keys = (await (await world.get('/api/v1/keys', cookie)).json()) as { keys?: unknown[] }
  expect(JSON.stringify(keys)).toContain('agent')

  expect(await makeRole(person.id, 'member')).toBe(303)
  expect((await asks(token)).status).toBe(200)
  expect((await matchSubscribers(db.read, workspaceId, {})).length).toBe(1)
  expect(await answers(question, 'yes', cookie)).toBe(200)
})

test('the vote of somebody who becomes an auditor counts no more', async () => {
  const [ana, bob, asker] = [await somebody(), await somebody(), await somebody()]
  const from = [ana.person.id, bob.person.id]
  const { db, workspaceId } = world
  const match = { toolName: 'Audited' }
  await addRule({ db, clock }, workspaceId, { match, approve: { from, need: 2 } })
  const call = { toolName: 'Audited', toolTarget: 'x', sessionId: 's1' }
  const id = await open(asker.token, call)
  expect(await answers(id, 'yes', ana.cookie)).toBe(200)
  const needs = async () =>
    (await (await world.get(`/api/v1/questions/${id}/approval`)).json()) as Record<string, unknown>
  expect(JSON.stringify(await needs())).toContain('"have":1')
  await makeRole(ana.person.id, 'auditor')
  expect(JSON.stringify(await needs())).toContain('"have":0')
  expect(await answers(id, 'no', ana.cookie)).toBe(403)
  await answers(id, 'yes', bob.cookie)
  expect(await (await world.get(`/d/${id}`)).text()).not.toContain('Approved')
  // Nobody is left to be the second.
  const next = await (await asks(asker.token, { ...call, question: 'Again?' })).json()
  expect(next).toMatchObject({ handoffAction: 'stop' })
})

test('the tokens of an auditor stay off when they are switched off and on', async () => {
  const { person, token } = await somebody()
  await makeRole(person.id, 'auditor')
  for (const what of ['off', 'on']) await world.post(`/settings/people/${person.id}/${what}`, {})
  expect((await asks(token)).status).toBe(401)
  await makeRole(person.id, 'owner')
  expect((await asks(token)).status).toBe(200)
  await makeRole(person.id, 'member')
})

test('an auditor is invited, makes no token, and inherits none', async () => {
  const page = await world.post('/settings/people', {
    ...{ email: 'aud@example.org', name: 'Aud', role: 'auditor' },
  })
  expect(await page.text()).toContain('an auditor')
  const { person, token } = await somebody()
  const auditor = await somebody()
  await makeRole(auditor.person.id, 'auditor')
  const creation = createToken(
    { db: world.db, clock },
    { workspaceId: world.workspaceId, name: 'x', by: auditor.person.id },
  )
  expect(await creation.catch(({ code }) => code)).toBe('forbidden')
  const handTo = { handTo: auditor.person.id }
  expect((await world.post(`/settings/people/${person.id}/remove`, handTo)).status).toBe(422)
  expect((await asks(token)).status).toBe(200)
  expect(await findPerson(world.db.read, person.id)).toBeDefined()
})
