import { describe, expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { DeliveryMode } from '../../../src/ask/wire/delivery-mode.ts'
import { sayCancelled, sayQuestion } from '../../../src/ask/wire/sentence.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

type Kind = 'approval' | 'question' | 'scope'

const MINUTE_MS = 60_000
const SCOPE = { sessionId: 's1', doneWhen: 'The login page has tests.', allowedPaths: ['src'] }
const ASKED: Record<Exclude<Kind, 'scope'>, AskUserInput> = {
  approval: { question: 'Drop the production table?', timeoutMs: 5_000 },
  question: {
    question: 'Which database?',
    type: 'select',
    options: ['Staging', 'Production'],
    timeoutMs: 5_000,
  },
}

/** What each kind must say besides that it is neither; the two others must not say it. */
const SAYS: Record<Kind, string> = {
  approval: 'do not do it',
  question: 'do not guess an answer',
  scope: 'no scope was agreed',
}
const KINDS = Object.keys(SAYS) as Kind[]

/** Asks without an answer for as long as the call waits; resolves to the result of the call. */
async function askOf(kind: Kind, { deps, call, clock, device }: FlowWorld) {
  await device('laptop')
  const asking =
    kind === 'scope'
      ? proposeScope(deps, { ...SCOPE, timeoutMs: 5_000 }, call())
      : askUser(deps, ASKED[kind], call())
  await settle()
  await clock.advance(5_000)
  return await asking
}

function expectNeither(kind: Kind, text: string | undefined): void {
  const lowerCase = (text ?? '').toLowerCase()
  expect(lowerCase).toContain('neither yes nor no')
  for (const other of KINDS) {
    if (other === kind) expect(lowerCase).toContain(SAYS[other])
    else expect(lowerCase).not.toContain(SAYS[other])
  }
  expect(lowerCase).not.toContain('go on without it')
}

describe.each(KINDS)('without an answer, %s', (kind) => {
  test('a call that ends says that it is neither, and what follows for its kind', async () => {
    await using world = await flowWorld()
    expectNeither(kind, (await askOf(kind, world)).hint)
  })

  test.each(['push_first', 'push_only'] satisfies DeliveryMode[])(
    'an expired one says so (%s)',
    async (deliveryMode) => {
      await using world = await flowWorld()
      const { deps, call, clock } = world
      await setPolicy(deps, call().caller.workspaceId, { deliveryMode })
      const { correlationId } = await askOf(kind, world)
      await clock.advance(10 * MINUTE_MS)
      const result = await waitForAnswer(deps, { correlationId }, call())
      expect(result.status).toBe('expired')
      expectNeither(kind, result.hint)
      expectNeither(kind, sayQuestion(result))
      const late = await cancelQuestion(deps, { correlationId }, call())
      expectNeither(kind, late.hint)
      expectNeither(kind, sayCancelled(late))
    },
  )

  test('a withdrawn question says so, even to the caller that withdraws it', async () => {
    await using world = await flowWorld()
    const { deps, call } = world
    const { correlationId } = await askOf(kind, world)
    const cancelled = await cancelQuestion(deps, { correlationId }, call())
    expect(cancelled.cancelled).toBe(true)
    expectNeither(kind, cancelled.hint)
    expectNeither(kind, sayCancelled(cancelled))
    const result = await waitForAnswer(deps, { correlationId }, call())
    expect(result.status).toBe('cancelled')
    expectNeither(kind, result.hint)
    expectNeither(kind, sayQuestion(result))
  })
})

async function ends(end: (world: FlowWorld, id: string) => Promise<unknown>) {
  const world = await flowWorld()
  const { correlationId } = await askOf('scope', world)
  await end(world, correlationId)
  const result = await waitForAnswer(world.deps, { correlationId }, world.call())
  await world[Symbol.asyncDispose]()
  return result
}

async function declined({ deps, call }: FlowWorld): Promise<void> {
  const [question] = await readInbox(deps, call().caller.workspaceId)
  if (!question) throw new Error('no scope question is open')
  const { id: questionId, workspaceId } = question
  await answerQuestion(deps, { workspaceId, questionId, value: 'no' })
}

test.each([
  ['declined', 'answered', declined],
  ['expired', 'expired', ({ clock }: FlowWorld) => clock.advance(10 * MINUTE_MS)],
  [
    'withdrawn',
    'cancelled',
    ({ deps, call }: FlowWorld, correlationId: string) =>
      cancelQuestion(deps, { correlationId }, call()),
  ],
] as const)(
  'a proposal that nobody agreed to binds nobody, and nothing is said of keeping to it: %s',
  async (_, status, end) => {
    const result = await ends(end)
    expect(result).toMatchObject({ status, enforces: [] })
    expect(result.enforcementNote).toBeUndefined()
    expect(sayQuestion(result)).not.toContain('keeping to them')
  },
)
