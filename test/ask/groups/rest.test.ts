import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { setProtect } from '../../../src/ask/policy/protect.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Fields = Record<string, unknown>

let world: PageWorld
let mara: Person
let bo: Person
beforeAll(async () => {
  world = await pageWorld()
  const { db } = world
  const role = { mara: 'owner', bo: 'member' } as const
  const add = (name: 'mara' | 'bo') =>
    addPersonWithPassword({ db, clock }, { email: `${name}@example.net`, name, role: role[name] })
  mara = await add('mara')
  bo = await add('bo')
})
afterAll(() => world[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: object, as: Person = mara) {
  const cookie = await signInAs(world.app, as.id)
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: world.url, cookie },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Fields }
}

test('an owner makes, fills, renames and removes a group; a member reads it and changes nothing', async () => {
  const added = await call('POST', '/groups', { name: 'engineers' })
  expect([added.status, added.body.people]).toEqual([201, []])
  const path = `/groups/${added.body.id}`
  const filled = await call('PATCH', path, { people: [bo.id] })
  const people = [{ id: bo.id, name: 'bo', sources: ['hand'] }]
  expect(filled).toMatchObject({ status: 200, body: { name: 'engineers', people } })
  // What is left out stays.
  expect((await call('PATCH', path, { name: 'builders' })).body).toMatchObject({
    ...{ name: 'builders', people },
  })
  expect((await call('GET', path, undefined, bo)).body).toMatchObject({ name: 'builders', people })
  const { groups } = (await call('GET', '/groups', undefined, bo)).body as { groups: Fields[] }
  expect(groups).toMatchObject([{ name: 'builders', source: 'hand', people }])
  for (const method of ['PATCH', 'DELETE']) {
    expect([method, (await call(method, path, {}, bo)).status]).toEqual([method, 403])
  }
  expect((await call('POST', '/groups', { name: 'builders' })).status).toBe(409)
  const stranger = await call('PATCH', path, { people: [bo.id, 'per_0'] })
  expect(stranger).toMatchObject({ status: 422, body: { fields: [{ field: 'people' }] } })
  expect((await call('GET', path)).body.people).toEqual(people)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})

test('a group from elsewhere is read and not changed, and those it puts into one of ours stay', async () => {
  const { workspaceId, db } = world
  const about = { workspaceId, externalId: 'e', createdAt: 1 } as const
  const theirs: Group = { ...about, id: 'group_theirs', name: 'theirs', source: 'directory:acme' }
  const ours: Group = { ...about, id: 'group_ours', name: 'ours', source: 'hand' }
  await db.write(async (tx) => {
    await insertGroup(tx, theirs)
    await insertGroup(tx, { ...ours, externalId: undefined })
    await putGroupMembers(tx, ours, 'directory:acme', [bo.id])
  })
  expect((await call('PATCH', '/groups/group_theirs', { name: 'x' })).status).toBe(409)
  expect((await call('DELETE', '/groups/group_theirs')).status).toBe(409)
  const { body } = await call('PATCH', '/groups/group_ours', { people: [mara.id] })
  const sources = (body.people as Fields[]).map(({ name, sources }) => [name, sources])
  expect(Object.fromEntries(sources)).toEqual({ bo: ['directory:acme'], mara: ['hand'] })
})

test('a group that decides is changed only once those who guard the rules agree', async () => {
  const { workspaceId, db } = world
  const { id } = (await call('POST', '/groups', { name: 'deciders' })).body as { id: string }
  await call('PATCH', `/groups/${id}`, { people: [bo.id, mara.id] })
  await addRule({ db, clock }, workspaceId, { match: {}, approve: { from: [id] } })
  await setProtect({ db, clock }, workspaceId, { from: [bo.id], need: 1 }, mara.id)
  const reply = await call('PATCH', `/groups/${id}`, { people: [mara.id] })
  expect([reply.status, reply.body.code]).toEqual([409, 'needs_agreement'])
  expect(reply.body.question).toContain('/d/q_')
  expect((await call('GET', `/groups/${id}`)).body.people).toHaveLength(2)
  expect((await call('DELETE', `/groups/${id}`)).body.code).toBe('needs_agreement')
})
