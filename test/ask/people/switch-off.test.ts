import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { addFlow, takeFlow } from '../../../src/ask/company/model/flow-store.ts'
import {
  putConnectCode,
  takeConnectCode,
} from '../../../src/ask/subscribers/model/connect-code-store.ts'
import { matchSubscribers, readSubscribers } from '../../../src/ask/subscribers/model/store.ts'
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
  const token = await createToken(
    { db: world.db, clock },
    { workspaceId: world.workspaceId, name: 'agent', by: person.id },
  )
  return { person, token: token.token, cookie: await signInAs(world.app, person.id) }
}

const switchTo = (id: string, what: 'off' | 'on') =>
  world.post(`/settings/people/${id}/${what}`, {})
const asks = (token: string, question = 'Deploy?', wait = false) =>
  fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question, wait, timeoutMs: 30_000 }),
  })

test('whoever is switched off is out at once, with all that acts in their name; on again, it works', async () => {
  const { person, token, cookie } = await somebody()
  const [device] = await connect(
    world.db,
    aDevice({
      workspaceId: world.workspaceId,
      personId: person.id,
      kind: 'phone',
      transport: 'ntfy',
    }),
  )
  const open = (await (await asks(token)).json()) as { correlationId: string }
  const hold = asks(token, 'Restart?', true)
  await until(async () => (await world.get('/api/v1/inbox').then((r) => r.json())).total === 2)
  expect((await switchTo(person.id, 'off')).status).toBe(303)
  expect((await hold).status).toBe(401)
  expect((await world.get('/settings', cookie)).status).toBe(303)
  expect((await asks(token)).status).toBe(401)
  const page = await (await world.get(`/d/${open.correlationId}`)).text()
  expect(page).toContain('switched off')
  const heard = async () =>
    (await matchSubscribers(world.db.read, world.workspaceId, {})).some(
      (one) => one.id === device?.id,
    )
  expect(await heard()).toBe(false)
  expect((await readSubscribers(world.db.read, device ? [device.id] : [])).size).toBe(0)
  const tried = await fetch(`${world.url}/sign-in`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      email: person.email,
      password: 'correct horse battery',
    }).toString(),
    redirect: 'manual',
  })
  expect(tried.status).toBe(403)
  expect(tried.headers.getSetCookie().join()).not.toContain('session_token')
  expect((await switchTo(person.id, 'on')).status).toBe(303)
  expect((await asks(token)).status).toBe(200)
  expect(await heard()).toBe(true)
  expect((await world.get('/settings', cookie)).status).toBe(303)
})

test('what somebody allowed for a while, and what they had begun, ends when they are switched off', async () => {
  const { person, cookie } = await somebody()
  const { db, workspaceId } = world
  const shared = await createToken({ db, clock }, { workspaceId, name: 'shared' })
  const approve = async () => {
    const response = await fetch(`${world.url}/api/v1/hooks/claude`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shared.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ event: 'approval', sessionId: 's1', machineId: 'm1', cwd: '/home/u/shop' },
        ask: {
          ...{ question: 'Run this command?', action: 'npm test', toolName: 'Bash' },
          ...{ toolTarget: 'npm test', requestId: crypto.randomUUID(), wait: false },
          exact: { argumentsHash: 'a'.repeat(64), arguments: 'command' },
        },
      }),
    })
    return (await response.json()) as { decision?: string; question: { correlationId: string } }
  }
  const { question } = await approve()
  const yes = { value: 'yes', grant: 'session' }
  expect((await world.post(`/d/${question.correlationId}/answer`, yes, { cookie })).status).toBe(
    303,
  )
  expect((await approve()).decision).toBe('allow')
  const times = { createdAt: Date.now(), expiresAt: Date.now() + 60_000 }
  const flow = { hash: 'flow', browserHash: 'b', provider: 'acme' }
  await db.write(async (tx) => {
    const code = { hash: 'code', transport: 'telegram', workspaceId, personId: person.id }
    await putConnectCode(tx, { ...code, ...times }, Date.now())
    await addFlow(tx, {
      ...{ ...flow, ...times, nonce: 'n', verifier: 'v', next: '/', purpose: 'link' },
      ...{ personId: person.id, arrival: null },
    })
  })
  expect((await switchTo(person.id, 'off')).status).toBe(303)
  expect(await approve()).not.toHaveProperty('decision')
  const left = await db.write(async (tx) => [
    await takeConnectCode(tx, { hash: 'code', transport: 'telegram', now: Date.now() }),
    await takeFlow(tx, flow, Date.now()),
  ])
  expect(left).toEqual([undefined, undefined])
})

test('the only owner is not switched off, and members switch nobody off', async () => {
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  expect((await switchTo(mara?.id ?? '', 'off')).status).toBe(409)
  const { cookie, person } = await somebody()
  const response = await world.post(`/settings/people/${person.id}/off`, {}, { cookie })
  expect(response.status).toBe(403)
})
