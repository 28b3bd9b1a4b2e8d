import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Person, Role } from '../../../src/ask/accounts/model/person.ts'
import { findPerson, insertPerson, putRole } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { changeRole } from '../../../src/ask/people/people.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const db = openSqlite(join(folder.path, 'beckon.db'))
const clock = fakeClock()
const deps = { db, clock, personGone: () => [] }
const workspaceId = 'ws_1'

const person = (id: string, role: Role, where = workspaceId as Person['workspaceId']): Person => ({
  id,
  name: id,
  email: `${id}@example.org`,
  workspaceId: where,
  role,
})
const ada = person('ada', 'owner')
const bob = person('bob', 'member')

beforeAll(() =>
  db.write(async (tx) => {
    await homeWorkspace(tx, workspaceId, clock.now())
    for (const one of [ada, bob, person('eve', 'owner', 'ws_2')]) {
      await insertPerson(tx, one, clock.now())
    }
  }),
)
beforeEach(() =>
  db.write(async (tx) => {
    for (const { id, role } of [ada, bob]) await putRole(tx, { workspaceId, personId: id, role })
  }),
)
afterAll(async () => {
  await db[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const roleOf = async (id: string) => (await findPerson(db.read, id))?.role
const change = (by: Person, personId: string, role: Role) =>
  changeRole(deps, by, { personId, role }).then(
    (changed) => changed.role,
    (error) => error.code,
  )
const trail = async () =>
  (await db.read.select().from(audit)).filter(({ kind }) => kind === 'person.role_changed')

test('an owner makes somebody an owner, once, and the trail says by whom', async () => {
  expect(await change(ada, 'bob', 'owner')).toBe('owner')
  expect(await roleOf('bob')).toBe('owner')
  const before = await trail()
  expect(before.at(-1)).toMatchObject({ personName: 'ada', subjectName: 'bob', detail: 'owner' })
  expect(await change(ada, 'bob', 'owner')).toBe('owner')
  expect(await trail()).toEqual(before)
})

test('the last owner stays one, also when two give it up at once', async () => {
  expect(await change(ada, 'ada', 'member')).toBe('conflict')
  expect(await roleOf('ada')).toBe('owner')
  await change(ada, 'bob', 'owner')
  const both = [change(ada, 'ada', 'member'), change({ ...bob, role: 'owner' }, 'bob', 'member')]
  expect((await Promise.all(both)).sort()).toEqual(['conflict', 'member'])
  expect([await roleOf('ada'), await roleOf('bob')].sort()).toEqual(['member', 'owner'])
})

test('members change nothing, and nobody of another workspace is there', async () => {
  expect(await change(bob, 'bob', 'owner')).toBe('forbidden')
  expect(await change(ada, 'eve', 'member')).toBe('not_found')
  expect(await change(ada, 'nobody', 'owner')).toBe('not_found')
  expect(await roleOf('bob')).toBe('member')
  expect(await roleOf('eve')).toBe('owner')
})
