import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { account, passkey } from '../../../src/ask/accounts/model/auth-tables.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const PATH = '/settings/passkeys'

async function maraOf({ db }: PageWorld): Promise<string> {
  return (await findPersonByEmail(db.read, 'mara@example.org'))?.id ?? ''
}

async function addPasskey({ db }: PageWorld, userId: string, id: string, name: string) {
  const row = { publicKey: 'k', counter: 0, deviceType: 'x', backedUp: false, transports: 'usb' }
  const values = { ...row, id, userId, name, credentialID: id, createdAt: new Date() }
  await db.write((tx) => tx.insert(passkey).values(values))
}

const left = async ({ db }: PageWorld) => (await db.read.select().from(passkey)).map(({ id }) => id)
const text = async (world: PageWorld, path = PATH) => (await world.get(path)).text()
const isIn = async (world: PageWorld, cookie: string) =>
  (await world.get('/settings', cookie)).status === 200

async function trail({ db, workspaceId }: PageWorld) {
  const { entries } = await readAudit({ db, clock }, { workspaceId }, NO_FILTER)
  return entries.map(({ kind, outcome }) => `${kind}: ${outcome?.replace(/, from .*/, '')}`)
}

test('the settings lead to the passkeys of this person, each of which can be removed', async () => {
  await using world = await pageWorld()
  expect(await text(world, '/settings')).toContain(`href="${PATH}"`)
  expect(await text(world)).toContain('You have no passkey')
  const mara = await maraOf(world)
  const { db } = world
  const bo = await addPerson(
    { db, clock },
    { email: 'bo@example.org', name: 'Bo', password: PASSWORD },
  )
  await addPasskey(world, mara, 'laptop', 'Linux x86_64')
  await addPasskey(world, mara, 'phone', 'iPhone')
  await addPasskey(world, bo.person.id, 'other', 'MacIntel')
  const page = await text(world)
  for (const name of ['<b>Linux x86_64</b>', '<b>iPhone</b>', 'Added <time']) {
    expect(page).toContain(name)
  }
  expect(page).not.toContain('MacIntel')

  const response = await world.post(`${PATH}/phone/remove`, {})
  expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?removed`])
  expect((await world.post(`${PATH}/phone/remove`, {})).status).toBe(404)
  expect((await world.post(`${PATH}/other/remove`, {})).status).toBe(404)
  expect(await left(world)).toEqual(['laptop', 'other'])
  expect(await text(world, `${PATH}?removed`)).toContain('stays so until you sign it out')
  expect((await trail(world))[0]).toBe('passkey.removed: passkey')
})

test('the only way to sign in cannot be removed, even by two requests at once', async () => {
  await using world = await pageWorld()
  const mara = await maraOf(world)
  await world.db.write((tx) => tx.delete(account).where(eq(account.userId, mara)))
  await addPasskey(world, mara, 'laptop', 'Linux x86_64')
  await addPasskey(world, mara, 'phone', 'iPhone')
  const remove = (id: string) => world.post(`${PATH}/${id}/remove`, {})
  const responses = await Promise.all([remove('laptop'), remove('phone')])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await left(world)).toHaveLength(1)
  const page = await text(world)
  expect(page).toContain('your only way to sign in')
  expect(page).not.toContain('Remove the passkey')
})

test('who has no password signs out everywhere else', async () => {
  await using world = await pageWorld()
  const other = await world.otherBrowser()
  const mara = await maraOf(world)
  await world.db.write((tx) => tx.delete(account).where(eq(account.userId, mara)))
  const response = await world.post(`${PATH}/sign-out`, {})
  expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?ended`])
  expect([await isIn(world, world.cookie), await isIn(world, other)]).toEqual([true, false])
  expect(await text(world, `${PATH}?ended`)).toContain(
    'Your other browsers and phones are signed out',
  )
  expect((await trail(world))[0]).toBe('sign_in.ended: all other sign-ins ended')
})

test('a form of another site, and whoever is not signed in, change nothing', async () => {
  await using world = await pageWorld()
  const other = await world.otherBrowser()
  await addPasskey(world, await maraOf(world), 'laptop', 'Linux x86_64')
  for (const path of [`${PATH}/laptop/remove`, `${PATH}/sign-out`]) {
    const forged = await world.post(path, {}, { origin: 'https://evil.example' })
    expect(forged.status).toBe(403)
    const stranger = await world.post(path, {}, { cookie: '' })
    expect(stranger.headers.get('location')).toBe('/sign-in')
  }
  expect(await left(world)).toEqual(['laptop'])
  expect(await isIn(world, other)).toBe(true)
})
