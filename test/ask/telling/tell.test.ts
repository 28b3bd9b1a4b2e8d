import { afterEach, beforeEach, expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { setSwitch } from '../../../src/ask/subscribers/model/switch-store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'

const PEOPLE = {
  ann: 'owner',
  ben: 'member',
  cleo: 'member',
  dev: 'member',
  eve: 'member',
} as const

let world: FlowWorld
let group: Group
const labelOf = new Map<string, string>()
beforeEach(async () => {
  world = await flowWorld()
  const { workspaceId } = world.call().caller
  const about = { workspaceId, name: 'engineers', source: 'hand', createdAt: 1 } as const
  group = { id: 'group_1', ...about, externalId: undefined }
  await world.db.write(async (tx) => {
    await homeWorkspace(tx, workspaceId, 1)
    for (const [id, role] of Object.entries(PEOPLE)) {
      const email = `${id}@example.com`
      await insertPerson(tx, { id, name: id, email, workspaceId, role }, 1)
    }
    await insertGroup(tx, group)
  })
  await fill('ben', 'cleo')
  const devices = Object.keys(PEOPLE).map((personId) =>
    world.device(personId, { personId, externalId: `of-${personId}` }),
  )
  devices.push(world.device('#deploys'), world.device('#talk'))
  for (const { id, label } of await Promise.all(devices)) labelOf.set(id, label)
})
afterEach(() => world[Symbol.asyncDispose]())

const fill = (...people: string[]) =>
  world.db.write((tx) => putGroupMembers(tx, group, 'hand', people))
const rule = (approve: Partial<RuleApprove>) => {
  const parts: RuleApprove = { from: [group.id], asker: 'counts', ...approve }
  return addRule(world.deps, group.workspaceId, { match: {}, approve: parts })
}
async function listTold(more: object = {}) {
  const ask = { question: 'Deploy?', wait: false, ...more }
  const { correlationId } = await askUser(world.deps, ask, world.call())
  const id = correlationId as QuestionId
  const rows = await listDeliveries(world.db.read, group.workspaceId, id)
  const labels = rows
    .filter(({ state }) => state !== 'held')
    .map(({ subscriberId }) => labelOf.get(subscriberId) ?? '')
  return { labels: labels.sort(), id }
}

test('whoever may decide is told, unless a rule says who', async () => {
  await rule({})
  expect((await listTold()).labels).toEqual(['#deploys', '#talk', 'ben', 'cleo'])
})

test('groups, people, owners and channels are told, one with several reasons once', async () => {
  await rule({ tell: [group.id, 'ben', 'dev', 'owners', 'channel:deploys'] })
  expect((await listTold()).labels).toEqual(['#deploys', 'ann', 'ben', 'cleo', 'dev'])
})

test('all rules that match tell together, and one without tell tells whoever may decide by it', async () => {
  await rule({ tell: ['dev'] })
  await rule({ from: ['cleo'] })
  expect((await listTold()).labels).toEqual(['cleo', 'dev'])
})

test('who is told is read when asked: a group that changed, a person who switched questions off', async () => {
  await rule({ from: ['ann'], tell: [group.id] })
  await fill('dev', 'eve')
  const off = { sort: 'question', kind: 'browser', on: false } as const
  const { workspaceId } = group
  await world.db.write((tx) => setSwitch(tx, { workspaceId, personId: 'eve' }, off))
  expect((await listTold()).labels).toEqual(['dev'])
})

test('a call adds people whom it names, and takes none away', async () => {
  await rule({ tell: ['dev'] })
  expect((await listTold({ externalIds: ['of-eve'] })).labels).toEqual(['dev', 'eve'])
})

test('whoever is only told may not decide', async () => {
  await rule({ tell: ['dev', 'owners'] })
  const { id: questionId } = await listTold()
  const { workspaceId } = group
  for (const by of ['dev', 'ann']) {
    for (const value of ['yes', 'no']) {
      const answer = answerQuestion(world.deps, { workspaceId, questionId, value, by })
      await expect(answer).rejects.toMatchObject({ code: 'forbidden' })
    }
  }
  const { won } = await answerQuestion(world.deps, {
    ...{ workspaceId, questionId, value: 'yes', by: 'ben' },
  })
  expect(won).toBe(true)
})

test('a rule tells nobody who is not here', async () => {
  for (const tell of [['zed'], ['group_9'], ['owners', 'zed']]) {
    await expect(rule({ tell })).rejects.toMatchObject({ fields: [{ field: 'approve' }] })
  }
})
