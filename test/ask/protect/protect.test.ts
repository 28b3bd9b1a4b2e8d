import { afterEach, beforeEach, expect, test } from 'bun:test'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { readGroup } from '../../../src/ask/groups/groups.ts'
import { listGroups } from '../../../src/ask/groups/model/store.ts'
import { listRules, putProtect, readProtect } from '../../../src/ask/policy/model/store.ts'
import { listProposals, listUntold } from '../../../src/ask/protect/model/store.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { connect } from '../../support/devices.ts'
import { type ProtectWorld, protectWorld, theRule } from '../../support/protect-world.ts'
import { until } from '../../support/until.ts'

let world: ProtectWorld
beforeEach(async () => {
  world = await protectWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const placeOf = (response: Response) => response.headers.get('location') ?? ''
const questionAt = (place: string) =>
  findQuestion(world.db.read, world.workspaceId, place.replace('/d/', '') as QuestionId)
/** The place where it is decided: nothing was changed. */
async function proposed(response: Response): Promise<string> {
  expect(response.status).toBe(303)
  expect(placeOf(response)).toStartWith('/d/q_')
  return placeOf(response)
}
const weaken = () => ({ toolName: 'Bash', approvers: 'yes', approver: world.id('mara'), need: '1' })
const changeRule = async (fields: Record<string, string> = weaken()) =>
  world.submit(`/settings/rules/${(await theRule(world))?.id}`, fields)
async function changeGroup(name: 'engineers' | 'security', people: string[], rename?: string) {
  const group = world[name]
  const { seen } = await readGroup(world.db.read, world.workspaceId, group.id)
  const fields = [
    ['name', rename ?? group.name],
    ['seen', seen],
    ...people.map((who) => ['person', world.id(who)]),
  ]
  return world.submit(`/settings/groups/${group.id}`, fields)
}

test('a rule that says who decides is changed once enough have agreed, and by the last of them', async () => {
  const place = await proposed(await changeRule())
  const before = await theRule(world)
  await world.agree(place, 'bob')
  expect(await theRule(world)).toEqual(before)
  await world.agree(place, 'fay')
  expect((await theRule(world))?.approve?.from).toEqual([world.id('mara')])
  expect((await questionAt(place))?.detail).toMatchObject({ change: { is: 'made' } })
  expect(await listProposals(world.db.read, world.workspaceId)).toEqual([])
  const rows = await world.db.read.select().from(audit)
  expect(rows.find(({ kind }) => kind === 'rule.changed')?.personId).toBe(world.id('mara'))
})

test('those who guard are told of it, and nobody else', async () => {
  const { db, workspaceId } = world
  const devices = ['bob', 'eve'].map((name) => ({ workspaceId, personId: world.id(name) }))
  const [ofBob] = await connect(db, ...devices)
  const place = await proposed(await changeRule())
  const id = place.replace('/d/', '') as QuestionId
  await until(async () => (await listUntold(db.read, 9)).length === 0)
  const rows = await listDeliveries(db.read, workspaceId, id)
  expect(rows.map(({ subscriberId }) => subscriberId)).toEqual([ofBob?.id ?? 'sub_none'])
})

test('one no ends it, and nothing is changed', async () => {
  const place = await proposed(await changeRule())
  const before = await theRule(world)
  await world.agree(place, 'bob', 'no')
  expect((await questionAt(place))?.value).toBe('no')
  await world.agree(place, 'fay')
  expect(await theRule(world)).toEqual(before)
  expect(await listProposals(world.db.read, world.workspaceId)).toEqual([])
})

test('nobody agrees to what they proposed themselves, nor does anybody who guards nothing', async () => {
  const { db, workspaceId, security } = world
  const from = [security.id, world.id('mara')]
  await db.write((tx) => putProtect(tx, workspaceId, { from, need: 1 }, 1))
  const place = await proposed(await changeRule())
  for (const who of ['mara', 'ana', 'eve']) {
    await world.agree(place, who)
    expect([who, (await questionAt(place))?.status]).toEqual([who, 'pending'])
  }
  await world.agree(place, 'fay')
  expect((await questionAt(place))?.status).toBe('answered')
})

test('what decides is protected: rules with approvers, their groups, the guards and who guards', async () => {
  const { workspaceId, db, engineers, security } = world
  const ways = [
    () => changeGroup('engineers', ['ana', 'bob', 'mara']),
    () => changeGroup('security', ['mara', 'bob', 'fay']),
    () => changeGroup('engineers', ['ana', 'bob'], 'others'),
    () => world.submit(`/settings/groups/${engineers.id}/remove`, {}),
    () => world.submit(`/settings/groups/${security.id}/remove`, {}),
    async () => world.submit(`/settings/rules/${(await theRule(world))?.id}/remove`, {}),
    () =>
      world.submit('/settings/rules/new', {
        toolName: 'Edit',
        approvers: 'yes',
        approver: world.id('mara'),
        need: '1',
      }),
    () => world.submit('/settings/protect', {}),
    () => world.submit('/settings/protect', { from: world.id('mara'), need: '1' }),
  ]
  const before = [await listRules(db.read, workspaceId), await listGroups(db.read, workspaceId)]
  for (const way of ways) await proposed(await way())
  expect([await listRules(db.read, workspaceId), await listGroups(db.read, workspaceId)]).toEqual(
    before,
  )
  expect(await readProtect(db.read, workspaceId)).toEqual({ from: [security.id], need: 2 })
})

test('other rules and groups are changed as ever', async () => {
  const rule = await world.submit('/settings/rules/new', { toolName: 'Edit', decision: 'allow' })
  expect(placeOf(rule)).toStartWith('/settings/rules')
  const group = await world.submit('/settings/groups', { name: 'writers' })
  expect(placeOf(group)).toStartWith('/settings/groups/')
})

test('the same change again joins its question, and two people’s are two', async () => {
  const place = await proposed(await changeRule())
  expect(await proposed(await changeRule())).toBe(place)
  expect(await proposed(await changeGroup('engineers', ['ana']))).not.toBe(place)
  expect(await listProposals(world.db.read, world.workspaceId)).toHaveLength(2)
})

test('what moved meanwhile is not changed, and the question says so', async () => {
  const first = await proposed(await changeGroup('engineers', ['ana']))
  const second = await proposed(await changeGroup('engineers', ['ana', 'bob', 'fay']))
  for (const who of ['bob', 'fay']) await world.agree(first, who)
  expect((await questionAt(first))?.detail.change).toEqual({ is: 'made' })
  for (const who of ['bob', 'fay']) await world.agree(second, who)
  expect((await questionAt(second))?.detail.change).toMatchObject({ is: 'not_made' })
  const { members } = await readGroup(world.db.read, world.workspaceId, world.engineers.id)
  expect(members.map(({ personId }) => personId)).toEqual([world.id('ana')])
  const page = await (await world.get(second, world.cookies.bob)).text()
  expect(page).toContain('Propose it again')
})

test('whoever asks for less to agree needs those who agree now', async () => {
  const easier = await proposed(
    await world.submit('/settings/protect', { from: world.id('fay'), need: '1' }),
  )
  const rule = await proposed(await changeRule())
  await world.agree(easier, 'fay')
  expect((await readProtect(world.db.read, world.workspaceId))?.need).toBe(2)
  await world.agree(easier, 'bob')
  expect(await readProtect(world.db.read, world.workspaceId)).toEqual({
    from: [world.id('fay')],
    need: 1,
  })
  // What was proposed before is decided by other people than now, so it is not made.
  await world.agree(rule, 'bob')
  await world.agree(rule, 'fay')
  expect((await questionAt(rule))?.detail.change).toMatchObject({ is: 'not_made' })
})

test('over REST it is proposed as well, and the reply says where it is decided', async () => {
  const { cookie, url } = world
  const response = await fetch(`${url}/api/v1/rules/${(await theRule(world))?.id}`, {
    method: 'PATCH',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ approve: { from: [world.id('mara')] } }),
  })
  const problem = await response.json()
  expect([response.status, problem.code]).toEqual([409, 'needs_agreement'])
  expect(problem.question).toMatch(/\/d\/q_/)
  const place = new URL(problem.question).pathname
  for (const who of ['bob', 'fay']) await world.agree(place, who)
  expect((await theRule(world))?.approve?.from).toEqual([world.id('mara')])
})

test('those who guard read each value that a rule, new or changed, would have', async () => {
  const textOf = async (reply: Response) =>
    (await questionAt(await proposed(reply)))?.detail.actionBody ?? ''
  const changed = await textOf(await changeRule())
  expect(changed).toContain('approve.from: + mara@example.org, - engineers')
  expect(changed).not.toContain('{')
  const rule = { toolName: 'Write', approvers: 'yes', approver: world.engineers.id, need: '1' }
  const added = await textOf(await world.submit('/settings/rules/new', rule))
  expect(added).toContain('+ rule write')
  expect(added).toContain('approve.from: + engineers')
  expect(added).toContain('match.toolName: nothing → "Write"')
})
