import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { answerWithoutServer } from '../../../src/ask/mcp/without-server.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { OnTimeout } from '../../../src/ask/wire/delivery-mode.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { Failure } from '../../../src/platform/failure.ts'
import { readMessage } from '../../../src/platform/mcp/message.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { toolCall } from '../../support/mcp-world.ts'
import { costOfNext, NEXT_MAX } from '../../support/result-rules.ts'

// The walk through all results (test/ask/questions/result-walk.slow.test.ts) holds each of them to the
// limit; here is what is longest.

const cheap = (result: object) =>
  expect([result, costOfNext(result) <= NEXT_MAX]).toEqual([result, true])

test.each(['deny', 'hand_off'] as const)(
  'a rule with a long name costs no more (%s)',
  async (onTimeout: OnTimeout) => {
    await using world = await flowWorld()
    const { deps, call, clock } = world
    const { workspaceId } = call().caller
    await world.device('laptop')
    await setPolicy(deps, workspaceId, { deliveryMode: 'push_first', waitMs: 10_000 })
    const call_ = {
      toolName: '部署"工具\u0301'.repeat(10),
      toolTarget: 'ünïcödé ☃ '.repeat(7).trim(),
    }
    await addRule(deps, workspaceId, { match: call_, set: { onTimeout } })
    const asking = askUser(deps, { question: 'Go?', sessionId: 's1', ...call_ }, call())
    await settle()
    await clock.advance(10_000)
    const result = await asking
    cheap(result)
    const { correlationId } = result
    const waiting = waitForAnswer(deps, { correlationId }, call())
    await settle()
    await clock.advance(10_000)
    cheap(await waiting)
    await clock.advance(10 * 60_000)
    const ended = await waitForAnswer(deps, { correlationId }, call())
    expect(ended.hint).toContain('the rule for "部署')
    cheap(ended)
    cheap(await cancelQuestion(deps, { correlationId }, call()))
  },
)

test('an id that was taken costs no more, however much differs', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const first = { question: 'Go?', requestId: 'r', wait: false }
  const { correlationId } = await askUser(deps, first, call())
  const texts = { context: 'a', action: 'b', actionBody: 'c', blocker: 'd', intent: 'e' }
  const other: AskUserInput = {
    ...first,
    ...texts,
    question: 'Stop?',
    type: 'select',
    options: ['a', 'b'],
  } as const
  const joined = await askUser(deps, other, call())
  expect(joined.correlationId).toBe(correlationId)
  cheap(joined)
  const { workspaceId } = call().caller
  await answerQuestion(deps, { workspaceId, questionId: correlationId as QuestionId, value: 'no' })
  cheap(await askUser(deps, other, call()))
})

test('a notification with everything in it costs no more', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  await world.device('chat', { kind: 'chat' })
  const context = { type: 'info', askQuestion: { question: 'Go?' } } as const
  const notification = { title: 'a', body: 'b', url: 'ftp://x.example/', context }
  for (const input of [
    notification,
    { ...notification, tags: ['x'], externalIds: ['y'], subscriberIds: ['z'] },
  ]) {
    cheap(await sendNotification(deps, input, call()))
  }
})

test('what the bridge says by itself costs no more', async () => {
  const failure = new Failure(
    'unavailable',
    'The Beckon server cannot be reached, so nothing was done.',
  )
  const situation = { failure, away: true, correlationId: 'q_1', asksHuman: false }
  const calls: [string, object][] = [
    ['ask_user', { question: 'Go?' }],
    ['wait_for_answer', { correlationId: 'q_1' }],
    ['cancel_question', { correlationId: 'q_1' }],
    ['propose_scope', { doneWhen: 'x', sessionId: 's' }],
  ]
  for (const [name, args] of calls) {
    const message = readMessage(toolCall(name, args))
    if (message.kind !== 'request') throw new Error('no request')
    const { result } = (await answerWithoutServer(message, {}, situation)) as {
      result: { structuredContent: object; content: { text: string }[] }
    }
    cheap(result.structuredContent)
    expect(result.content[0]?.text).toStartWith('Question q_1: status unavailable')
  }
})
