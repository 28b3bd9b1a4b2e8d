import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
let group: Group
let bob: Person
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  const who = { email: 'bob@example.org', name: 'Bob', role: 'member' } as const
  bob = await addPersonWithPassword({ db, clock }, who)
  const about = { workspaceId, name: 'site engineers', source: 'hand', createdAt: 1 } as const
  group = { id: newId('group', 1), ...about, externalId: undefined }
  await db.write(async (tx) => {
    await insertGroup(tx, group)
    await putGroupMembers(tx, group, 'hand', [bob.id])
  })
})
afterEach(() => world[Symbol.asyncDispose]())

const RULE = { toolName: 'Bash', approvers: 'yes', need: '1' }
const STEPS = '10m oncall:platform, bob@example.org\n2h owners, inform'
const save = (fields: Record<string, string>, path = '/settings/rules/new') =>
  world.post(path, { ...RULE, approver: group.id, ...fields }, { cookie: world.cookie })
const approve = async () => (await listRules(world.db.read, world.workspaceId))[0]?.approve

test('the form of a rule says who is told, by name, and shows it again', async () => {
  const tell = 'site engineers, owners, channel:deploys'
  expect((await save({ tell, escalate: STEPS, urgent: 'yes' })).status).toBe(303)
  expect(await approve()).toMatchObject({
    ...{ urgent: true, tell: [group.id, 'owners', 'channel:deploys'] },
    escalate: [
      { afterMs: 600_000, tell: ['oncall:platform', bob.id] },
      { afterMs: 7_200_000, tell: ['owners'], inform: true },
    ],
  })
  const [rule] = await listRules(world.db.read, world.workspaceId)
  const path = `/settings/rules/${rule?.id}`
  const page = await (await world.get(path)).text()
  expect(page).toContain(`value="${tell}"`)
  expect(page).toContain(STEPS)
  expect(page).not.toContain('It also')
  expect(await (await world.get('/settings/rules')).text()).toContain('after 10 min')
  // What it shows is what it saves.
  await save({ tell, escalate: STEPS, urgent: 'yes' }, path)
  expect(await approve()).toEqual(rule?.approve)
  await save({ tell: '', escalate: '' }, path)
  const later = await approve()
  expect([later?.tell, later?.escalate, later?.urgent]).toEqual([undefined, undefined, undefined])
})

test('what stands for nobody, has no time, or tells nobody who may decide is refused', async () => {
  for (const fields of [
    { tell: 'managers', escalate: '' },
    { tell: 'eve@example.org', escalate: '' },
    { escalate: 'owners' },
    { escalate: '10m' },
    { escalate: '8d bob@example.org' },
    { escalate: '10m owners' },
  ]) {
    const response = await save(fields)
    expect([fields, response.status]).toEqual([fields, 422])
    const text = fields.escalate || fields.tell || ''
    expect(await response.text()).toContain(text)
  }
  expect(await approve()).toBeUndefined()
})
