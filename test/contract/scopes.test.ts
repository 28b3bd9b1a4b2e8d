import { expect, test } from 'bun:test'
import type { Ratified } from '../../src/ask/scopes/model/contract.ts'
import * as hookStore from '../../src/ask/scopes/model/hook-store.ts'
import * as store from '../../src/ask/scopes/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { onBothDatabases } from './both-databases.ts'

const KEY = { workspaceId: 'ws_1', sessionId: 's', test: false } as const

const ratified = (id: string, changes: Partial<Ratified> = {}): Ratified => ({
  questionId: `q_${id}`,
  workspaceId: 'ws_1',
  sessionId: 's',
  allowedPaths: ['src', 'src/**'],
  offLimitsPaths: [],
  promises: ['be kind'],
  doneWhen: 'Green.',
  edited: false,
  test: false,
  ratifiedBy: undefined,
  ratifiedAt: 100,
  expiresAt: 1_000,
  ...changes,
})

onBothDatabases('contracts', (db) => {
  const insert = (id: string, changes?: Partial<Ratified>) =>
    db().write((tx) => store.insertContract(tx, ratified(id, changes)))
  const inForce = async (now: number, sessionId = 's') =>
    (await store.findInForce(db().read, { ...KEY, sessionId }, now))?.questionId

  test('what was agreed to last holds, until it is over', async () => {
    expect(await inForce(100)).toBeUndefined()
    await insert('a')
    await insert('b', { ratifiedAt: 200, expiresAt: 1_100, ratifiedBy: 'ann', edited: true })
    await insert('c', { ratifiedAt: 150, expiresAt: 1_050 })
    await insert('else', { sessionId: 't', ratifiedAt: 900 })
    await insert('away', { workspaceId: 'ws_2', ratifiedAt: 900 })
    await insert('test', { test: true, ratifiedAt: 900 })
    expect(await inForce(999)).toBe('q_b')
    expect(await inForce(1_099)).toBe('q_b')
    expect(await inForce(1_100)).toBeUndefined()
    const ids = (rows: Ratified[]) => rows.map(({ questionId }) => questionId)
    expect(ids(await store.listContracts(db().read, KEY, 2))).toEqual(['q_b', 'q_c'])
    expect(ids(await store.listUnexpired(db().read, 'ws_1', 1_000, 9))).toEqual(['q_b', 'q_c'])
  })

  test('a contract is kept as it was agreed to, once', async () => {
    await insert('a', { ratifiedBy: 'ann', edited: true })
    await insert('a', { doneWhen: 'Else.' })
    const findStored = (of: 'ws_1' | 'ws_2') => store.findContract(db().read, of, 'q_a')
    expect(await findStored('ws_1')).toEqual(ratified('a', { ratifiedBy: 'ann', edited: true }))
    expect(await findStored('ws_2')).toBeUndefined()
  })

  test('of two agreed to in one instant the later question holds', async () => {
    await insert('a')
    await insert('b')
    expect(await inForce(100)).toBe('q_b')
  })

  test('paths are added in order, once a question, and go with what they hang on', async () => {
    await insert('a')
    await insert('b', { sessionId: 't' })
    const widen = (id: string, of: string, at: number) =>
      db().write((tx) =>
        store.insertWidening(tx, {
          ...{ questionId: `q_${id}` as QuestionId, contractId: `q_${of}` as QuestionId },
          ...{ workspaceId: 'ws_1', path: `docs/${id}`, at },
        }),
      )
    await widen('y', 'a', 20)
    await widen('x', 'a', 30)
    await widen('x', 'b', 40)
    await widen('z', 'b', 10)
    const paths = async (...ids: QuestionId[]) =>
      (await store.listWidenings(db().read, ids)).map(({ path }) => path)
    expect(await paths('q_a')).toEqual(['docs/y', 'docs/x'])
    expect(await paths('q_a', 'q_b')).toEqual(['docs/z', 'docs/y', 'docs/x'])
    expect(await paths()).toEqual([])
    expect((await store.findWidening(db().read, 'q_x'))?.contractId).toBe('q_a')
    await db().write((tx) => store.deleteContracts(tx, ['q_a', 'q_z']))
    expect(await inForce(100)).toBeUndefined()
    expect(await inForce(100, 't')).toBe('q_b')
    expect(await paths('q_a', 'q_b')).toEqual([])
  })
})

