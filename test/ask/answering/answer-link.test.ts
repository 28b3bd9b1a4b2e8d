import { expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { setUndo } from '../../../src/ask/accounts/model/undo-store.ts'
import { answerByLink, openAnswerLink } from '../../../src/ask/answering/answer-by-link.ts'
import { answerWithUndo, undoAnswer } from '../../../src/ask/answering/hold-answer.ts'
import { type LinkPurpose, linkToken } from '../../../src/ask/delivery/model/links.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { findQuestion, insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { lateAnswers } from '../../../src/ask/questions/model/table.ts'
import { forgetSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import { WINDOW_MS } from '../../../src/ask/wire/limits.ts'
import { newId } from '../../../src/platform/ids.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { aQuestion } from '../../support/question.ts'

const quickAnswerSecret = 'a secret of the tests'

async function linkWorld() {
  const world = await flowWorld()
  const { db, clock } = world
  const device = await world.device('Phone')
  const { workspaceId } = device
  const deps = { ...world.deps, quickAnswerSecret }
  return {
    ...world,
    deps,
    device,
    async ask(changes: Partial<Question> = {}) {
      const now = clock.now()
      const times = { createdAt: now, expiresAt: now + WINDOW_MS, waitEndsAt: now + 45_000 }
      const question = aQuestion('', { workspaceId, ...times, ...changes, id: newId('q', now) })
      await db.write((tx) => insertQuestion(tx, question))
      return question
    },
    token: ({ id }: Question, purpose: LinkPurpose = 'page', subscriberId = device.id) =>
      linkToken(quickAnswerSecret, { questionId: id, subscriberId, purpose }),
    async use(token: string, input: Parameters<typeof answerByLink>[2]) {
      return answerByLink(deps, await openAnswerLink(deps, token), input)
    },
    stored: ({ id }: Question) => findQuestion(db.read, workspaceId, id),
    late: () => db.read.select().from(lateAnswers),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('looking at a link changes nothing, and answering through it says so', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const token = world.token(question)
  for (let i = 0; i < 20; i++) {
    expect((await openAnswerLink(world.deps, token)).state).toBe('open')
  }
  expect(await world.stored(question)).toMatchObject({ status: 'pending' })
  const outcome = await world.use(token, { value: 'yes', note: 'go' })
  expect([outcome.done, outcome.state]).toEqual([true, 'used'])
  const answer = { status: 'answered', value: 'yes', note: 'go', answerSource: 'answer_link' }
  expect(await world.stored(question)).toMatchObject(answer)
  expect((await openAnswerLink(world.deps, token)).state).toBe('used')
})

test('of two submits at once one counts, and the other leaves no trace', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const opened = await openAnswerLink(world.deps, world.token(question))
  const both = await Promise.all([
    answerByLink(world.deps, opened, { value: 'yes' }),
    answerByLink(world.deps, opened, { value: 'no' }),
  ])
  expect(both.filter(({ done }) => done)).toHaveLength(1)
  expect(both[0]?.question.value).toBe(both[1]?.question.value as string)
  expect(both.find(({ done }) => !done)?.state).toBe('used')
  expect(await world.late()).toEqual([])
})

test('a link that was used while an answer was held is good again once that is taken back', async () => {
  await using world = await linkWorld()
  const { deps, db, clock, device } = world
  const { workspaceId } = device
  const ann = { id: 'ann', workspaceId } as const
  const person = { ...ann, name: 'Ann', email: 'ann@x.example', role: 'member' } as const
  await db.write((tx) => insertPerson(tx, person, clock.now()))
  await db.write((tx) => setUndo(tx, ann, true))
  for (const choice of [{ value: 'no' }, 'stop'] as const) {
    const question = await world.ask()
    const hold = { workspaceId, questionId: question.id, value: 'yes', by: ann.id } as const
    expect((await answerWithUndo(deps, hold)).question.answerHeldUntil).toBeDefined()
    const token = world.token(question)
    const during = await world.use(token, { value: 'no' })
    expect([during.done, during.state]).toEqual([false, 'ended'])
    expect(await undoAnswer(deps, ann, question.id)).toBe(true)
    expect((await openAnswerLink(deps, token)).state).toBe('open')
    expect((await world.use(token, choice)).done).toBe(true)
    expect((await world.use(token, choice)).state).toBe('used')
  }
})

test('an answer that is not one leaves the link as it was', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const token = world.token(question)
  await expect(world.use(token, { value: 'perhaps' })).rejects.toMatchObject({
    code: 'invalid_answer',
  })
  expect((await world.use(token, { value: 'no' })).done).toBe(true)
})

test('a button’s link says only what it was made for, and never one-tap yes to what is hard to undo', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  await world.use(world.token(question, 'no'), { value: 'yes', note: 'ignored' })
  expect(await world.stored(question)).toMatchObject({ value: 'no' })
  expect((await openAnswerLink(world.deps, world.token(question, 'yes'))).state).toBe('ended')

  const dangerous = await world.ask({ detail: { action: 'git push --force origin main' } })
  const refused = world.use(world.token(dangerous, 'yes'), { value: 'yes' })
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
  expect(await world.stored(dangerous)).toMatchObject({ status: 'pending' })

  const open = await world.ask()
  expect((await world.use(world.token(open, 'yes'), 'stop')).question.status).toBe('answered')
})

