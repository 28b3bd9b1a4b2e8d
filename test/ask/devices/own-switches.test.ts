import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { changeSwitches, readSwitches } from '../../../src/ask/devices/own-switches.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import type { SwitchChanges } from '../../../src/ask/subscribers/model/switch-store.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld, outcomesIn } from '../../support/flow-world.ts'

const NOTE = { title: 'Build finished', body: 'All tests pass.' }
const ASK = { question: 'Deploy now?', wait: false }

const ownerOf = ({ call }: FlowWorld, id = 'ann') => ({
  id,
  workspaceId: call().caller.workspaceId,
})
const set = (world: FlowWorld, changes: SwitchChanges, id?: string) =>
  changeSwitches(world.deps, ownerOf(world, id), changes)
const listReceivers = ({ deliveries }: FlowWorld) => deliveries.map(({ to }) => to.label).sort()

async function annsDevices(world: FlowWorld) {
  await world.device('laptop', { personId: 'ann' })
  await world.device('phone', { personId: 'ann', kind: 'phone' })
}

test('each kind of message reaches the devices its person lets it through to', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await annsDevices(world)
  await set(world, { info: { phone: false }, task_complete: { browser: false } })
  const cases = [
    [undefined, ['laptop']],
    ['info', ['laptop']],
    ['task_complete', ['phone']],
    ['error', ['laptop', 'phone']],
  ] as const
  for (const [type, labels] of cases) {
    world.deliveries.length = 0
    const context = type && { context: { type } }
    const {
      sent: count,
      delivery,
      warning,
    } = await sendNotification(deps, { ...NOTE, ...context }, call())
    expect([type, listReceivers(world), count]).toEqual([type, [...labels], labels.length])
    expect(warning).toBeUndefined()
    const { status } = labels.includes('phone' as never) ? delivery.web : delivery.mobile
    if (labels.length === 1) expect(status).toContain('switched off')
  }
})

test('a person’s switches leave the devices of others, and of nobody, alone', async () => {
  await using world = await flowWorld()
  await annsDevices(world)
  await world.device('bobs', { personId: 'bob', kind: 'phone' })
  await world.device('topic', { kind: 'phone' })
  await set(world, { info: { browser: false, phone: false } })
  expect((await sendNotification(world.deps, NOTE, world.call())).sent).toBe(2)
  expect(listReceivers(world)).toEqual(['bobs', 'topic'])
})

test('a notification that everybody has switched off says so, and is kept', async () => {
  await using world = await flowWorld()
  await annsDevices(world)
  await set(world, { info: { browser: false, phone: false } })
  const result = await sendNotification(world.deps, NOTE, world.call())
  expect(result.sent).toBe(0)
  expect(result.warning).toContain('switched this kind of message off')
  expect(result.warning).not.toContain('must connect')
  const { items } = await readActivity(
    world.deps,
    { workspaceId: world.call().caller.workspaceId },
    {},
  )
  expect(items).toMatchObject([{ notification: { held: 'switched_off' } }])
})

test('a question that everybody has switched off returns at once and says why', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await annsDevices(world)
  await set(world, { question: { browser: false, phone: false } })
  const result = await askUser(deps, { question: 'Deploy now?' }, call())
  expect(result.warning).toContain('switched this kind of message off')
  expect(result).toMatchObject({
    noDevices: true,
    nextAction: 'ask_in_current_client',
    delivery: { web: 0, mobile: 0 },
  })
  const scope = await proposeScope(deps, { doneWhen: 'It is done', sessionId: 's' }, call())
  expect(scope.warning).toBe(result.warning as string)
  expect(world.deliveries).toEqual([])
  const { items } = await readActivity(deps, { workspaceId: call().caller.workspaceId }, {})
  expect(items).toMatchObject([
    { question: { detail: { switchedOff: 'all' } } },
    { question: { detail: { switchedOff: 'all' } } },
  ])
})

test('a retry of such a question is told the same', async () => {
  await using world = await flowWorld()
  await annsDevices(world)
  await set(world, { question: { browser: false, phone: false } })
  const ask = { ...ASK, toolUseId: 't1', toolName: 'Bash' }
  const first = await askUser(world.deps, ask, world.call())
  const again = await askUser(world.deps, ask, world.call())
  expect([again.noDevices, again.warning]).toEqual([true, first.warning])
})

test('when the devices left refuse, the warning names both reasons', async () => {
  await using world = await flowWorld()
  await annsDevices(world)
  world.receipts.set('laptop', async () => ({ outcome: 'refused', status: 400, reason: 'no' }))
  await set(world, { question: { phone: false }, info: { phone: false } })
  const question = await askUser(world.deps, { question: 'Deploy now?' }, world.call())
  const notification = await sendNotification(world.deps, NOTE, world.call())
  for (const { warning } of [question, notification]) {
    expect(warning).toContain('No connected device accepted this')
    expect(warning).toContain('switched this kind of message off')
  }
})

test('phones that are switched off are not held back by a terminal, nor rung after a grace', async () => {
  await using world = await flowWorld()
  const { deps, call, clock } = world
  await world.device('phone', { personId: 'ann', kind: 'phone' })
  await set(world, { question: { phone: false } })
  const { workspaceId } = ownerOf(world)
  await setPolicy(deps, workspaceId, { graceMs: 20_000 })
  const result = await askUser(deps, ASK, call())
  expect(result).toMatchObject({ noDevices: true, delivery: { web: 0, mobile: 0 } })
  expect(result.delivery).not.toHaveProperty('pending')
  await clock.advance(60_000)
  expect(world.deliveries).toEqual([])
})

test('outcomes are kept from devices that do not want them', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await annsDevices(world)
  await set(world, { outcome: { phone: false } })
  const { correlationId } = await askUser(deps, ASK, call())
  await settle()
  const { workspaceId } = ownerOf(world)
  const questionId = correlationId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  await settle()
  expect(outcomesIn(world)).toEqual(['Answered: yes'])
  expect(world.deliveries.at(-1)?.to.label).toBe('laptop')
})

test('an error with a question gets through when either does', async () => {
  await using world = await flowWorld()
  await annsDevices(world)
  await set(world, { question: { browser: false, phone: false }, error: { phone: false } })
  const context = { type: 'error', askQuestion: { question: 'Try again?' } } as const
  expect((await sendNotification(world.deps, { ...NOTE, context }, world.call())).sent).toBe(1)
  expect(listReceivers(world)).toEqual(['laptop'])
})

test('what is held is in the audit trail with its reason, and so is each change of a switch', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await annsDevices(world)
  expect(await readSwitches(deps, ownerOf(world))).toMatchObject({ info: { phone: true } })
  await set(world, { info: { phone: false, browser: true } })
  await set(world, { info: { phone: false } })
  await sendNotification(deps, NOTE, call())
  await settle()
  const read = async (kind: 'message.not_delivered' | 'switches.changed') => {
    const { workspaceId } = ownerOf(world)
    const filter = { ...NO_FILTER, kinds: [kind] }
    return (await readAudit(deps, { workspaceId }, filter, { limit: 10 })).entries
  }
  expect(await read('message.not_delivered')).toMatchObject([
    {
      device: 'phone',
      outcome: 'held',
      note: expect.stringContaining('switched such messages off'),
    },
  ])
  expect(await read('switches.changed')).toMatchObject([
    { personId: 'ann', outcome: 'info on phone: off' },
  ])
})
