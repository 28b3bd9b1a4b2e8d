import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { addGroup, changeGroup, readGroup, removeGroup } from '../../../src/ask/groups/groups.ts'
import type { GroupId } from '../../../src/ask/groups/model/group.ts'
import {
  insertGroup,
  listGroupMembers,
  listGroups,
  putGroupMembers,
} from '../../../src/ask/groups/model/store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { guardChange } from '../../../src/ask/policy/guard.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
let mara: Person
let bo: Person
beforeAll(async () => {
  world = await pageWorld()
  const owner = await findPersonByEmail(world.db.read, 'mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  mara = owner
  const who = { email: 'bo@example.org', name: 'Bo', role: 'member' } as const
  bo = (await addPerson({ db: world.db, clock }, who)).person
})
afterAll(() => world[Symbol.asyncDispose]())

const deps = () => ({ db: world.db, clock, guard: guardChange })
const codeOf = (work: Promise<unknown>) => work.then(String, (error) => error.code)
const seenOf = async (id: GroupId) => (await readGroup(world.db.read, world.workspaceId, id)).seen
const people = async (id: GroupId) =>
  (await listGroupMembers(world.db.read, world.workspaceId))
    .filter(({ groupId }) => groupId === id)
    .map(({ personId }) => personId)
const trail = async (id: GroupId) =>
  (await world.db.read.select().from(audit))
    .filter(({ subjectId }) => subjectId === id)
    .map(({ kind, personName, subjectName, detail }) => [kind, personName, subjectName, detail])

test('an owner makes, fills, renames and removes a group on its page, and the trail names each step', async () => {
  const reply = await world.post(
    '/settings/groups',
    { name: ' engineers ' },
    { cookie: world.cookie },
  )
  expect(reply.status).toBe(303)
  const page = reply.headers.get('location') ?? ''
  const id = page.split('/').at(-1) as GroupId
  const seen = await seenOf(id)
  const fields = [
    ['name', 'builders'],
    ['seen', seen],
    ['person', bo.id],
    ['person', mara.id],
  ]
  const saved = await world.post(page, fields, { cookie: world.cookie })
  expect(saved.status).toBe(303)
  expect((await people(id)).toSorted()).toEqual([mara.id, bo.id].toSorted())
  expect(await (await world.get('/settings/groups')).text()).toContain('Bo')
  await changeGroup(deps(), mara, id, {
    name: 'builders',
    people: [mara.id],
    seen: await seenOf(id),
  })
  const gone = await world.post(`${page}/remove`, {}, { cookie: world.cookie })
  expect([gone.status, (await world.get(page)).status]).toEqual([303, 404])
  const who = ['group.changed', 'Mara Lindqvist'] as const
  expect(await trail(id)).toEqual([
    [...who, 'engineers', 'added'],
    [...who, 'builders', 'renamed, was engineers'],
    [...who, 'builders', expect.stringMatching(/^(Bo, Mara Lindqvist|Mara Lindqvist, Bo) added$/)],
    [...who, 'builders', 'Bo removed'],
    [...who, 'builders', 'removed'],
  ])
})

test('of two owners who look at the same group, the second is told that it has changed', async () => {
  const { id } = await addGroup(deps(), mara, 'twice')
  const seen = await seenOf(id)
  const change = (who: string) =>
    codeOf(changeGroup(deps(), mara, id, { name: 'twice', people: [who], seen }))
  const codes = await Promise.all([change(mara.id), change(bo.id)])
  expect(codes.toSorted()).toEqual(['conflict', 'undefined'])
  expect(await people(id)).toHaveLength(1)
})

test('whoever is not here, and a name that is taken, empty, too long or an address, is no part of a group', async () => {
  const { id } = await addGroup(deps(), mara, 'names')
  await changeGroup(deps(), mara, id, {
    name: 'names',
    people: ['nobody', bo.id],
    seen: await seenOf(id),
  })
  expect(await people(id)).toEqual([bo.id])
  expect(await codeOf(addGroup(deps(), mara, 'names'))).toBe('conflict')
  for (const name of ['', ' ', 'x'.repeat(61), 'ana@example.org']) {
    expect([name, await codeOf(addGroup(deps(), mara, name))]).toEqual([name, 'invalid_input'])
  }
})

test('a member changes nothing', async () => {
  const { id } = await addGroup(deps(), mara, 'closed')
  const seen = await seenOf(id)
  expect(await codeOf(addGroup(deps(), bo, 'own'))).toBe('forbidden')
  expect(await codeOf(changeGroup(deps(), bo, id, { name: 'x', people: [bo.id], seen }))).toBe(
    'forbidden',
  )
  expect(await codeOf(removeGroup(deps(), bo, id))).toBe('forbidden')
})

test('a group of a directory is not changed here, and what it says of a group of ours stays', async () => {
  const { workspaceId } = world
  const id = newId('group', clock.now())
  const source = 'directory:acme' as const
  await world.db.write((tx) =>
    insertGroup(tx, { id, workspaceId, name: 'theirs', source, externalId: 'e', createdAt: 1 }),
  )
  const seen = await seenOf(id)
  expect(await codeOf(changeGroup(deps(), mara, id, { name: 'x', people: [], seen }))).toBe(
    'conflict',
  )
  expect(await codeOf(removeGroup(deps(), mara, id))).toBe('conflict')
  expect(await (await world.get(`/settings/groups/${id}`)).text()).not.toContain('type="checkbox"')
  const ours = await addGroup(deps(), mara, 'ours')
  await world.db.write((tx) => putGroupMembers(tx, ours, source, [bo.id]))
  await changeGroup(deps(), mara, ours.id, {
    name: 'ours',
    people: [],
    seen: await seenOf(ours.id),
  })
  expect(await people(ours.id)).toEqual([bo.id])
})

test('a workspace has a hundred groups at most', async () => {
  const { workspaceId } = world
  const there = (await listGroups(world.db.read, workspaceId)).length
  await world.db.write(async (tx) => {
    for (let n = there; n < 100; n++) {
      const id = newId('group', clock.now())
      const row = { id, workspaceId, name: `g${n}`, source: 'hand', createdAt: 1 } as const
      await insertGroup(tx, { ...row, externalId: undefined })
    }
  })
  expect(await codeOf(addGroup(deps(), mara, 'one more'))).toBe('conflict')
})
