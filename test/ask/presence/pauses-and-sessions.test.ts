import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import type { PolicyChanges } from '../../../src/ask/policy/model/policy.ts'
import { readSessions, resumeSession } from '../../../src/ask/presence/read-sessions.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const ASK = { question: 'Deploy now?', agentName: 'Claude Code - shop' } satisfies AskUserInput
const APPROVAL = {
  ...ASK,
  sessionId: 's1',
  machineId: 'm1',
  toolName: 'Bash',
  toolTarget: 'git push',
} satisfies AskUserInput

async function withPolicy(world: FlowWorld, changes: PolicyChanges) {
  await setPolicy(world.deps, world.call().caller.workspaceId, changes)
}

async function leaveUnanswered(world: FlowWorld) {
  const { deps, clock, call } = world
  const asking = askUser(deps, { ...APPROVAL, timeoutMs: 1_000 }, call())
  await settle()
  await clock.advance(1_000)
  const { correlationId } = await asking
  await cancelQuestion(deps, { correlationId }, call())
}

// spec: QS-ERR-4
test('three approvals unanswered in a row pause the session; an answer or Resume lifts it', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const { workspaceId } = call().caller
  for (let i = 0; i < 3; i++) await leaveUnanswered(world)
  await settle()
  world.deliveries.length = 0
  const paused = await askUser(deps, APPROVAL, call())
  expect(paused).toMatchObject({
    status: 'pending',
    paused: true,
    answered: false,
    handoffAction: 'cancel_then_ask_in_current_client',
  })
  expect(world.deliveries).toEqual([])
  expect(
    (await askUser(deps, { ...ASK, sessionId: 's1', machineId: 'm1', wait: false }, call())).paused,
  ).toBeUndefined()
  expect(
    (await askUser(deps, { ...APPROVAL, sessionId: 's2', wait: false }, call())).paused,
  ).toBeUndefined()

  const [seen] = (await readSessions(deps, { workspaceId })).filter(
    ({ session }) => session.sessionId === 's1',
  )
  await resumeSession(deps, workspaceId, seen?.session.id ?? '')
  const resumed = await askUser(deps, { ...APPROVAL, wait: false }, call())
  expect(resumed.paused).toBeUndefined()
  // Otherwise the next calls would join it.
  await cancelQuestion(deps, { correlationId: resumed.correlationId }, call())

  for (let i = 0; i < 3; i++) await leaveUnanswered(world)
  const again = await askUser(deps, APPROVAL, call())
  expect(again.paused).toBe(true)
  const questionId = again.correlationId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  expect((await askUser(deps, { ...APPROVAL, wait: false }, call())).paused).toBeUndefined()
})

test('with pausedAware a paused approval lasts its full wait, and may still be answered', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  for (let i = 0; i < 3; i++) await leaveUnanswered(world)
  const ask = { ...APPROVAL, pausedAware: true, timeoutMs: 20_000 }
  let returned = false
  const asking = askUser(deps, ask, call()).finally(() => {
    returned = true
  })
  await settle()
  await clock.advance(19_999)
  expect(returned).toBe(false)
  await clock.advance(1)
  expect(await asking).toMatchObject({ paused: true, timedOut: true, answered: false })

  const second = askUser(deps, ask, call())
  await settle()
  const { workspaceId } = call().caller
  const open = (await readInbox(deps, workspaceId)).at(-1)
  if (!open) throw new Error('nothing is open')
  await answerQuestion(deps, { workspaceId, questionId: open.id, value: 'yes' })
  expect(await second).toMatchObject({ status: 'answered', value: 'yes' })
})

test('what the caller took back early does not count towards a pause', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  for (let i = 0; i < 5; i++) {
    const { correlationId } = await askUser(deps, { ...APPROVAL, wait: false }, call())
    await cancelQuestion(deps, { correlationId }, call())
  }
  expect((await askUser(deps, { ...APPROVAL, wait: false }, call())).paused).toBeUndefined()
})

test('quiet hours keep approvals in the terminal; errors and explicit questions get through', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  await withPolicy(world, { quietHours: { from: '11:00', to: '13:00', zone: 'UTC' } })
  expect(await askUser(deps, APPROVAL, call())).toMatchObject({ mode: 'terminal_only' })
  const quiet = await sendNotification(deps, { title: 'Done', body: 'All green.' }, call())
  expect(quiet).toMatchObject({
    sent: 0,
    delivery: { web: { status: 'Quiet hours: nothing was sent.' } },
  })
  expect(quiet.warning).toBeUndefined()
  expect(world.deliveries).toEqual([])
  await sendNotification(deps, { title: 'Broken', body: 'Oh.', context: { type: 'error' } }, call())
  await askUser(deps, { ...ASK, wait: false }, call())
  await settle()
  expect(world.deliveries).toHaveLength(2)
})

test('sessions are seen by what they do, the blocked first', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const { workspaceId } = call().caller
  const tell = (sessionId: string, more: object = {}) =>
    sendNotification(
      deps,
      { title: `At work in ${sessionId}`, body: 'x', sessionId, ...more },
      call(),
    )
  await tell('old')
  await clock.advance(20 * 60_000)
  await tell('idle')
  await clock.advance(3 * 60_000)
  await tell('active')
  await tell('errored', { context: { type: 'error' } })
  await askUser(deps, { ...ASK, sessionId: 'blocked', wait: false }, call())
  const sessions = await readSessions(deps, { workspaceId })
  expect(sessions.map(({ session, status }) => [session.sessionId, status])).toEqual([
    ['blocked', 'waiting'],
    ['errored', 'errored'],
    ['active', 'active'],
    ['idle', 'idle'],
    ['old', 'offline'],
  ])
  expect(sessions[0]?.session).toMatchObject({
    agentName: 'Claude Code - shop',
    lastAction: 'Deploy now?',
  })
})