test('after the window a link does nothing, and its late answer is kept once', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const token = world.token(question)
  await world.clock.advance(WINDOW_MS - 1)
  expect((await openAnswerLink(world.deps, token)).state).toBe('open')
  await world.clock.advance(1)
  expect((await openAnswerLink(world.deps, token)).state).toBe('ended')
  const first = await world.use(token, { value: 'yes' })
  expect([first.done, first.state]).toEqual([false, 'ended'])
  for (let i = 0; i < 3; i++) expect((await world.use(token, { value: 'no' })).done).toBe(false)
  expect(await world.late()).toMatchObject([{ value: 'yes', answerSource: 'answer_link' }])
})

test('an hour after the end a link shows neither the question nor its answer', async () => {
  await using world = await linkWorld()
  const question = await world.ask({ type: 'input' })
  const [used, other] = [world.token(question), world.token(question, 'no')]
  await world.use(used, { value: 'what nobody else should read' })
  await world.clock.advance(60 * 60_000 - 1)
  expect((await openAnswerLink(world.deps, used)).state).toBe('used')
  await world.clock.advance(1)
  for (const token of [used, other]) {
    await expect(openAnswerLink(world.deps, token)).rejects.toMatchObject({ code: 'gone' })
  }
  // One that nobody answered ended with its window, whether or not that was written down.
  const unanswered = await world.ask()
  await world.clock.advance(WINDOW_MS + 60 * 60_000)
  const late = openAnswerLink(world.deps, world.token(unanswered))
  await expect(late).rejects.toMatchObject({ code: 'gone' })
})

test('only our own tokens, of connected devices and kept questions, open anything', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const other = await world.ask()
  const token = world.token(question)
  const [, device = '', key = ''] = token.split('.')
  const theirs = {
    questionId: question.id,
    subscriberId: world.device.id,
    purpose: 'page',
  } as const
  const strange = [
    '',
    'x',
    token.slice(0, -1),
    `${token}x`,
    token.toUpperCase(),
    `${other.id.slice(2)}.${device}.${key}`,
    `${question.id.slice(2)}.${device}.y${key.slice(1)}`,
    linkToken('another secret', theirs),
    '../../etc/passwd',
    'a.b.p'.padEnd(5_000, 'a'),
  ]
  for (const one of strange) {
    await expect(openAnswerLink(world.deps, one)).rejects.toMatchObject({ code: 'not_found' })
  }
  const nobody = world.token(question, 'page', 'sub_nobody' as SubscriberId)
  await expect(openAnswerLink(world.deps, nobody)).rejects.toMatchObject({ code: 'gone' })
  const { workspaceId, id } = world.device
  await world.db.write((tx) => forgetSubscriber(tx, workspaceId, id))
  await expect(openAnswerLink(world.deps, token)).rejects.toMatchObject({ code: 'gone' })
  expect(await world.stored(question)).toMatchObject({ status: 'pending' })
})

test('stopping the agent through a link uses it up', async () => {
  await using world = await linkWorld()
  const question = await world.ask()
  const token = world.token(question)
  expect((await world.use(token, 'stop')).done).toBe(true)
  expect(await world.stored(question)).toMatchObject({ status: 'stopped' })
  expect((await openAnswerLink(world.deps, token)).state).toBe('used')
})
