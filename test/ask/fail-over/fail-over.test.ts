import { expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { readReceipts } from '../../../src/ask/delivery/read-receipts.ts'
import { failOver } from '../../../src/ask/fail-over/fail-over.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { setSwitch } from '../../../src/ask/subscribers/model/switch-store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { until } from '../../support/until.ts'

const MINUTE = 60_000

/** Ann, Ben and Cleo with a device each; whoever is in `order` is told a minute after the one before. */
async function house(order: string[] = ['ben', 'cleo'], without: string[] = []) {
  const world = await flowWorld()
  const { db, clock, deps, deliveries } = world
  const { workspaceId } = world.call().caller
  const people = ['ann', 'ben', 'cleo']
  await db.write(async (tx) => {
    await homeWorkspace(tx, workspaceId, 1)
    for (const id of people) {
      const email = `${id}@example.com`
      await insertPerson(tx, { id, name: id, email, workspaceId, role: 'member' }, 1)
    }
  })
  for (const personId of people) {
    if (!without.includes(personId)) await world.device(personId, { personId, tags: [personId] })
  }
  await setPolicy(deps, workspaceId, { failoverMs: MINUTE, failoverTo: order })
  const ask = (more: object = {}) =>
    askUser(deps, { question: 'Deploy?', wait: false, ...more }, world.call())
  const listReceivers = () =>
    deliveries.filter(({ message }) => message.kind === 'question').map(({ to }) => to.label)
  const pass = async (ms: number) => {
    await clock.advance(ms)
    const before = deliveries.length
    const count = await failOver(deps)
    await until(() => deliveries.length >= before + count)
  }
  return {
    ...{ world, deps, db, clock, deliveries, workspaceId, ask, listReceivers, pass },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('the next person is told, then the one after, each once', async () => {
  await using home = await house()
  const { listReceivers, pass, ask } = home
  const result = await ask({ requestId: 'a' })
  await pass(MINUTE - 1_000)
  expect(listReceivers()).toEqual(['ann'])
  await pass(1_000)
  expect(listReceivers()).toEqual(['ann', 'ben'])
  await pass(0)
  await pass(MINUTE)
  await pass(MINUTE)
  expect(listReceivers()).toEqual(['ann', 'ben', 'cleo'])
  // A call that joins later counts the first message alone.
  const receipts = await readReceipts(home, home.workspaceId, result.correlationId as QuestionId)
  expect(receipts.map(({ label, failover }) => [label, failover])).toEqual([
    ['ann', false],
    ['ben', true],
    ['cleo', true],
  ])
  expect((await ask({ requestId: 'a' })).delivery).toEqual({ web: 1, mobile: 0 })
})

test('an answer ends it, and everybody who was told sees the outcome', async () => {
  await using home = await house()
  const { deps, workspaceId, pass, deliveries } = home
  const { correlationId } = await home.ask()
  await pass(MINUTE)
  const questionId = correlationId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes', source: 'inbox' })
  await pass(MINUTE)
  await pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann', 'ben'])
  const outcomes = deliveries.filter(({ message }) => message.kind === 'outcome')
  expect(outcomes.map(({ to }) => to.label).sort()).toEqual(['ann', 'ben'])
})

test('two processes tell the next person once', async () => {
  await using home = await house()
  await home.ask()
  await home.clock.advance(MINUTE)
  const counts = await Promise.all([failOver(home.deps), failOver(home.deps)])
  await home.pass(0)
  expect(counts.sort()).toEqual([0, 1])
  expect(home.listReceivers()).toEqual(['ann', 'ben'])
})

test('who has no device is passed over at once; who was told first is not told again', async () => {
  await using home = await house(['ben', 'cleo'], ['ben'])
  await home.ask()
  await home.pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann', 'cleo'])
  await using withCleo = await house(['ann', 'cleo'])
  await withCleo.ask({ tags: ['ann'] })
  await withCleo.pass(MINUTE)
  expect(withCleo.listReceivers()).toEqual(['ann', 'cleo'])
})

test('where only people of the fail-over list have devices, the first of them is told at once', async () => {
  await using home = await house(['ann', 'ben', 'cleo'])
  const result = await home.ask()
  expect(result.noDevices).toBeUndefined()
  await home.pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann', 'ben'])
})

test('fail-over is off by default, and a rule can turn it on, off and to others', async () => {
  await using home = await house()
  const { deps, workspaceId } = home
  await setPolicy(deps, workspaceId, { failoverMs: 0 })
  const set = { failoverMs: 10_000, failoverTo: ['cleo'] }
  await addRule(deps, workspaceId, { match: { repoKey: 'shop' }, set })
  await home.ask({ requestId: 'a' })
  await home.pass(MINUTE)
  expect(home.listReceivers().sort()).toEqual(['ann', 'ben', 'cleo'])
  await home.ask({ repoKey: 'shop', requestId: 'b' })
  await home.pass(10_000)
  expect(home.listReceivers().slice(3, 5).sort()).toEqual(['ann', 'ben'])
  expect(home.listReceivers().slice(5)).toEqual(['cleo'])
})

test('quiet hours keep approvals from the next person, and tell them afterwards', async () => {
  await using home = await house()
  const { deps, workspaceId, clock } = home
  const hook = { toolName: 'Bash', toolTarget: 'ls', sessionId: 's', toolUseId: 't' }
  await home.ask({ ...hook, question: 'Run ls?' })
  const minutes = (ms: number) => new Date(clock.now() + ms).toISOString().slice(11, 16)
  const quietHours = { from: minutes(0), to: minutes(3 * MINUTE), zone: 'UTC' }
  await setPolicy(deps, workspaceId, { quietHours })
  await home.pass(MINUTE)
  await home.pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann'])
  await home.pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann', 'ben'])
})

test('after quiet hours the next person of the fail-over list is told within a minute', async () => {
  await using home = await house()
  const { deps, workspaceId, clock } = home
  await setPolicy(deps, workspaceId, { failoverMs: 4 * MINUTE })
  const hook = { toolName: 'Bash', toolTarget: 'ls', sessionId: 's', toolUseId: 't' }
  await home.ask({ ...hook, question: 'Run ls?' })
  const minutes = (ms: number) => new Date(clock.now() + ms).toISOString().slice(11, 16)
  const quietHours = { from: minutes(0), to: minutes(5 * MINUTE), zone: 'UTC' }
  await setPolicy(deps, workspaceId, { quietHours })
  await home.pass(4 * MINUTE)
  expect(home.listReceivers()).toEqual(['ann'])
  await home.pass(MINUTE)
  expect(home.listReceivers()).toEqual(['ann', 'ben'])
})

test('what was sent to nobody is sent to nobody else', async () => {
  await using home = await house()
  await home.ask({ env: 'test' })
  await setPolicy(home.deps, home.workspaceId, { deliveryMode: 'notify_only' })
  await home.ask({ question: 'Only tell?' })
  await home.pass(MINUTE)
  expect(home.deliveries.map(({ to }) => to.label).sort()).toEqual(['ann', 'ben', 'cleo'])
})

test('whoever switched questions off is passed over, and the audit trail says who was told', async () => {
  await using home = await house()
  const { db, workspaceId } = home
  const off = { sort: 'question', kind: 'browser', on: false } as const
  await db.write((tx) => setSwitch(tx, { workspaceId, personId: 'ben' }, off))
  await home.ask()
  await home.clock.advance(MINUTE)
  await failOver(home.deps)
  await until(() => home.listReceivers().length === 2)
  expect(home.listReceivers()).toEqual(['ann', 'cleo'])
  const trail = await db.read.select().from(audit)
  expect(JSON.stringify(trail)).toContain('nobody answered; told: cleo')
})

test('the fail-over list names only people of the workspace, each once', async () => {
  await using home = await house()
  const { deps, workspaceId } = home
  for (const [failoverTo, field] of [
    [['ben', 'zed'], 'failoverTo[1]'],
    [['ben', 'ben'], 'failoverTo[1]'],
  ] as const) {
    const set = setPolicy(deps, workspaceId, { failoverTo: [...failoverTo] })
    await expect(set).rejects.toMatchObject({ fields: [{ field }] })
  }
})
