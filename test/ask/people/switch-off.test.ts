import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
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

test('the only owner is not switched off, and members switch nobody off', async () => {
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  expect((await switchTo(mara?.id ?? '', 'off')).status).toBe(409)
  const { cookie, person } = await somebody()
  const response = await world.post(`/settings/people/${person.id}/off`, {}, { cookie })
  expect(response.status).toBe(403)
})
