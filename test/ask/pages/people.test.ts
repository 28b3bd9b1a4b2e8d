import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findPersonByEmail, insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

const PATH = '/settings/people'

test('an owner makes a member an owner, and is the only one no longer', async () => {
  await using world = await pageWorld()
  const { db } = world
  const email = 'bo@example.org'
  const { person } = await addPerson({ db, clock }, { email, name: 'Bo <b>', password: PASSWORD })
  const first = await (await world.get(PATH)).text()
  expect(first).toContain('Bo &lt;b>')
  expect(first).toContain('owner, the only one')
  expect(first.match(/\/role"/g)).toHaveLength(2)

  const signedIn = await world.post('/sign-in', { email, password: PASSWORD }, { cookie: '' })
  const cookie = cookieOf(signedIn.headers)
  const seen = await (await world.get(PATH, cookie)).text()
  expect(seen).toContain('An owner of this workspace changes who is invited, and who is an owner')
  expect(seen).not.toContain('/role"')

  const role = `${PATH}/${person.id}/role`
  expect((await world.post(role, { role: 'king' })).status).toBe(422)
  const done = await world.post(role, { role: 'owner' })
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    `${PATH}?person=${person.id}#person-${person.id}`,
  ])
  expect(await findPersonByEmail(db.read, email)).toMatchObject({ role: 'owner' })
  expect((await (await world.get(PATH, cookie)).text()).match(/\/role"/g)).toHaveLength(4)
  const trail = await (await world.get('/audit')).text()
  expect(trail).toContain('Role changed')
})

test('the only owner is told to find another first', async () => {
  await using world = await pageWorld()
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  const refused = await world.post(`${PATH}/${mara?.id}/role`, { role: 'member' })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Make somebody else an owner first')
})

test('what an owner does to themselves is said to them, not of somebody else', async () => {
  await using world = await pageWorld()
  const bo = { email: 'bo@example.org', name: 'Bo', password: PASSWORD, role: 'owner' } as const
  await addPerson({ db: world.db, clock }, bo)
  const page = await (await world.get(PATH)).text()
  const cards = page.split(/<li class="thing"|<\/ul>/)
  const mine = cards.find((card) => card.includes('(you)')) ?? ''
  expect(mine).toContain('You still answer questions')
  expect(mine).not.toContain('They')
  const form = /href="([^"]*\/remove)"/.exec(mine)?.[1] ?? ''
  const removal = await (await world.get(form)).text()
  expect(removal).toContain('You are signed out everywhere.')
  expect(removal).not.toContain('They')
  expect(cards.find((card) => card.includes('bo@example.org'))).toContain('They still answer')
})

test('of two hundred people a page has twenty, and others are found by name or address', async () => {
  await using big = await pageWorld()
  const { db, workspaceId } = big
  await db.write(async (tx) => {
    for (let n = 0; n < 200; n++) {
      const who = { id: `p${n}`, name: `Person ${n}`, email: `many${n}@example.org` }
      await insertPerson(tx, { ...who, workspaceId, role: 'member' }, 1)
    }
  })
  const list = async (query: string) => (await big.get(`/settings/people${query}`)).text()
  const first = await list('')
  expect(first.split('<li class="thing"').length - 1).toBe(20)
  expect(first).toContain('Page 1 of 11')
  expect(await list('?q=MANY199')).toContain('many199@example.org')
  expect(await list('?q=person&page=2')).toContain('?q=person&amp;page=3')
  expect(await list('?q=zebra')).toContain('Nobody here has these words')
  const role = await big.post('/settings/people/p150/role', { role: 'auditor' })
  const to = role.headers.get('location') ?? ''
  expect(await (await big.get(to)).text()).toContain('id="person-p150"')
})

// A page with everything, compressed; `weight.test.ts` holds the others to it.
const PAGE_MAX_BYTES = 41 * 1024

/** Names and addresses as long as they may be, of characters that do not pack. */
function longNames(count: number) {
  const draw = fc.sample(
    fc.record({
      name: fc.string({
        minLength: 100,
        maxLength: 100,
        unit: fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCodePoint(code)),
      }),
      local: fc.stringMatching(/^[a-z0-9]{64}$/),
      host: fc.stringMatching(/^[a-z0-9]{50}$/),
    }),
    { numRuns: count, seed: 48 },
  )
  return draw.map(({ name, local, host }) => ({ name, email: `${local}@${host}.example` }))
}

test('two hundred people with the longest names fit the pages that list them', async () => {
  await using big = await pageWorld()
  const { db, workspaceId } = big
  const people = longNames(200).map((who, n) => ({
    ...who,
    id: `person-${n}-${who.email.slice(0, 20)}`,
  }))
  const about = { workspaceId, name: 'engineers', source: 'hand', externalId: undefined } as const
  const group = { ...about, id: newId('group', 1), createdAt: 1 }
  const ids = people.map(({ id }) => id)
  await db.write(async (tx) => {
    for (const who of people) await insertPerson(tx, { ...who, workspaceId, role: 'member' }, 1)
    await insertGroup(tx, group)
    await putGroupMembers(tx, group, 'hand', ids)
  })
  const approve = { from: [group.id], tell: ids.slice(0, 20) }
  await addRule({ db, clock }, workspaceId, { match: { toolName: 'Bash' }, approve })
  const packed = async (path: string) => {
    const reply = await fetch(big.url + path, {
      headers: {
        ...{ cookie: big.cookie, 'accept-encoding': 'br, gzip' },
        'sec-fetch-site': 'same-origin',
      },
      decompress: false,
    } as RequestInit)
    return (await reply.arrayBuffer()).byteLength
  }
  for (const path of [PATH, '/settings/groups', '/settings/rules']) {
    const page = await (await big.get(path)).text()
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css|svg))"/g)]
    const sizes = await Promise.all([path, ...files.map(([, file = '']) => file)].map(packed))
    const sum = sizes.reduce((a, b) => a + b, 0)
    expect([path, sum, sum <= PAGE_MAX_BYTES]).toEqual([path, sum, true])
  }
}, 30_000)
