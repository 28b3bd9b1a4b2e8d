import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { ProposeScopeResult } from '../../../src/ask/wire/result-fields.ts'
import { shape } from '../../../src/platform/schema.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const SCOPE = {
  sessionId: 's1',
  doneWhen: 'The login page has tests.',
  allowedPaths: ['src/login'],
  offLimitsPaths: ['**/.env'],
  promises: ['No new dependencies'],
}
const CONTRACT = {
  allowedPaths: ['src/login', 'src/login/**'],
  offLimitsPaths: ['**/.env', '.env'],
  doneWhen: 'The login page has tests.',
  promises: ['No new dependencies'],
}

// spec: QS-WHAT-6, QS-ERR-5
for (const [value, ratified] of [
  ['yes', true],
  ['no', false],
] as const) {
  test(`a scope answered with ${value} is ${ratified ? '' : 'not '}ratified`, async () => {
    await using world = await flowWorld()
    const { deps, call } = world
    await world.device('laptop')
    const proposed = proposeScope(deps, SCOPE, call())
    await settle()
    const [question] = await readInbox(deps, call().caller.workspaceId)
    if (!question) throw new Error('no scope question is open')
    const { id: questionId, workspaceId } = question
    await answerQuestion(deps, { workspaceId, questionId, value, note: 'as we said' })
    const result = await proposed
    expect(result).toMatchObject({
      answered: true,
      status: 'answered',
      ratified,
      contract: CONTRACT,
      enforces: [],
      hookSeen: false,
      note: 'as we said',
    })
    if (ratified) expect(result.enforcementNote).toContain('No hook')
    else expect(result.enforcementNote).toBeUndefined()
  })
}

test('whoever proposes the same while it is open joins it, another session and later calls propose anew', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const ended = AbortSignal.abort()
  const proposed = async (id: string | undefined, sessionId = 's1') => {
    const proposal = { ...call(), id }
    const asking = proposeScope(deps, { ...SCOPE, sessionId, timeoutMs: 1000 }, proposal)
    await settle()
    await world.clock.advance(1000)
    return (await asking).correlationId
  }
  const first = await proposed('call_1')
  expect(await proposed('call_1')).toBe(first)
  for (const id of ['call_2', undefined]) expect(await proposed(id)).toBe(first)
  expect(await proposed('call_1', 's2')).not.toBe(first)
  const left = await proposeScope(deps, SCOPE, { ...call({ signal: ended }), id: 'call_3' })
  expect(left.correlationId).toBe(first)
  const { workspaceId } = call().caller
  await answerQuestion(deps, { workspaceId, questionId: first as QuestionId, value: 'no' })
  // What the reply that was lost said, for each call that joined.
  for (const id of ['call_1', 'call_2', 'call_3']) expect(await proposed(id)).toBe(first)
  expect(await proposed('call_4')).not.toBe(first)
})

test('a proposal that times out is collected with wait_for_answer, and a late yes ratifies', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const proposed = proposeScope(deps, { ...SCOPE, timeoutMs: 5_000 }, call())
  await settle()
  await clock.advance(5_000)
  const first = await proposed
  expect(first).toMatchObject({ answered: false, timedOut: true, nextAction: 'wait_for_answer' })
  expect(first.ratified).toBeUndefined()
  const [question] = await readInbox(deps, call().caller.workspaceId)
  if (!question) throw new Error('no scope question is open')
  const { id: questionId, workspaceId } = question
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  const { correlationId } = first
  expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
    ratified: true,
    contract: CONTRACT,
  })
})

test('a meaning of finished that nobody can see is refused by name', async () => {
  await using world = await flowWorld()
  const proposal = { doneWhen: '\u202e \u200b', sessionId: 's1' }
  await expect(proposeScope(world.deps, proposal, world.call())).rejects.toMatchObject({
    fields: [{ field: 'doneWhen', must: 'must have something that can be seen' }],
  })
})

test('a glob that could never hold is refused by its place, and nobody is asked', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  const proposal = { ...SCOPE, offLimitsPaths: ['infra', '**/.env', '!infra/dev'] }
  await expect(proposeScope(deps, proposal, call())).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [
      { field: 'offLimitsPaths[2]', must: expect.stringContaining('(!infra/dev) must not') },
    ],
  })
  expect(await readInbox(deps, call().caller.workspaceId)).toEqual([])
})

const ELSEWHERE = { answered: false, nextAction: 'ask_in_current_client' }

// Each way a proposal returns without a decision: what the agent is told to do now.
test.each([
  ['notify_only', true, { ...ELSEWHERE, status: 'notified' }, 'The person was told'],
  ['notify_only', false, { ...ELSEWHERE, status: 'notified', noDevices: true }, 'Nobody was told'],
  ['terminal_only', true, { ...ELSEWHERE, status: 'terminal' }, 'nothing was sent'],
  ['push_first', false, { ...ELSEWHERE, status: 'pending', noDevices: true }, 'cancel_question'],
  ['push_only', false, { answered: false, status: 'pending', noDevices: true }, 'stop here'],
] as const)(
  'with %s (somebody reachable: %p) a proposal says at once what to do',
  async (deliveryMode, reachable, expected, hint) => {
    await using world = await flowWorld()
    const { deps, call } = world
    if (reachable) await world.device('laptop')
    await setPolicy(deps, call().caller.workspaceId, { deliveryMode })
    const result = await proposeScope(deps, SCOPE, call())
    expect(result).toMatchObject(expected)
    expect(result.hint).toContain(hint)
    expect(result.warning === undefined).toBe(result.noDevices === undefined)
    if (deliveryMode === 'push_only') expect(result.nextAction).toBeUndefined()
    fitsItsSchema(result)
  },
)

test('with push_only a proposal that times out is waited for until it has ended', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await setPolicy(deps, call().caller.workspaceId, { deliveryMode: 'push_only', waitMs: 5_000 })
  const proposed = proposeScope(deps, SCOPE, call())
  await settle()
  await clock.advance(5_000)
  const result = await proposed
  expect(result).toMatchObject({ timedOut: true, nextAction: 'wait_for_answer' })
  expect(result.hint).toContain('until the question has ended')
  fitsItsSchema(result)
})

test('a proposal of test traffic is recorded, and delivered to nobody', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const result = await proposeScope(deps, SCOPE, call({ testConnection: true }))
  expect(result).toMatchObject({ status: 'pending', env: 'test', nextAction: 'wait_for_answer' })
  expect(result.timedOut).toBeUndefined()
  expect(result.hint).toContain('Test traffic')
  expect(world.deliveries).toEqual([])
  fitsItsSchema(result)
})

test('a proposal is no approval: unanswered approvals of its session do not hold it back', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await setPolicy(deps, call().caller.workspaceId, { pauseAfterUnanswered: 1, waitMs: 1_000 })
  const approval = { question: 'Run it?', sessionId: 's1', toolName: 'Bash', toolTarget: 'ls' }
  const asking = askUser(deps, approval, call())
  await settle()
  await clock.advance(11 * 60_000)
  await asking
  await expireQuestions(deps)
  world.deliveries.length = 0
  const proposed = proposeScope(deps, SCOPE, call())
  await settle()
  await clock.advance(1_000)
  expect(await proposed).toMatchObject({ timedOut: true, delivery: { web: 1, mobile: 0 } })
  expect(world.deliveries.filter(({ message }) => message.kind === 'question')).toHaveLength(1)
})

function fitsItsSchema(result: unknown) {
  expect(shape(ProposeScopeResult).parse(result)).toEqual(result as never)
}