onBothDatabases('hooks', (db) => {
  const NAMED = {
    workspaceId: 'ws_1',
    sessionId: 's',
    machineId: 'm',
    client: 'claude',
  } as const
  const HOOK = { ...NAMED, ended: false }
  const sight = (changes: Partial<hookStore.HookSighting> = {}) =>
    db().write((tx) => hookStore.sightHook(tx, { ...HOOK, at: 100, ...changes }))
  const listHooks = () => hookStore.findHooks(db().read, 'ws_1', 's')

  test('a hook is first seen once, and keeps what later reports do not say', async () => {
    await sight({ clientVersion: '2.1', examplePaths: ['src/a.ts'], tokenId: 'key_1' })
    await sight({ at: 200, contractEtag: 'e', contained: 'landlock' })
    await sight({ at: 200, hookVersion: undefined })
    const expected = {
      ...NAMED,
      ...{
        tokenId: 'key_1' as const,
        clientVersion: '2.1',
        hookVersion: undefined,
        contractEtag: 'e',
        contained: 'landlock' as const,
      },
      ...{
        examplePaths: ['src/a.ts'],
        gaps: undefined,
        firstSeenAt: 100,
        lastSeenAt: 200,
        endedAt: undefined,
      },
      missedAt: undefined,
    }
    expect(await listHooks()).toEqual([expected])
    await sight({ at: 150 })
    expect((await listHooks())[0]?.lastSeenAt).toBe(200)
    await sight({ at: 300, ended: true })
    expect((await listHooks())[0]?.endedAt).toBe(300)
    await sight({ at: 400 })
    expect((await listHooks())[0]?.endedAt).toBeUndefined()
  })

  test('each machine has its own, the latest first; old ones are forgotten', async () => {
    await sight()
    await sight({ machineId: 'n', at: 300 })
    await sight({ sessionId: 't', at: 200 })
    await sight({ workspaceId: 'ws_2', at: 50 })
    expect((await listHooks()).map(({ machineId }) => machineId)).toEqual(['n', 'm'])
    const since = async (at: number) =>
      (await hookStore.listHooks(db().read, 'ws_1', at, 9)).map(({ lastSeenAt }) => lastSeenAt)
    expect(await since(200)).toEqual([300, 200])
    expect(await db().write((tx) => hookStore.purgeHooks(tx, 200, 10))).toBe(2)
    expect(await since(0)).toEqual([300, 200])
    expect(await db().write((tx) => hookStore.purgeHooks(tx, 200, 10))).toBe(0)
  })

  test('a hook that says nothing any more is missed once, and one that reports again is not', async () => {
    await sight({ contractEtag: 'e' })
    await sight({ sessionId: 'ended', ended: true })
    await sight({ sessionId: 'lively', at: 900 })
    const quiet = async () =>
      (await hookStore.listQuietHooks(db().read, 500, 1_000, 9)).map(({ sessionId }) => sessionId)
    const missed = async (workspaceId: 'ws_1' | 'ws_2') =>
      (await hookStore.listMissedHooks(db().read, workspaceId, 0, 9)).map((it) => it.missedAt)
    expect(await quiet()).toEqual(['s'])
    const miss = () => db().write((tx) => hookStore.missHooks(tx, NAMED, 500, 1_000))
    expect([await miss(), await miss()]).toEqual([true, false])
    expect([await quiet(), await missed('ws_1'), await missed('ws_2')]).toEqual([[], [1_000], []])
    const forget = () => db().write((tx) => hookStore.clearReportedContract(tx, NAMED))
    expect([await forget(), await forget()]).toEqual([true, false])
    expect((await listHooks())[0]?.contractEtag).toBeUndefined()
    await sight({ at: 1_100 })
    expect(await missed('ws_1')).toEqual([])
    expect(await miss()).toBe(false)
  })
})
