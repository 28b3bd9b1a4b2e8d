import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { PersonId } from '../../src/ask/accounts/model/ids.ts'
import { markCutOff } from '../../src/ask/questions/model/cut-off-store.ts'
import * as joined from '../../src/ask/questions/model/joined-store.ts'
import { KEY_KEPT_MS } from '../../src/ask/questions/model/key.ts'
import * as keys from '../../src/ask/questions/model/key-store.ts'
import { MOVES, type Move } from '../../src/ask/questions/model/lifecycle.ts'
import {
  countOpenByRepository,
  type OpenFilter,
} from '../../src/ask/questions/model/open-filter-store.ts'
import { listOwnQuestions } from '../../src/ask/questions/model/own-store.ts'
import { isScopeProposed } from '../../src/ask/questions/model/proposal-store.ts'
import * as store from '../../src/ask/questions/model/store.ts'
import { countOpenQuestions } from '../../src/ask/questions/model/store.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { STORED_STATUSES } from '../../src/ask/wire/question-fields.ts'
import { newId } from '../../src/platform/ids.ts'
import { aQuestion, OPENED_AT } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const INSIDE = OPENED_AT + 1
const AFTER = OPENED_AT + WINDOW_MS

onBothDatabases('questions', (db) => {
  const insert = (...args: Parameters<typeof aQuestion>) =>
    db().write((tx) => store.insertQuestion(tx, aQuestion(...args)))
  const find = (id: QuestionId) => store.findQuestion(db().read, 'ws_1', id)

  test('a question is read back as it was stored, full or bare', async () => {
    const full = aQuestion('full', {
      type: 'select',
      choices: [{ label: 'Red', description: 'like "this"' }, { label: 'Blue 🙂' }],
      detail: { context: 'why', multiSelect: true },
      agentName: 'Agent - project',
      machineId: 'm',
      sessionId: 's',
      repoKey: 'r',
      targeting: { tags: ['a'], externalIds: ['b'] },
      test: true,
      held: 'test_traffic',
      key: 'k',
      callbackUrl: 'https://example.com/hook',
      notificationId: 'n_1',
      abandonedAt: INSIDE,
    })
    expect(await insert('bare')).toBe(true)
    expect(await db().write((tx) => store.insertQuestion(tx, full))).toBe(true)
    expect(await find('q_bare')).toEqual(aQuestion('bare'))
    expect(await find('q_full')).toEqual(full)
    expect(await store.findQuestionById(db().read, 'q_full')).toEqual(full)
    expect(await store.findQuestionById(db().read, 'q_none')).toBeUndefined()
  })

  test('one that is followed lives longer, unless it has ended or lives longer already', async () => {
    await insert('a', { detail: { context: 'why' } })
    const id = { workspaceId: 'ws_1', id: 'q_a' } as const
    const follow = (
      at: number,
      until: number,
      of: { workspaceId: 'ws_1' | 'ws_2'; id: 'q_a' } = id,
    ) => db().write((tx) => store.followQuestion(tx, of, at, until))
    expect(await follow(INSIDE, AFTER + 5, { ...id, workspaceId: 'ws_2' })).toBeUndefined()
    const longer = { expiresAt: AFTER + 5 }
    const detail = { context: 'why', followedAt: INSIDE, waitsUntil: AFTER + 5 }
    expect(await follow(INSIDE, AFTER + 5)).toMatchObject({ ...longer, detail })
    expect(await follow(INSIDE + 1, AFTER)).toMatchObject({ ...longer, detail })
    expect(await find('q_a')).toMatchObject({ ...longer, detail, status: 'pending' })
    expect(await follow(AFTER + 5, AFTER + 9)).toBeUndefined()
    await db().write((tx) => store.moveQuestion(tx, 'answer', 'ws_1', 'q_a', INSIDE))
    expect(await follow(INSIDE, AFTER + 9)).toBeUndefined()
    expect(await find('q_a')).toMatchObject(longer)
  })

  test('another workspace does not find it, move it or list it', async () => {
    await insert('a', { key: 'k' })
    expect(await store.findQuestion(db().read, 'ws_2', 'q_a')).toBeUndefined()
    expect(await keys.findQuestionByKey(db().read, 'ws_2', 'k', INSIDE)).toBeUndefined()
    const moved = db().write((tx) => store.moveQuestion(tx, 'cancel', 'ws_2', 'q_a', INSIDE))
    expect(await moved).toBeUndefined()
    expect(await store.listOpenQuestions(db().read, { workspaceId: 'ws_2' }, INSIDE, 10)).toEqual(
      [],
    )
    const listed = store.listQuestions(
      db().read,
      { workspaceId: 'ws_2' },
      { before: undefined, limit: 10 },
    )
    expect(await listed).toEqual([])
  })

  test('one key makes one question a workspace, however many try at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => insert(`${i}`, { key: 'same' })),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    const question = await keys.findQuestionByKey(db().read, 'ws_1', 'same', INSIDE)
    expect(question?.id).toBe(`q_${results.indexOf(true)}`)
    expect(await insert('other', { key: 'same', workspaceId: 'ws_2' })).toBe(true)
  })

  test('a key means its question for an hour after its life, and then the next one', async () => {
    const again = (id: string, createdAt: number) =>
      insert(id, { key: 'k', createdAt, expiresAt: createdAt + WINDOW_MS })
    const findByKey = async (now: number) =>
      (await keys.findQuestionByKey(db().read, 'ws_1', 'k', now))?.id
    await insert('old', { key: 'k', status: 'expired' })
    const forgotten = AFTER + KEY_KEPT_MS
    expect(await again('early', forgotten - 1)).toBe(false)
    expect([await findByKey(forgotten - 1), await findByKey(forgotten)]).toEqual([
      'q_old',
      undefined,
    ])
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => again(`${i}`, forgotten)),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await findByKey(forgotten)).toBe(`q_${results.indexOf(true)}`)
    expect(await find('q_old')).toMatchObject({ status: 'expired', key: undefined })
  })

  test('for a question that lives for hours, a key is free once nobody answered or it was withdrawn, and its time is over', async () => {
    const again = (id: string, createdAt: number, key: string) => {
      const detail = { lifeMs: WINDOW_MS }
      return insert(id, { key, detail, createdAt, expiresAt: createdAt + WINDOW_MS })
    }
    await insert('unanswered', { key: 'a', status: 'expired' })
    await insert('unread', { key: 'b', status: 'pending' })
    await insert('answered', { key: 'c', status: 'answered', value: 'yes' })
    await insert('withdrawn', { key: 'd', status: 'cancelled' })
    await insert('in_time', { key: 'e', status: 'pending' })
    const held = { answerHeldUntil: AFTER + 5_000 }
    await db().write((tx) =>
      tx
        .update(questions)
        .set(held)
        .where(eq(questions.id, 'q_in_time' as QuestionId)),
    )
    expect(await again('a1', INSIDE, 'a')).toBe(false)
    expect(await again('c1', AFTER, 'c')).toBe(false)
    expect(await again('d1', INSIDE, 'd')).toBe(false)
    expect(await again('e1', AFTER, 'e')).toBe(false)
    expect(await again('b1', AFTER, 'b')).toBe(true)
    expect(await again('d2', AFTER, 'd')).toBe(true)
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => again(`a${i}`, AFTER, 'a')))
    expect(all.filter(Boolean)).toHaveLength(1)
  })

  test('a token lists what it asked, open or ended, page by page, and nothing of others', async () => {
    const at = (n: number) => newId('q', OPENED_AT + n).slice(2)
    const ids = [1, 2, 3, 4].map(at)
    const [first = '', second = '', third = '', fourth = ''] = ids
    await insert(first, { sessionId: 's' })
    await insert(second)
    await insert(third, { status: 'answered', value: 'yes' })
    await insert(fourth, { tokenId: 'key_2' })
    const of = aQuestion('x', {})
    const listed = async (more: Partial<Parameters<typeof listOwnQuestions>[2]>, now = INSIDE) => {
      const page = { state: 'open', sessionId: undefined, before: undefined, limit: 9 } as const
      const rows = await listOwnQuestions(db().read, of, { ...page, ...more }, now)
      return rows.map(({ id }) => id.slice(2))
    }
    expect(await listed({})).toEqual([second, first])
    expect(await listed({ limit: 1 })).toEqual([second])
    expect(await listed({ before: `q_${second}` as QuestionId })).toEqual([first])
    expect(await listed({ sessionId: 's' })).toEqual([first])
    expect(await listed({ state: 'ended' })).toEqual([third])
    expect(await listed({}, AFTER)).toEqual([])
    expect(await listed({ state: 'ended' }, AFTER)).toEqual([third, second, first])
  })

  test('the paths outside its scope that a session asked about, the newest first', async () => {
    const check = { sessionId: 's', detail: { scopePath: 'a' } }
    const at = (minute: number) => newId('q', OPENED_AT + minute * 60_000).slice(2)
    const [old, one, two] = [at(0), at(5), at(6)]
    for (const id of [old, one, two]) await insert(id, check)
    await insert(at(7), { ...check, sessionId: 't' })
    await insert(at(7), { ...check, tokenId: 'key_2' })
    await insert(at(7), { ...check, test: true })
    await insert(at(7), { ...check, workspaceId: 'ws_2' })
    await insert(at(7), { sessionId: 's' })
    const of = aQuestion('x', { sessionId: 's' })
    const since = OPENED_AT + 60_000
    const listed = async (limit: number, session = 's') =>
      (await keys.listChecks(db().read, { ...of, sessionId: session }, since, limit)).map(
        ({ id }) => id,
      )
    expect(await listed(9)).toEqual([`q_${two}`, `q_${one}`])
    expect(await listed(9, 'none')).toEqual([])
    expect(await keys.listChecks(db().read, aQuestion('x'), since, 9)).toEqual([])
  })

  test('the answered questions of a token are listed, the newest first', async () => {
    const idAt = (ms: number) => newId('q', OPENED_AT + ms).slice('q_'.length)
    const [early, one, two, open, other] = [0, 60_001, 60_002, 60_003, 60_004].map(idAt)
    for (const id of [early, one, two]) await insert(`${id}`, { status: 'answered' })
    await insert(`${open}`)
    await insert(`${other}`, { status: 'answered', tokenId: 'key_other' })
    const since = OPENED_AT + 60_000
    const listed = async (limit: number) =>
      (await keys.listAnswered(db().read, aQuestion('x'), since, limit)).map(({ id }) => id)
    expect(await listed(9)).toEqual([`q_${two}`, `q_${one}`])
    expect(await listed(1)).toEqual([`q_${two}`])
  })

  test('questions without a key do not collide', async () => {
    expect(await insert('a')).toBe(true)
    expect(await insert('b')).toBe(true)
  })

  for (const move of Object.keys(MOVES) as Move[]) {
    test(`${move} moves from its own status inside its own time alone`, async () => {
      for (const status of STORED_STATUSES) {
        for (const now of [INSIDE, AFTER - 1, AFTER, AFTER + 1]) {
          const id = `${status}-${now}`
          await insert(id, { status })
          const moved = await db().write((tx) =>
            store.moveQuestion(tx, move, 'ws_1', `q_${id}`, now),
          )
          const possible =
            status === MOVES[move].from &&
            (MOVES[move].when === 'inside') === now < AFTER &&
            MOVES[move].held !== 'yes'
          expect([id, moved?.status]).toEqual([id, possible ? MOVES[move].to : undefined])
          expect((await find(`q_${id}`))?.status).toBe(possible ? MOVES[move].to : status)
        }
      }
    })
  }

  test('an ending is kept with its value, note, source and moment', async () => {
    await insert('a')
    const ending = {
      value: 'yes',
      note: 'go',
      answerSource: 'inbox',
      answeredBy: 'p1',
    } as const
    await db().write((tx) => store.moveQuestion(tx, 'answer', 'ws_1', 'q_a', INSIDE, ending))
    const now = { status: 'answered', endedAt: INSIDE, ...ending } as const
    expect(await find('q_a')).toEqual(aQuestion('a', now))
  })

  test('of moves that race, exactly one wins', async () => {
    await insert('a')
    const moves: Move[] = ['answer', 'cancel', 'stop', 'answer', 'cancel', 'stop']
    const outcomes = await Promise.all(
      moves.map((move) => db().write((tx) => store.moveQuestion(tx, move, 'ws_1', 'q_a', INSIDE))),
    )
    const winners = outcomes.filter((outcome) => outcome !== undefined)
    expect(winners).toHaveLength(1)
    expect((await find('q_a'))?.status).toBe(winners[0]?.status as 'answered')
  })

  test('open questions come by their deadline, then by id; ended and overdue ones do not', async () => {
    await insert('c', { expiresAt: AFTER + 5 })
    await insert('b', { expiresAt: AFTER + 9 })
    await insert('a', { expiresAt: AFTER + 9 })
    await insert('ended', { status: 'answered', expiresAt: AFTER + 9 })
    await insert('over', { expiresAt: AFTER })
    const open = await store.listOpenQuestions(db().read, { workspaceId: 'ws_1' }, AFTER, 10)
    expect(open.map(({ id }) => id)).toEqual(['q_c', 'q_a', 'q_b'])
    expect(
      await store.listOpenQuestions(db().read, { workspaceId: 'ws_1' }, AFTER, 2),
    ).toHaveLength(2)
    const rest = await store.listOpenQuestions(
      db().read,
      { workspaceId: 'ws_1' },
      AFTER,
      10,
      open[0],
    )
    expect(rest.map(({ id }) => id)).toEqual(['q_a', 'q_b'])
    expect(await countOpenQuestions(db().read, { workspaceId: 'ws_1' }, AFTER)).toBe(3)
    expect(await countOpenQuestions(db().read, { workspaceId: 'ws_2' }, AFTER)).toBe(0)
  })

  test('open questions are told apart by agent, repository and kind', async () => {
    const expiresAt = AFTER + 5
    await insert('a', { expiresAt, agentName: 'Codex - shop', repoKey: 'shop' })
    await insert('b', { expiresAt, agentName: 'Codex - shop', repoKey: 'shop' })
    await insert('c', { expiresAt, origin: 'scope' })
    await insert('over', { expiresAt: AFTER, repoKey: 'gone' })
    const facts = await store.listOpenFacts(db().read, { workspaceId: 'ws_1' }, AFTER)
    expect(facts.map(({ repoKey, origin }) => [repoKey, origin])).toHaveLength(2)
    const latest = (count: number) =>
      store.listLatestFacts(db().read, { workspaceId: 'ws_1' }, count)
    expect((await latest(10)).map(({ repoKey }) => repoKey ?? '').sort()).toEqual([
      '',
      'gone',
      'shop',
    ])
    expect((await latest(1)).map(({ repoKey }) => repoKey)).toEqual(['gone'])
    const only = async (filter: OpenFilter) => {
      const questions = await store.listOpenQuestions(
        db().read,
        { workspaceId: 'ws_1' },
        AFTER,
        10,
        undefined,
        filter,
      )
      expect(await countOpenQuestions(db().read, { workspaceId: 'ws_1' }, AFTER, filter)).toBe(
        questions.length,
      )
      return questions.map(({ id }) => id)
    }
    expect(await only({ agentNames: ['Codex - shop'] })).toEqual(['q_a', 'q_b'])
    expect(await only({ agentNames: [] })).toEqual([])
    expect(await only({ repoKey: 'shop', kind: 'confirm' })).toEqual(['q_a', 'q_b'])
    const byRepository = (only: OpenFilter = {}) =>
      countOpenByRepository(db().read, { workspaceId: 'ws_1' }, AFTER, only)
    expect(await byRepository()).toMatchObject([
      { repoKey: 'shop', agentName: 'Codex - shop', open: 2, at: expect.any(Number) },
    ])
    expect(await byRepository({ agentNames: [] })).toEqual([])
    expect(await only({ kind: 'scope' })).toEqual(['q_c'])
  })

  test('a listing pages backwards without gap or repetition', async () => {
    const ids = ['1', '2', 'A', 'a', 'b', 'z']
    for (const id of ids) await insert(id)
    const seen: QuestionId[] = []
    let before: QuestionId | undefined
    for (;;) {
      const page = await store.listQuestions(
        db().read,
        { workspaceId: 'ws_1' },
        { before, limit: 2 },
      )
      seen.push(...page.map(({ id }) => id))
      before = page.at(-1)?.id
      if (!before) break
    }
    expect(seen).toEqual(ids.map((id) => `q_${id}` as const).reverse())
  })

  test('a session lists its own questions alone, with a machine or without', async () => {
    await insert('1', { sessionId: 's', machineId: 'm' })
    await insert('2', { sessionId: 's' })
    await insert('3', { sessionId: 's', machineId: '' })
    await insert('4', { sessionId: 's2', machineId: 'm' })
    await insert('5', { sessionId: 's', machineId: 'm', workspaceId: 'ws_2' })
    await insert('6', { machineId: 'm' })
    await insert('7', { sessionId: 's', machineId: 'm' })
    const list = async (machineId: string, before?: QuestionId) => {
      const page = { before, limit: 9, session: { machineId, sessionId: 's' } }
      return (await store.listQuestions(db().read, { workspaceId: 'ws_1' }, page)).map(
        ({ id }) => id,
      )
    }
    expect(await list('m')).toEqual(['q_7', 'q_1'])
    expect(await list('m', 'q_7')).toEqual(['q_1'])
    expect(await list('')).toEqual(['q_3', 'q_2'])
    expect(await list('other')).toEqual([])
  })

  test('the scopes of a session are listed, the newest first', async () => {
    const scope = { origin: 'scope', sessionId: 's' } as const
    await insert('1', scope)
    await insert('2', { ...scope, machineId: 'm' })
    await insert('3', { sessionId: 's' })
    await insert('4', { ...scope, workspaceId: 'ws_2' })
    await insert('5', { ...scope, sessionId: 't' })
    await insert('6', { ...scope, test: true })
    const only = { origin: 'scope', limit: 9 } as const
    const listed = await store.listSessionQuestions(db().read, { workspaceId: 'ws_1' }, 's', only)
    expect(listed.map(({ id }) => id)).toEqual(['q_2', 'q_1'])
  })

  test('a scope is proposed while its question is open, for its own session and traffic', async () => {
    const scope = { origin: 'scope', sessionId: 's', expiresAt: AFTER } as const
    const key = { workspaceId: 'ws_1', sessionId: 's', test: false } as const
    const isProposed = (more: object = {}, now = AFTER - 1) =>
      isScopeProposed(db().read, { ...key, ...more }, now)
    await insert('1', { ...scope, status: 'answered' })
    await insert('2', { ...scope, origin: 'ask' })
    await insert('3', { ...scope, sessionId: 't' })
    await insert('4', { ...scope, workspaceId: 'ws_2' })
    expect(await isProposed()).toBe(false)
    expect(await isProposed({ sessionId: 't' })).toBe(true)
    expect(await isProposed({ workspaceId: 'ws_2' })).toBe(true)
    await insert('5', scope)
    expect(await isProposed()).toBe(true)
    expect(await isProposed({}, AFTER)).toBe(false)
    expect(await isProposed({ test: true })).toBe(false)
  })

  test('overdue questions are found across workspaces, the oldest first', async () => {
    await insert('late', { expiresAt: AFTER - 1, workspaceId: 'ws_2' })
    await insert('due', { expiresAt: AFTER })
    await insert('open', { expiresAt: AFTER + 1 })
    await insert('ended', { status: 'expired' })
    expect(await store.listOverdue(db().read, AFTER, 10)).toEqual([
      { id: 'q_late', workspaceId: 'ws_2' },
      { id: 'q_due', workspaceId: 'ws_1' },
    ])
  })

  test('after a crash the questions are cut off for which a call would still wait', async () => {
    const later = { expiresAt: AFTER + 10, waitEndsAt: AFTER + 5 }
    await insert('1', later)
    await insert('2', { ...later, waitEndsAt: AFTER })
    await insert('3', { ...later, detail: { notWaited: true } })
    await insert('4', { ...later, waitEndsAt: AFTER, detail: { waitsUntil: AFTER + 5 } })
    await insert('5', { ...later, status: 'answered' })
    await insert('6', { ...later, origin: 'notification' })
    await insert('7', { ...later, abandonedAt: INSIDE })
    await insert('8', { ...later, createdAt: AFTER + 1 })
    await insert('9', { expiresAt: AFTER, waitEndsAt: AFTER + 5 })
    await insert('A', { ...later, detail: { followedAt: INSIDE } })
    await db().write((tx) => markCutOff(tx, AFTER))
    const times = new Map<string, number | undefined>()
    for (const name of ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'A']) {
      times.set(name, (await find(`q_${name}`))?.abandonedAt)
    }
    expect([...times].filter(([, at]) => at !== undefined)).toEqual([
      ['1', AFTER],
      ['4', AFTER],
      ['7', INSIDE],
    ])
  })

  test('the open twin is the newest live one from the same place with the same content', async () => {
    const of = aQuestion('x', { sessionId: 's' })
    const open = { sessionId: 's' }
    await insert('1', open)
    await insert('2', { ...open, abandonedAt: INSIDE })
    await insert('3', { ...open, targeting: { tags: ['work'] } })
    await insert('4', { ...open, sessionId: undefined })
    await insert('5', { ...open, tokenId: 'key_2' })
    await insert('6', { ...open, question: 'Else?' })
    await insert('7', { ...open, type: 'input' })
    await insert('8', { ...open, status: 'cancelled' })
    await insert('9', { ...open, workspaceId: 'ws_2' })
    await insert('A', { ...open, test: true })
    await insert('B', { ...open, machineId: 'm' })
    await insert('C', { ...open, repoKey: 'r' })
    await insert('D', { ...open, origin: 'scope' })
    await insert('E', { ...open, detail: { action: 'rm -rf /' } })
    await insert('F', { ...open, key: 'request:["hook","live"]' })
    const twinAt = (createdAt: number, more: Parameters<typeof aQuestion>[1] = {}) =>
      keys.findOpenTwin(db().read, { ...of, ...more, createdAt })
    expect((await twinAt(INSIDE))?.id).toBe('q_2')
    expect((await twinAt(INSIDE, { sessionId: undefined }))?.id).toBe('q_4')
    expect((await twinAt(INSIDE, { id: 'q_2' }))?.id).toBe('q_1')
    expect(await twinAt(AFTER)).toBeUndefined()
  })

  test('the key of a call that joined finds its question until that is forgotten, and goes with it', async () => {
    const key = 'scope:["model","live","key_1",null,"s",null,"7"]'
    const of = aQuestion('a', { origin: 'scope' })
    await insert('a', { origin: 'scope' })
    const call = {
      id: 'q_b',
      workspaceId: of.workspaceId,
      questionId: of.id,
      callbackUrl: null,
    } as const
    await db().write((tx) => joined.insertJoinedCall(tx, { ...call, key }))
    const findByKey = (now: number, workspaceId = of.workspaceId) =>
      keys.findQuestionByKey(db().read, workspaceId, key, now)
    expect((await findByKey(INSIDE))?.id).toBe('q_a')
    expect((await joined.findJoinedByKey(db().read, 'ws_1', key, INSIDE))?.id).toBe('q_a')
    expect(await findByKey(INSIDE, 'ws_2')).toBeUndefined()
    expect(await findByKey(of.expiresAt + KEY_KEPT_MS)).toBeUndefined()
    await db().write((tx) => joined.deleteJoinedCalls(tx, ['q_a']))
    expect(await findByKey(INSIDE)).toBeUndefined()
  })

  test('a pending question is marked abandoned until a call joins it, an ended one is left alone', async () => {
    await insert('a')
    await insert('ended', { status: 'answered' })
    await db().write(async (tx) => {
      await store.markAbandoned(tx, 'q_a', INSIDE)
      await store.markAbandoned(tx, 'q_ended', INSIDE)
    })
    expect((await find('q_a'))?.abandonedAt).toBe(INSIDE)
    expect((await find('q_ended'))?.abandonedAt).toBeUndefined()
    expect(await db().write((tx) => joined.lockJoined(tx, 'q_a'))).toMatchObject({ id: 'q_a' })
    expect((await find('q_a'))?.abandonedAt).toBeUndefined()
  })

  test('the last late answer of a person is found', async () => {
    const late = (id: string, questionId: QuestionId, answeredBy: PersonId, at: number) => ({
      id,
      workspaceId: 'ws_1' as const,
      questionId,
      value: 'yes',
      note: null,
      answerSource: null,
      answeredBy,
      answeredAs: null,
      answeredOn: null,
      at,
    })
    const mine = late('1', 'q_a', 'p_ann', 9)
    await db().write(async (tx) => {
      await store.insertLateAnswer(tx, late('3', 'q_a', 'p_ann', 3))
      await store.insertLateAnswer(tx, mine)
      await store.insertLateAnswer(tx, late('2', 'q_a', 'p_bob', 10))
      await store.insertLateAnswer(tx, late('4', 'q_b', 'p_ann', 11))
    })
    expect(await store.findLateAnswer(db().read, 'q_a', 'p_ann')).toEqual(mine)
    expect(await store.findLateAnswer(db().read, 'q_b', 'p_bob')).toBeUndefined()
  })
})
