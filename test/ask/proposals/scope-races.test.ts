import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { settleScope } from '../../../src/ask/proposals/settle-scope.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import {
  findContract,
  findInForce,
  findWidening,
  readInForce,
} from '../../../src/ask/scopes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { newId } from '../../../src/platform/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { aQuestion } from '../../support/question.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SCOPE = { sessionId: 's1', doneWhen: 'Green.', allowedPaths: ['src'] }

/** Proposes, and leaves the question open. */
async function open(world: FlowWorld, scope = SCOPE): Promise<QuestionId> {
  const gone = new AbortController()
  const proposing = proposeScope(world.deps, scope, world.call({ signal: gone.signal }))
  await settle()
  gone.abort()
  return (await proposing).correlationId as QuestionId
}

const yes = ({ deps, call }: FlowWorld, questionId: QuestionId, value = 'yes') =>
  answerQuestion(deps, { workspaceId: call().caller.workspaceId, questionId, value })

const holds = async ({ deps, call }: FlowWorld) => {
  const { workspaceId } = call().caller
  return readInForce(deps, { workspaceId, sessionId: 's1', test: false })
}

test('of a yes, a no and a withdrawal at once one wins, and only a yes puts a scope in force', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const { deps, call } = world
  const { workspaceId } = call().caller
  for (let round = 0; round < 12; round++) {
    const scope = { ...SCOPE, sessionId: `s${round}` }
    const id = await open(world, scope)
    const moves = [
      () => yes(world, id),
      () => yes(world, id, 'no'),
      () => cancelQuestion(deps, { correlationId: id }, call()),
    ]
    const turned = moves.map((_, at) => moves[(at + round) % moves.length]?.())
    await Promise.all(turned)
    const question = await readQuestion(deps, { workspaceId }, id)
    const contract = await findContract(world.db.read, workspaceId, id)
    const agreed = question?.status === 'answered' && question.value === 'yes'
    expect([question?.status, contract !== undefined]).toEqual([question?.status, agreed])
  }
})

test('a yes at the last moment counts, and one after it does not', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const early = await open(world)
  await world.clock.advance(10 * 60_000 - 1)
  expect((await yes(world, early)).won).toBe(true)
  const late = await open(world, { ...SCOPE, allowedPaths: ['**'] })
  await world.clock.advance(10 * 60_000)
  await Promise.all([yes(world, late), expireQuestions(world.deps)])
  expect((await holds(world))?.contract.questionId).toBe(early)
})

test('a path is added to the scope that holds when the yes comes', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const { deps, call, clock } = world
  await yes(world, await open(world))
  const ask = { question: 'Write it?', toolName: 'Edit', scopePath: 'docs/a.md', wait: false }
  const report = { event: 'check', sessionId: 's1', client: 'claude' } as const
  const reply = await reportHook(deps, { ...report, ask: { ...ask, toolUseId: 'u' } }, call())
  const path = reply.question?.correlationId as QuestionId
  const next = await open(world, { ...SCOPE, allowedPaths: ['lib'] })
  await clock.advance(1)
  await Promise.all([yes(world, next), yes(world, path)])
  const widening = await findWidening(world.db.read, path)
  const now = await holds(world)
  expect(now?.contract.questionId).toBe(next)
  // Whichever came first: what was added to the scope before is gone with it.
  expect(now?.widened).toEqual(widening?.contractId === next ? ['docs/a.md'] : [])
  const later = await reportHook(deps, { ...report, ask: { ...ask, toolUseId: 'v' } }, call())
  await yes(world, later.question?.correlationId as QuestionId)
  expect((await holds(world))?.widened).toEqual(['docs/a.md'])
})

test('what is over takes no more paths', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const { deps, call, clock } = world
  await yes(world, await open(world))
  await clock.advance(12 * 60 * 60_000 - 1_000)
  const ask = { question: 'Write it?', toolName: 'Edit', scopePath: 'docs/a.md', wait: false }
  const report = { event: 'check', sessionId: 's1', client: 'claude', ask } as const
  const { question, contract } = await reportHook(deps, report, call())
  expect(contract).not.toBeNull()
  await clock.advance(1_000)
  const id = question?.correlationId as QuestionId
  await yes(world, id)
  expect(await findWidening(world.db.read, id)).toBeUndefined()
  expect(await holds(world)).toBeUndefined()
})

test.each([
  ['./docs//a.md/', 'docs/a.md'],
  ['docs/*.md', 'docs/*.md'],
  ['/etc/hosts', '/etc/hosts'],
  ['cafe\u0301/x', 'caf\u00e9/x'],
  ['../up', undefined],
  ['src/../../up', undefined],
  ['./', undefined],
])('a yes to %p adds %p', async (scopePath, added) => {
  await using world = await flowWorld()
  await world.device('laptop')
  const { deps, call } = world
  await yes(world, await open(world))
  const ask = { question: 'Write it?', toolName: 'Edit', scopePath, wait: false }
  const report = { event: 'check', sessionId: 's1', client: 'claude', ask } as const
  const { question } = await reportHook(deps, report, call())
  await yes(world, question?.correlationId as QuestionId)
  expect((await holds(world))?.widened).toEqual(added === undefined ? [] : [added])
})

test.each(['notify_only', 'terminal_only'] as const)(
  '%s opens no scope by itself',
  async (mode) => {
    await using world = await flowWorld()
    const { workspaceId } = world.call().caller
    await setPolicy(world.deps, workspaceId, { deliveryMode: mode })
    const { correlationId } = await proposeScope(world.deps, SCOPE, world.call())
    expect((await yes(world, correlationId as QuestionId)).won).toBe(false)
    expect(await holds(world)).toBeUndefined()
  },
)

test('a restart forgets nothing, and old contracts go with their questions', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  const id = newId('q', 1_000)
  const contract = { allowedPaths: ['src'], offLimitsPaths: [], doneWhen: 'Green.' }
  const agreed = { origin: 'scope', status: 'answered', value: 'yes', endedAt: 1_000 } as const
  const question = aQuestion('', { ...agreed, id, sessionId: 's1', detail: { contract } })
  const { workspaceId } = question
  {
    await using db = openSqlite(path)
    await db.write(async (tx) => {
      await insertQuestion(tx, question)
      await settleScope(tx, { question })
    })
  }
  await using db = openSqlite(path)
  const key = { workspaceId, sessionId: 's1', test: false }
  expect((await findInForce(db.read, key, 2_000))?.questionId).toBe(id)
  const day = 24 * 60 * 60_000
  const clock = { now: () => 91 * day, sleep: async () => {} } as never
  await purgeOld({ db, clock, holder: 'here', retentionDays: 90 })
  expect(await findContract(db.read, workspaceId, id)).toBeUndefined()
})
