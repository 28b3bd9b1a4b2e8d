import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { listDirectories } from '../../../src/ask/directory/model/store.ts'
import { readRefusal } from '../../../src/ask/directory/refusal.ts'
import { listGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { cleanLine } from '../../../src/platform/text.ts'
import { type DirectoryWorld, directoryWorld } from '../../support/directory-world.ts'
import { signInAs } from '../../support/sign-in.ts'

let world: DirectoryWorld
beforeAll(async () => {
  world = await directoryWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Json = Record<string, unknown> & { id: string }

let count = 0
async function user(changes: object = {}): Promise<Json> {
  const name = `u${++count}@example.com`
  const { s, j } = await world.call('POST', '/Users', {
    userName: name,
    externalId: name,
    ...changes,
  })
  expect(s).toBe(201)
  return j as Json
}
const patch = (path: string, ...operations: object[]) =>
  world.call('PATCH', path, { Operations: operations })
const active = (isOn: boolean) => ({ op: 'Replace', path: 'active', value: isOn })
const people = () => listPeople(world.db.read, world.workspaceId)
const personOf = async (email: string) => {
  const person = (await people()).find((one) => one.email === email)
  if (!person) throw new Error(`${email} is nobody`)
  return person
}

test('a directory sees nobody but whom it made, and makes nobody of another origin its own', async () => {
  await user()
  const list = (await world.call('GET', '/Users')).j as { Resources: Json[] }
  expect(list.Resources.map((one) => one.userName)).not.toContain('mara@example.org')
  const mara = { userName: 'mara@example.org', externalId: 'mara' }
  expect((await world.call('POST', '/Users', mara)).s).toBe(409)
  const owner = await personOf('mara@example.org')
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { userName: 'x' } : undefined
    expect((await world.call(method, `/Users/${owner.id}`, body)).s).toBe(404)
  }
})

test('a directory that deletes all whom it does not know leaves the owner of the server', async () => {
  const list = (await world.call('GET', '/Users?count=1000')).j as { Resources: Json[] }
  for (const { id } of list.Resources) await world.call('DELETE', `/Users/${id}`)
  expect((await personOf('mara@example.org')).offAt).toBeNull()
  expect((await world.get('/settings')).status).toBe(200)
})

test('the last owner is not switched off, and not deleted', async () => {
  const { id, userName } = await user()
  const one = await personOf(`${userName}`)
  const mara = await personOf('mara@example.org')
  await world.post(`/settings/people/${one.id}/role`, { role: 'owner' })
  await world.post(`/settings/people/${mara.id}/role`, { role: 'member' })
  expect((await patch(`/Users/${id}`, active(false))).s).toBe(409)
  expect((await world.call('DELETE', `/Users/${id}`)).s).toBe(409)
  expect((await personOf(`${userName}`)).offAt).toBeNull()
  const [directory] = await listDirectories(world.db.read, world.workspaceId)
  const refusal = await readRefusal(world.db.read, directory?.id ?? 'dir_')
  expect(refusal?.why).toContain('owner')
  const cookie = await signInAs(world.app, one.id)
  await world.post(`/settings/people/${mara.id}/role`, { role: 'owner' }, { cookie })
  expect((await patch(`/Users/${id}`, active(false))).s).toBe(200)
})

test('what would empty a group by mistake takes only those whom it names', async () => {
  const [a, b] = [await user(), await user()]
  const members = [{ value: a.id }, { value: b.id }]
  const group = await world.call('POST', '/Groups', { displayName: 'ops', members })
  const path = `/Groups/${(group.j as Json).id}`
  const left = async () =>
    ((await world.call('GET', path)).j as { members: object[] }).members.length
  await patch(path, { op: 'Remove', path: 'members', value: [{ value: b.id }] })
  expect(await left()).toBe(1)
  await patch(path, { op: 'Remove', path: 'members[value eq "nobody"]' })
  expect(await left()).toBe(1)
  await patch(path, { op: 'Remove', path: 'title' })
  expect(await left()).toBe(1)
  expect((await patch(path, { op: 'empty', path: 'members' })).s).toBe(400)
  expect((await patch(path, { op: 'replace', path: 'members', value: 'all' })).s).toBe(400)
  expect(await left()).toBe(1)
})

test('people whom an owner put into the directory’s groups are not the directory’s to remove', async () => {
  const { j } = await world.call('POST', '/Groups', { displayName: 'hand' })
  expect((await world.call('POST', '/Groups', { displayName: 'hand' })).s).toBe(409)
  expect(await listGroupMembers(world.db.read, world.workspaceId)).not.toContainEqual(
    expect.objectContaining({ groupId: (j as Json).id }),
  )
})

test.each([
  ['no token', {}],
  ['a wrong one', { authorization: `Bearer bs_${'0'.repeat(40)}` }],
  ['the cookie of an owner', { cookie: 'owner' }],
])('%s opens nothing', async (_, headers) => {
  const own = 'cookie' in headers ? { cookie: world.cookie } : headers
  const response = await fetch(`${world.base}/Users`, { headers: own as Record<string, string> })
  expect(response.status).toBe(401)
})

test('a directory token opens nothing else, and an agent’s token no directory', async () => {
  const authorization = `Bearer ${world.token}`
  for (const path of ['/api/v1/agent', '/api/v1/members', '/settings']) {
    const response = await fetch(world.url + path, {
      headers: { authorization },
      redirect: 'manual',
    })
    expect([401, 303]).toContain(response.status)
  }
  const agent = await createToken(
    { db: world.db, clock },
    { workspaceId: world.workspaceId, name: 'a' },
  )
  const response = await fetch(`${world.base}/Users`, {
    headers: { authorization: `Bearer ${agent.token}` },
  })
  expect(response.status).toBe(401)
})

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `usr_${n}` }))

