import { expect, test } from 'bun:test'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { listDecidable } from '../../src/ask/questions/model/key-store.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { findQuestion, insertQuestion } from '../../src/ask/questions/model/store.ts'
import type { Requirement } from '../../src/ask/votes/model/requirement.ts'
import * as store from '../../src/ask/votes/model/store.ts'
import type { Vote } from '../../src/ask/votes/model/vote.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { aQuestion } from '../support/question.ts'
import { TEST_POSTGRES } from '../support/test-database.ts'
import { onBothDatabases } from './both-databases.ts'

const VOTE: Vote = {
  ...{ questionId: 'q_1', workspaceId: 'ws_1', personId: 'ana', value: 'yes' },
  ...{ note: undefined, source: 'decide_page', proof: 'session', at: 1_000, name: 'Ana' },
  passkey: undefined,
}

const TWO: Requirement = {
  rules: [{ id: 'rule_1', words: 'Bash' }],
  places: [{ from: [{ id: 'group_1', name: 'engineers' }], need: 2 }],
  ...{ excluded: [], veto: 'any', usableMs: 900_000 },
}

// Without the lock 55 of 60 stay open on a PostgreSQL server.
const ROUNDS = TEST_POSTGRES ? 60 : 20

onBothDatabases('votes', (db) => {
  const put = (vote: Partial<Vote> = {}) =>
    db().write((tx) => store.putVote(tx, { ...VOTE, ...vote }))
  const list = async () =>
    (await store.listVotes(db().read, 'q_1')).map(({ personId, value }) => `${personId} ${value}`)

  test('a person has one vote on a question, the last one, and takes it back once', async () => {
    await put({ note: 'go' })
    await put({ personId: 'bob', value: 'no', at: 2_000 })
    await put({ questionId: 'q_2' })
    expect(await list()).toEqual(['ana yes', 'bob no'])
    await put({ value: 'no', at: 3_000 })
    expect(await list()).toEqual(['bob no', 'ana no'])
    const [, ana] = await store.listVotes(db().read, 'q_1')
    expect(ana).toEqual({ ...VOTE, value: 'no', at: 3_000 })
    const drop = () =>
      db().write(async (tx) => {
        await store.lockVotes(tx, 'q_1')
        return store.dropVote(tx, 'q_1', 'ana')
      })
    const both = await Promise.all([drop(), drop()])
    expect(both.filter(Boolean)).toHaveLength(1)
    await db().write((tx) => store.deleteVotes(tx, ['q_1']))
    expect(await list()).toEqual([])
    expect(await store.listVotes(db().read, 'q_2')).toHaveLength(1)
    const whose = { workspaceId: 'ws_1', personId: 'ana' } as const
    const mine = await store.listVotesOf(db().read, whose)
    expect(mine.map(({ questionId }) => questionId)).toEqual(['q_2'])
    const there = await store.listVotesOf(db().read, { ...whose, workspaceId: 'ws_9' })
    expect(there).toEqual([])
  })

  const people = ['ana', 'bob', 'fay']
  async function house() {
    const workspaceId = 'ws_1' as const
    await db().write(async (tx) => {
      await homeWorkspace(tx, workspaceId, 1)
      for (const id of people) {
        const person = { id, name: id, email: `${id}@example.org`, workspaceId }
        await insertPerson(tx, { ...person, role: 'member' }, 1)
      }
      const group = { id: 'group_1', workspaceId, name: 'engineers', source: 'hand' } as const
      await insertGroup(tx, { ...group, externalId: undefined, createdAt: 1 })
      await putGroupMembers(tx, group, 'hand', people)
    })
  }
  async function ask(more: Partial<Question> = {}) {
    const now = clock.now()
    const times = { createdAt: now, expiresAt: now + 600_000, waitEndsAt: now + 45_000 }
    const of = { workspaceId: 'ws_1', sessionId: 's1', requirement: TWO } as const
    const question = aQuestion('', { ...of, ...times, ...more, id: newId('q', now) })
    await db().write((tx) => insertQuestion(tx, question))
    return question
  }
  const answer = async ({ id }: Question, by: string, value = 'yes') => {
    const deps = { db: db(), clock, onEnded: [] }
    const of = { workspaceId: 'ws_1', questionId: id, value, by, source: 'decide_page' } as const
    return (await answerQuestion(deps, of)).question.status
  }

  test('of two last votes at once one ends the question, each time', async () => {
    await house()
    for (let round = 0; round < ROUNDS; round++) {
      const question = await ask()
      const votes = await Promise.all([answer(question, 'ana'), answer(question, 'bob')])
      expect(votes.toSorted()).toEqual(['answered', 'pending'])
      const ended = await findQuestion(db().read, 'ws_1', question.id)
      expect([ended?.status, ended?.value]).toEqual(['answered', 'yes'])
      expect(ended?.detail.votedBy?.map(({ id }) => id).sort()).toEqual(['ana', 'bob'])
    }
  })

  test('of a yes, a yes and a no at once, whichever commits first counts', async () => {
    await house()
    const question = await ask()
    const all = [answer(question, 'ana'), answer(question, 'bob'), answer(question, 'fay', 'no')]
    await Promise.all(all)
    const ended = await findQuestion(db().read, 'ws_1', question.id)
    const by = ended?.detail.votedBy?.map(({ id }) => id).sort()
    expect(by).toEqual(ended?.value === 'no' ? ['fay'] : ['ana', 'bob'])
  })

  test('the questions of a session that certain people decide are found, the newest first', async () => {
    const [first, second] = [await ask(), await ask()]
    await ask({ requirement: undefined })
    await ask({ sessionId: 's2' })
    const questions = await listDecidable(db().read, first, 0, 10)
    const ids = [first.id, second.id].sort().reverse()
    expect(questions.map(({ id }) => id)).toEqual(ids)
  })
})
