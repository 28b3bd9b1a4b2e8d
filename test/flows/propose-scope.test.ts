import { expect, test } from 'bun:test'
import { answerQuestion } from '../../src/flows/answer-question.ts'
import { proposeScope } from '../../src/flows/propose-scope.ts'
import { readInbox } from '../../src/flows/read-questions.ts'
import { waitForAnswer } from '../../src/flows/wait-for-answer.ts'
import { settle } from '../support/fake-clock.ts'
import { flowWorld } from '../support/flow-world.ts'

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
      enforces: ['allowedPaths', 'offLimitsPaths'],
      hookSeen: false,
      note: 'as we said',
    })
    expect(result.enforcementNote).toContain('No hook')
  })
}

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
    fields: [{ field: 'doneWhen', must: 'must not be empty' }],
  })
})