test.each([
  ['with a line break', { displayName: 'engi\nneers' }, 201],
  ['that turns the text around', { displayName: '\u202Esreenigne' }, 201],
  ['of 501 characters', { displayName: 'x'.repeat(501) }, 400],
  ['without letters', { displayName: ' \n ' }, 400],
  ['that is a list', { displayName: ['a'] }, 400],
  ['with 10,000 members', { displayName: 'Crowd', members: many(10_000) }, 413],
])('a group %s is cleaned or refused', async (_, body, status) => {
  const reply = await world.call('POST', '/Groups', body)
  expect(reply.s).toBe(status)
  if (status === 201) {
    const { displayName } = reply.j as { displayName: string }
    expect(displayName).toBe(cleanLine(body.displayName as string))
  }
})

test('a request that is too large is refused as a whole', async () => {
  const { id } = await user()
  const operations = Array.from({ length: 1_001 }, () => ({
    op: 'replace',
    path: 'active',
    value: false,
  }))
  expect((await patch(`/Users/${id}`, ...operations)).s).toBe(413)
  const text = { userName: 'big@example.com', title: 'x'.repeat(1_000_001) }
  expect((await world.call('POST', '/Users', text)).s).toBe(413)
  expect((await world.call('GET', `/Users/${id}`)).j).toMatchObject({ active: true })
})

test('a revoked token is refused at once, and the one that replaced it works', async () => {
  const page = await (await world.get('/settings/directory')).text()
  const [, id = ''] = /\/settings\/directory\/(dir_\w+)\/token/.exec(page) ?? []
  const [, first = ''] = /name="token" value="(dtk_\w+)"/.exec(page) ?? []
  const next = await (await world.post(`/settings/directory/${id}/token`, {})).text()
  const token = /bs_[0-9a-z]{40}/.exec(next)?.[0] ?? ''
  expect((await world.post(`/settings/directory/${id}/token`, {})).status).toBe(409)
  await world.post(`/settings/directory/${id}/revoke`, { token: first })
  expect((await world.call('GET', '/Users')).s).toBe(401)
  const response = await fetch(`${world.base}/Users`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
})
