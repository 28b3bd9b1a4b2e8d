import { afterAll, beforeAll, expect, test } from 'bun:test'
import { verification } from '../../../src/ask/accounts/model/auth-tables.ts'
import { findPersonByEmail, listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

const PATH = '/settings/people'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const page = async () => (await world.get(PATH)).text()
const codeIn = (text: string) => /setup\?key=(\w+)/.exec(text)?.[1] ?? ''

async function invite(email: string, role = 'member') {
  const response = await world.post(PATH, { email, name: 'Ina', role })
  expect(response.status).toBe(200)
  const text = await response.text()
  const person = await findPersonByEmail(world.db.read, email)
  return { code: codeIn(text), text, id: person?.id ?? '' }
}

const setUp = (code: string, fields = {}, cookie = '') =>
  world.post('/setup', { code, name: 'Ina Berg', password: PASSWORD, ...fields }, { cookie })

test('a link is shown once, and lets one person in, who ends on Home', async () => {
  const { code, text, id } = await invite('ina@example.org')
  expect(text).toContain('QR code of the invitation')
  expect(text).toContain('a member here. It works once, within 24 hours')
  expect(code).toHaveLength(32)
  expect(await page()).not.toContain(code)
  expect(await page()).toContain('invited, the link works for 24 more hours')
  const open = await (await world.get(`/setup?key=${code}`, '')).text()
  expect(open).toContain('value="Ina"')
  const weak = await setUp(code, { password: 'password' })
  expect(weak.status).toBe(422)
  const tries = await Promise.all([setUp(code), setUp(code)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual([303, 410])
  const won = tries.find(({ status }) => status === 303)
  expect(won?.headers.get('location')).toBe('/')
  expect(await findPersonByEmail(world.db.read, 'ina@example.org')).toMatchObject({
    ...{ id, name: 'Ina Berg', role: 'member', workspaceId: world.workspaceId },
  })
  expect((await setUp(code)).status).toBe(410)
  const own = cookieOf(won?.headers ?? new Headers())
  expect(await (await world.get('/', own)).text()).toContain('Connect this')
  // Who is signed in is led home by a used link, and cannot use a new link of nobody.
  expect((await world.get(`/setup?key=${code}`, own)).headers.get('location')).toBe('/')
  const trail = await (await world.get('/audit')).text()
  for (const what of ['Person added', 'Sign-in set up']) expect(trail).toContain(what)
})

test('an invitation is revoked, replaced and expires', async () => {
  const first = await invite('first@example.org')
  const again = await (await world.post(`${PATH}/${first.id}/invite`, {})).text()
  const second = codeIn(again)
  expect((await setUp(first.code)).status).toBe(410)
  await world.db.write((tx) => tx.update(verification).set({ expiresAt: new Date(Date.now() - 1) }))
  expect((await setUp(second)).status).toBe(410)
  expect(await page()).toContain('no link is open')
  const third = codeIn(await (await world.post(`${PATH}/${first.id}/invite`, {})).text())
  expect((await world.post(`${PATH}/${first.id}/remove`, {})).status).toBe(303)
  expect((await setUp(third)).status).toBe(410)
  expect(await findPersonByEmail(world.db.read, 'first@example.org')).toBeUndefined()
  expect(await (await world.get('/audit')).text()).toContain('Person removed')
  // The address is free again.
  await invite('first@example.org')
})

test('who is invited twice is named as invited, not as somebody who signs in', async () => {
  const { code } = await invite('twice@example.org')
  const again = () => world.post(PATH, { email: 'twice@example.org', name: 'Ina', role: 'member' })
  const response = await again()
  expect(response.status).toBe(409)
  expect(await response.text()).toContain('twice@example.org is invited already')
  expect((await setUp(code)).status).toBe(303)
  expect(await (await again()).text()).toContain('Somebody signs in as twice@example.org already')
})

test('somebody else who is signed in uses a link, and is signed in as the invited person', async () => {
  const { code, id } = await invite('eve@example.org', 'owner')
  const done = await setUp(code, { name: 'Eve' }, world.cookie)
  expect(done.status).toBe(303)
  const seen = await (await world.get(PATH, cookieOf(done.headers))).text()
  expect(seen).toContain('<b>Eve</b> (you)')
  expect((await listPeople(world.db.read)).find((one) => one.id === id)?.role).toBe('owner')
})

test('what is wrong is named, and nothing typed is lost', async () => {
  await using other = await pageWorld()
  for (const [email, status, sentence] of [
    ['nobody', 422, 'must be an e-mail address'],
    ['mara@example.org', 409, 'Somebody signs in as mara@example.org already'],
  ] as const) {
    const response = await other.post(PATH, { email, name: 'Ina', role: 'owner' })
    const text = await response.text()
    expect([email, response.status]).toEqual([email, status])
    expect(text).toContain(sentence)
    expect(text).toContain(`value="${email}"`)
    expect(text).toContain('value="owner" checked')
    expect(codeIn(text)).toBe('')
  }
  expect(await listPeople(other.db.read)).toHaveLength(1)
})

test('a removed person is out at once, with every device; the only owner stays', async () => {
  await using other = await pageWorld()
  const { db, workspaceId } = other
  const email = 'bo@example.org'
  const { person } = await addPerson({ db, clock }, { email, name: 'Bo', password: PASSWORD })
  const signedIn = await other.post('/sign-in', { email, password: PASSWORD }, { cookie: '' })
  const cookie = cookieOf(signedIn.headers)
  await connect(db, { workspaceId, personId: person.id }, { workspaceId })
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  expect((await other.post(`${PATH}/${mara?.id}/remove`, {})).status).toBe(409)
  expect((await other.post(`${PATH}/${mara?.id}/remove`, {}, { cookie })).status).toBe(403)
  expect((await other.post(PATH, { email: 'x@example.org' }, { cookie })).status).toBe(403)
  expect((await other.post(`${PATH}/${person.id}/invite`, {})).status).toBe(409)
  expect((await other.post(`${PATH}/person_other/remove`, {})).status).toBe(404)
  expect((await other.post(`${PATH}/${person.id}/remove`, {})).status).toBe(303)
  expect((await other.get('/', cookie)).headers.get('location')).toStartWith('/sign-in')
  const again = await other.post('/sign-in', { email, password: PASSWORD }, { cookie: '' })
  expect(again.status).toBe(401)
  expect(await listSubscribers(db.read, workspaceId)).toHaveLength(1)
})
