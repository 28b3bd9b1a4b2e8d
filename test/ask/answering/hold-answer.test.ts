import { expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { setUndo } from '../../../src/ask/accounts/model/undo-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { handOver } from '../../../src/ask/answering/hand-over.ts'
import {
  answerWithUndo,
  HELD_MS,
  keepReleasing,
  releaseAnswer,
  releaseDue,
  undoAnswer,
  undoUntil,
} from '../../../src/ask/answering/hold-answer.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { listAudit } from '../../../src/ask/audit/model/store.ts'
import { readInboxPage } from '../../../src/ask/inbox/read-questions.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { WINDOW_MS } from '../../../src/ask/wire/limits.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { aQuestion, OPENED_AT } from '../../support/question.ts'
import { howOften } from '../../support/share.ts'
import { until } from '../../support/until.ts'

/** A question that a call waits for, and Ann, who answers it. */
async function waiting() {
  const world = await flowWorld()
  const { deps, db, clock } = world
  await world.device('phone')
  const { workspaceId } = world.call().caller
  const ann = { id: 'ann', workspaceId } as const
  await db.write((tx) =>
    insertPerson(tx, { ...ann, name: 'Ann', email: 'ann@x.example', role: 'member' }, clock.now()),
  )
  const ask = async () => {
    const before = (await readInboxPage(deps, { workspaceId })).items.length
    const result = askUser(deps, { question: `Go ${before}?`, timeoutMs: 45_000 }, world.call())
    await until(async () => (await readInboxPage(deps, { workspaceId })).items.length > before)
    const { items } = await readInboxPage(deps, { workspaceId })
    const questionId = items.find(({ question }) => question === `Go ${before}?`)?.id as QuestionId
    return { result, questionId }
  }
  const hold = (questionId: QuestionId, value = 'yes') =>
    answerWithUndo(deps, { workspaceId, questionId, value, by: ann.id, source: 'inbox' })
  const trail = async () => {
    const query = { kinds: ['question.answer_undone' as const], personId: undefined }
    const before = { at: clock.now() + 1, id: undefined }
    return await listAudit(db.read, workspaceId, query, { from: 0, before, limit: 10 })
  }
  const stored = (id: QuestionId) => findQuestion(db.read, workspaceId, id)
  return { ...world, workspaceId, ann, ask, hold, trail, stored }
}

test('the agent hears a held answer once its time is over, as given at the tap', async () => {
  await using world = await waiting()
  const { deps, clock } = world
  const { result, questionId } = await world.ask()
  const at = clock.now()
  const held = await world.hold(questionId)
  expect(held).toMatchObject({ won: true, question: { status: 'answered', value: 'yes' } })
  expect(held.question.answerHeldUntil).toBe(at + HELD_MS)
  await clock.advance(HELD_MS - 1)
  await releaseDue(deps, fail)
  expect((await world.stored(questionId))?.status).toBe('pending')
  expect((await readInboxPage(deps, { workspaceId: world.workspaceId })).items).toEqual([])
  await clock.advance(1)
  await releaseDue(deps, fail)
  expect(await result).toMatchObject({ answered: true, value: 'yes', answerSource: 'inbox' })
  const question = await world.stored(questionId)
  expect(question).toMatchObject({ status: 'answered', endedAt: at, answeredBy: 'ann' })
  expect(question?.answerHeldUntil).toBeUndefined()
  await releaseDue(deps, fail)
})

test('an answer that is taken back never reaches the agent, and the trail says so', async () => {
  await using world = await waiting()
  const { deps, clock, ann } = world
  const { result, questionId } = await world.ask()
  await world.hold(questionId)
  expect(await undoAnswer(deps, { ...ann, id: 'bob' }, questionId)).toBe(false)
  expect(await undoAnswer(deps, ann, questionId)).toBe(true)
  expect(await undoAnswer(deps, ann, questionId)).toBe(false)
  await clock.advance(HELD_MS)
  await releaseDue(deps, fail)
  expect((await world.stored(questionId))?.status).toBe('pending')
  expect((await readInboxPage(deps, { workspaceId: world.workspaceId })).items).toHaveLength(1)
  expect(await world.trail()).toMatchObject([{ personId: 'ann', subjectId: questionId }])
  await world.hold(questionId, 'no')
  await clock.advance(HELD_MS)
  await releaseDue(deps, fail)
  expect(await result).toMatchObject({ value: 'no' })
})

test('while an answer is held a second one is told that it was answered', async () => {
  await using world = await waiting()
  const { deps, workspaceId } = world
  const { questionId } = await world.ask()
  await world.hold(questionId)
  const second = { workspaceId, questionId, value: 'no' }
  const lost = { won: false, question: { status: 'answered', value: 'yes' } }
  expect(await answerQuestion(deps, second)).toMatchObject(lost)
  expect(await world.hold(questionId, 'no')).toMatchObject(lost)
  expect(await handOver(deps, { workspaceId, questionId, by: 'ann' })).toMatchObject(lost)
  expect((await world.stored(questionId))?.status).toBe('pending')
})

test('the agent that withdraws gets the held answer; a stop voids it', async () => {
  await using world = await waiting()
  const { deps, workspaceId, clock } = world
  const one = await world.ask()
  await world.hold(one.questionId)
  const withdrawn = await cancelQuestion(deps, { correlationId: one.questionId }, world.call())
  expect(withdrawn).toMatchObject({ cancelled: false, status: 'answered', value: 'yes' })
  const two = await world.ask()
  await world.hold(two.questionId)
  const stop = { workspaceId, questionId: two.questionId, by: 'ann' } as const
  expect(await stopAgent(deps, stop)).toMatchObject({ won: true, question: { status: 'stopped' } })
  await clock.advance(HELD_MS)
  await releaseDue(deps, fail)
  expect(await two.result).toMatchObject({ status: 'stopped' })
  expect(await world.trail()).toMatchObject([{ subjectId: two.questionId }])
})

test('whoever switched it off answers at once', async () => {
  await using world = await waiting()
  const { result, questionId } = await world.ask()
  await world.db.write((tx) => setUndo(tx, world.ann, false))
  expect((await world.hold(questionId)).question.answerHeldUntil).toBeUndefined()
  expect(await result).toMatchObject({ value: 'yes' })
})

test('a held answer outlives its server, and counts although the time is over', async () => {
  await using world = await waiting()
  const { deps, clock } = world
  const { questionId } = await world.ask()
  const at = clock.now()
  await world.hold(questionId)
  await clock.advance(WINDOW_MS)
  await expireQuestions(deps)
  await using _ = keepReleasing(deps, fail)
  await until(async () => (await world.stored(questionId))?.status === 'answered')
  expect(await world.stored(questionId)).toMatchObject({ value: 'yes', endedAt: at })
})

test('an answer that cannot be sent opens its question again, once', async () => {
  await using world = await waiting()
  const { clock, deps } = world
  const { questionId } = await world.ask()
  await world.hold(questionId)
  await clock.advance(HELD_MS)
  const errors: unknown[] = []
  const onEnded = [() => Promise.reject(new Error('broken'))]
  for (const _ of [1, 2]) await releaseDue({ ...deps, onEnded }, (error) => errors.push(error))
  expect(errors).toHaveLength(1)
  expect((await readInboxPage(deps, { workspaceId: world.workspaceId })).items).toHaveLength(1)
  expect(await world.trail()).toMatchObject([{ personId: null }])
})

test('of undo, release and a second answer in any order at once, one decides', async () => {
  await using world = await waiting()
  const { deps, workspaceId, ann } = world
  for (let round = 0; round < howOften(10, 30); round++) {
    const { questionId } = await world.ask()
    await world.hold(questionId)
    const [undone, , second, stopped] = await Promise.all([
      undoAnswer(deps, ann, questionId),
      releaseAnswer(deps, { workspaceId, questionId }),
      answerQuestion(deps, { workspaceId, questionId, value: 'no', as: 'second' }),
      round % 2 === 0 ? stopAgent(deps, { workspaceId, questionId, by: 'ann' }) : undefined,
    ])
    const end = await world.stored(questionId)
    expect(end?.answerHeldUntil).toBeUndefined()
    if (second.won) expect([undone, end?.value]).toEqual([true, 'no'])
    else if (stopped?.won) expect(end?.status).toBe('stopped')
    else if (undone) expect(end?.status).toBe('pending')
    else expect(end?.value).toBe('yes')
    if (end?.status === 'pending') await stopAgent(deps, { workspaceId, questionId, by: 'ann' })
  }
})

const NOW = OPENED_AT + 1_000
const held = (ms: number | undefined) => (ms === undefined ? undefined : NOW + ms)
test.each([
  ['a call that waits for long', { waitEndsAt: NOW + 45_000 }, 5_000],
  ['a call that ends soon', { waitEndsAt: NOW + 6_000 }, 4_000],
  ['a call that ends at once', { waitEndsAt: NOW + 3_000 }, undefined],
  ['a call that has ended', { waitEndsAt: NOW - 1 }, undefined],
  ['a call that hung up', { waitEndsAt: NOW + 45_000, abandonedAt: NOW - 1 }, undefined],
  ['a call that did not wait', { detail: { notWaited: true as const } }, undefined],
  ['a later call', { waitEndsAt: NOW - 1, detail: { waitsUntil: NOW + 60_000 } }, 5_000],
  ['a question in a notification', { origin: 'notification' as const }, undefined],
  ['a question that ends', { expiresAt: NOW + 3_000 }, undefined],
  [
    'a hook with time',
    { waitEndsAt: NOW + 60_000, detail: { hookWaitsUntil: NOW + 60_000 } },
    5_000,
  ],
  [
    'a hook with 18 s',
    { waitEndsAt: NOW + 18_000, detail: { hookWaitsUntil: NOW + 18_000 } },
    3_000,
  ],
  ['a hook with 10 s', { waitEndsAt: NOW + 10_000, detail: { toolTarget: 'x' } }, undefined],
])('an answer to %s is held for as long as it can be', (_, changes, ms) => {
  expect(undoUntil(aQuestion('1', { waitEndsAt: NOW + 45_000, ...changes }), NOW)).toBe(held(ms))
})

function fail(error: unknown): never {
  throw error
}
