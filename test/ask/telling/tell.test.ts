import { afterEach, beforeEach, expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { claimQuestion } from '../../../src/ask/claims/claim-question.ts'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { failOver } from '../../../src/ask/fail-over/fail-over.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { insertRota } from '../../../src/ask/rota/model/store.ts'
import { putOwnQuietHours } from '../../../src/ask/subscribers/model/own-quiet-store.ts'
import { setSwitch } from '../../../src/ask/subscribers/model/switch-store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { until } from '../../support/until.ts'

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
const labelsOf = async (id: QuestionId) => {
  const rows = await listDeliveries(world.db.read, group.workspaceId, id)
  return rows
    .filter(({ state, message }) => state !== 'held' && message.kind === 'question')
    .map(({ subscriberId }) => labelOf.get(subscriberId) ?? '')
    .sort()
}
async function listTold(more: object = {}) {
  const ask = { question: 'Deploy?', wait: false, ...more }
  const { correlationId } = await askUser(world.deps, ask, world.call())
  const id = correlationId as QuestionId
  return { labels: await labelsOf(id), id }
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
      await expect(answer).rejects.toMatchObject({ code: 'not_a_decider' })
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

const MINUTE = 60_000
const pass = async (minutes: number) => {
  await world.clock.advance(minutes * MINUTE)
  return failOver(world.deps)
}
const clockTime = (minutes: number) =>
  new Date(world.clock.now() + minutes * MINUTE).toISOString().slice(11, 16)
const quiet = (personId: string, minutes: number) =>
  world.db.write((tx) =>
    putOwnQuietHours(
      tx,
      { workspaceId: group.workspaceId, personId },
      { from: clockTime(-1), to: clockTime(minutes), zone: 'UTC' },
    ),
  )

test('while nobody decides, others are told step by step, by one of two processes', async () => {
  const escalate = [
    { afterMs: 10 * MINUTE, tell: ['ben', 'dev'], inform: true },
    { afterMs: 30 * MINUTE, tell: ['owners'], inform: true },
  ]
  await rule({ tell: ['ben'], escalate })
  const { labels, id } = await listTold()
  expect(labels).toEqual(['ben'])
  expect(await pass(9)).toBe(0)
  await world.clock.advance(MINUTE)
  const counts = await Promise.all([failOver(world.deps), failOver(world.deps)])
  expect(counts.sort()).toEqual([0, 1])
  expect(await labelsOf(id)).toEqual(['ben', 'dev'])
  await pass(20)
  expect(await labelsOf(id)).toEqual(['ann', 'ben', 'dev'])
  const rows = (await world.db.read.select().from(audit)).filter(
    ({ kind }) => kind === 'question.escalated',
  )
  expect(rows.map(({ subjectId, detail }) => [subjectId, detail?.split(': ')[1]])).toEqual([
    [id, 'dev'],
    [id, 'ann'],
  ])
})

test('an answer ends the steps, and one that comes after the end is none', async () => {
  const escalate = [
    { afterMs: 10 * MINUTE, tell: ['dev'], inform: true },
    { afterMs: 60 * MINUTE, tell: ['eve'], inform: true },
  ]
  await rule({ tell: ['ben'], escalate, lifeMs: 60 * MINUTE })
  const { id } = await listTold()
  const late = await listTold({ question: 'And this?' })
  const { workspaceId } = group
  await answerQuestion(world.deps, { workspaceId, questionId: id, value: 'yes', by: 'ben' })
  await pass(10)
  expect(await labelsOf(id)).toEqual(['ben'])
  await pass(49)
  await pass(2)
  expect(await labelsOf(late.id)).toEqual(['ben', 'dev'])
})

test('in their own quiet hours people are told when these end, and the next step is due at once', async () => {
  await quiet('ben', 120)
  await quiet('cleo', 60)
  const escalate = [{ afterMs: 30 * MINUTE, tell: ['dev'], inform: true }]
  await rule({ tell: [group.id], escalate })
  const { labels, id } = await listTold()
  expect(labels).toEqual(['dev'])
  const { workspaceId } = group
  await answerQuestion(world.deps, { workspaceId, questionId: id, value: 'no', by: 'cleo' })
  const second = await listTold({ question: 'And this?' })
  await pass(60)
  expect(await labelsOf(second.id)).toEqual(['cleo', 'dev'])
  await pass(60)
  expect(await labelsOf(second.id)).toEqual(['ben', 'cleo', 'dev'])
})

test('what is urgent passes quiet hours, and not what people switched off', async () => {
  await quiet('ben', 60)
  const off = { sort: 'question', kind: 'browser', on: false } as const
  const { workspaceId } = group
  await world.db.write((tx) => setSwitch(tx, { workspaceId, personId: 'cleo' }, off))
  await rule({ tell: [group.id], urgent: true })
  expect((await listTold()).labels).toEqual(['ben'])
})

test('whoever is on call is read when the step comes', async () => {
  const { workspaceId } = group
  const schedule = { startsOn: '2020-01-01', at: '09:00', everyDays: 7, people: ['eve'] }
  const rota = { id: 'rota_1', workspaceId, name: 'platform', zone: 'Europe/Berlin' } as const
  await world.db.write((tx) => insertRota(tx, { ...rota, source: 'hand', schedule, createdAt: 1 }))
  const escalate = [{ afterMs: 10 * MINUTE, tell: ['oncall:platform'] }]
  await rule({ tell: ['ben'], escalate })
  const { id } = await listTold()
  await pass(10)
  expect(await labelsOf(id)).toEqual(['ben', 'eve'])
  // Nobody knows who is on call in a rota that is not there.
  await rule({ from: ['cleo'], tell: ['oncall:nights'] })
  expect((await listTold({ question: 'And this?' })).labels).toEqual(['ann', 'ben'])
})

test('somebody who takes it replaces the notifications of others without a sound', async () => {
  await rule({ tell: [group.id] })
  const { id: questionId } = await listTold()
  const { workspaceId } = group
  await until(() => world.deliveries.length === 2)
  await settledDeliveries(questionId)
  await claimQuestion(world.deps, { workspaceId, questionId, by: 'ben' })
  await until(() => world.deliveries.length === 3)
  const replaced = world.deliveries.slice(2)
  expect(replaced.map(({ to, message }) => [to.label, message.quiet])).toEqual([['cleo', true]])
  expect(replaced[0]?.message).toMatchObject({ tag: questionId })
  expect(replaced[0]?.message.title).toContain('ben')
})

/** Until its service has accepted each message about it. */
const settledDeliveries = (id: QuestionId) =>
  until(async () => {
    const rows = await listDeliveries(world.db.read, group.workspaceId, id)
    return rows.every(({ state }) => state === 'accepted')
  })
