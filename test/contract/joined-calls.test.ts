import { expect, test } from 'bun:test'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { askUser } from '../../src/ask/asking/ask-user.ts'
import { callbacksOf } from '../../src/ask/callbacks/model/store.ts'
import { createSender } from '../../src/ask/delivery/fan-out.ts'
import { createPolicies } from '../../src/ask/policy/model/store.ts'
import * as joined from '../../src/ask/questions/model/joined-store.ts'
import { listQuestions } from '../../src/ask/questions/model/store.ts'
import { createWaiters } from '../../src/ask/waiting/waiters.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { onEnded } from '../support/on-ended.ts'
import { aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('calls that join a question', (db) => {
  const world = () => {
    const clock = fakeClock()
    const sender = createSender({
      db: db(),
      clock,
      channels: [],
      log: silentLog,
      holder: 'here',
    })
    const deps = {
      db: db(),
      clock,
      sender,
      waiters: createWaiters(db().changes, clock),
      policies: createPolicies({ db: db(), clock }),
      onEnded: onEnded(sender),
      baseUrl: 'http://localhost:8484',
      outside: createGuardedFetch(),
    }
    const call = () => ({
      caller: {
        tokenId: 'key_1' as const,
        tokenName: 'test',
        workspaceId: 'ws_1' as const,
        test: false,
        client: undefined,
        testConnection: false,
        arrivedAt: clock.now(),
      },
      talk() {},
      signal: new AbortController().signal,
    })
    return { deps, call, [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose]() }
  }
  const urlsOf = async (id: QuestionId) =>
    (await callbacksOf(db().read, [id])).map(({ url }) => url).sort()

  test('twenty at once are one question, whose answer goes to every address once', async () => {
    await using here = world()
    const { deps, call } = here
    const question = { question: 'Deploy?', sessionId: 's', wait: false }
    const urls = Array.from({ length: 20 }, (_, n) => `https://ci.example/${n % 5}`)
    const results = await Promise.all(
      urls.map((callbackUrl) => askUser(deps, { ...question, callbackUrl }, call())),
    )
    const page = { before: undefined, limit: 50 }
    const stored = await listQuestions(db().read, { workspaceId: 'ws_1' }, page)
    expect(stored).toHaveLength(1)
    const [id = ''] = stored.map((question) => question.id)
    expect(new Set(results.map(({ correlationId }) => correlationId))).toEqual(new Set([id]))
    const questionId = id as QuestionId
    expect(await joined.listJoinedCalls(db().read, questionId)).toHaveLength(4)
    const answer = { workspaceId: 'ws_1', questionId, value: 'yes' } as const
    await answerQuestion(deps, answer)
    expect(await urlsOf(questionId)).toEqual([...new Set(urls)].sort())
  })

  test('an address that comes after the answer gets it, and one that is known gets nothing more', async () => {
    await using here = world()
    const { deps, call } = here
    const url = (name: string) => `https://ci.example/${name}`
    const ask = (name: string) =>
      askUser(
        deps,
        { question: 'Deploy?', requestId: 'r', wait: false, callbackUrl: url(name) },
        call(),
      )
    const questionId = (await ask('a')).correlationId as QuestionId
    await answerQuestion(deps, { workspaceId: 'ws_1', questionId, value: 'yes' })
    for (const name of ['a', 'late', 'late']) await ask(name)
    expect(await urlsOf(questionId)).toEqual([url('a'), url('late')])
  })

  test('a call brings its key and its address, as far as they are new', () => {
    const question = aQuestion('q', { key: 'k', callbackUrl: 'https://a.example' })
    const brings = (more: Parameters<typeof aQuestion>[1], ...joinedCalls: joined.JoinedCall[]) =>
      joined.newInCall(aQuestion('c', more), question, joinedCalls)
    expect(brings({})).toBeUndefined()
    expect(brings({ key: 'k', callbackUrl: 'https://a.example' })).toBeUndefined()
    const both = brings({ key: 'l', callbackUrl: 'https://b.example' })
    if (!both) throw new Error('it brings nothing')
    expect(both).toMatchObject({ id: 'q_c', questionId: 'q_q', key: 'l' })
    expect(joined.joinedBytes(both)).toBeGreaterThan('https://b.example'.length)
    expect(brings({ key: 'l' }, both)).toBeUndefined()
    expect(brings({ key: 'l', callbackUrl: 'https://c.example' }, both)).toMatchObject({
      key: null,
      callbackUrl: 'https://c.example',
    })
  })
})
