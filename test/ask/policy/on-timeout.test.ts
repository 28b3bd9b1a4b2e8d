import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { DeliveryMode, OnTimeout } from '../../../src/ask/wire/delivery-mode.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'

const ASK = {
  question: 'Plan it?',
  sessionId: 's1',
  toolName: 'Bash',
  toolTarget: 'terraform plan',
}
const RULE = 'the rule for Bash on terraform plan* declines'

async function world(onTimeout: OnTimeout, { mode = 'push_first', device = true } = {}) {
  const flow = await flowWorld()
  const { deps, call, clock } = flow
  const { workspaceId } = call().caller
  if (device) await flow.device('laptop')
  await setPolicy(deps, workspaceId, { deliveryMode: mode as DeliveryMode, waitMs: 10_000 })
  const match = { toolName: 'Bash', toolTarget: 'terraform plan*' }
  await addRule(deps, workspaceId, { match, set: { onTimeout } })
  const ask = async () => {
    const asking = askUser(deps, ASK, call())
    await settle()
    await clock.advance(10_000)
    return await asking
  }
  const wait = async (correlationId: string) => {
    const waiting = waitForAnswer(deps, { correlationId }, call())
    await settle()
    await clock.advance(10_000)
    return await waiting
  }
  return Object.assign(flow, { ask, wait, workspaceId })
}

test('deny: after one more wait, and at the end, it is declined by the rule and by no person', async () => {
  await using here = await world('deny')
  const first = await here.ask()
  expect(first).toMatchObject({
    status: 'pending',
    answered: false,
    timedOut: true,
    nextAction: 'wait_for_answer',
    handoffAction: 'stop',
  })
  const second = await here.wait(first.correlationId)
  expect(second).toMatchObject({ status: 'pending', timedOut: true, handoffAction: 'stop' })
  await here.clock.advance(10 * 60_000)
  const last = await here.wait(first.correlationId)
  expect(last).toMatchObject({ status: 'expired', answered: false, handoffAction: 'stop' })
  expect(last.value).toBeUndefined()
  for (const { hint } of [first, second, last]) expect(hint).toContain(RULE)
  for (const { hint } of [second, last]) expect(hint).toContain('No person said no')
})

test('deny: whoever answers meanwhile is the one who decides', async () => {
  await using here = await world('deny')
  const { correlationId } = await here.ask()
  const { deps, workspaceId } = here
  await answerQuestion(deps, { workspaceId, questionId: correlationId as QuestionId, value: 'yes' })
  const result = await here.wait(correlationId)
  expect(result).toMatchObject({ status: 'answered', value: 'yes' })
  expect(result.handoffAction).toBeUndefined()
})

test('deny: what nobody could be told of is not done either', async () => {
  await using here = await world('deny', { device: false })
  const result = await here.ask()
  expect(result).toMatchObject({ noDevices: true, handoffAction: 'stop' })
  expect(result.hint).toContain(RULE)
})

test.each(['deny', 'hand_off'] as const)(
  '%s: with push_only the agent waits until the question has ended',
  async (onTimeout) => {
    await using here = await world(onTimeout, { mode: 'push_only' })
    const { correlationId, ...first } = await here.ask()
    expect(first).toMatchObject({ timedOut: true, nextAction: 'wait_for_answer' })
    expect(first.handoffAction).toBeUndefined()
    expect((await here.wait(correlationId)).nextAction).toBe('wait_for_answer')
    await here.clock.advance(10 * 60_000)
    const last = await here.wait(correlationId)
    expect(last.status).toBe('expired')
    const next = [last.handoffAction, last.nextAction]
    expect(next).toEqual(
      onTimeout === 'deny' ? ['stop', undefined] : [undefined, 'ask_in_current_client'],
    )
  },
)

test('hand_off: with push_first as without it, and without a device the client is asked', async () => {
  await using here = await world('hand_off')
  expect((await here.ask()).handoffAction).toBe('cancel_then_ask_in_current_client')
  await using nobody = await world('hand_off', { mode: 'push_only', device: false })
  expect((await nobody.ask()).handoffAction).toBe('cancel_then_ask_in_current_client')
})
