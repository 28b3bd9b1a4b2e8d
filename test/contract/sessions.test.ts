import { expect, test } from 'bun:test'
import * as store from '../../src/ask/sessions/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const KEY = { workspaceId: 'ws_1', machineId: 'm1', sessionId: 's1' } as const
const sighting = (changes: Partial<store.Sighting> = {}): store.Sighting => ({
  ...KEY,
  id: 'ses_1',
  tokenId: 'key_1',
  agentName: 'Codex - shop',
  client: undefined,
  repoKey: 'shop',
  lastAction: 'npm test',
  errored: false,
  at: 100,
  ...changes,
})

onBothDatabases('sessions', (db) => {
  const sight = (changes?: Partial<store.Sighting>) =>
    db().write((tx) => store.sightSession(tx, sighting(changes)))

  test('a session keeps its id and what later sightings do not say', async () => {
    expect(await sight({ branch: 'main', intent: 'Fix the tax' })).toBe('ses_1')
    const again = {
      id: 'ses_2' as const,
      tokenId: 'key_2' as const,
      agentName: undefined,
      repoKey: undefined,
      at: 200,
    }
    expect(await sight({ ...again, lastAction: 'git push', errored: true })).toBe('ses_1')
    const expected = {
      ...KEY,
      id: 'ses_1' as const,
      tokenId: 'key_1' as const,
      agentName: 'Codex - shop',
      client: undefined,
      repoKey: 'shop',
      branch: 'main',
      intent: 'Fix the tax',
      machineName: undefined,
      lastAction: 'git push',
      lastSeenAt: 200,
      erroredAt: 200,
      unanswered: 0,
      createdAt: 100,
      test: false,
    }
    expect(await store.findSessionByKey(db().read, KEY)).toEqual(expected)
    expect(await store.findSession(db().read, 'ws_1', 'ses_1')).toEqual(expected)
    expect(await store.findSession(db().read, 'ws_2', 'ses_1')).toBeUndefined()
    await sight({ at: 300 })
    expect((await store.findSessionByKey(db().read, KEY))?.erroredAt).toBeUndefined()
  })

  test('test traffic makes a session of its own, and changes nothing of a real one', async () => {
    const tried = { test: true, lastAction: 'tried', errored: true, agentName: 'Test' }
    expect(await sight({ ...tried, at: 50 })).toBe('ses_1')
    expect(await sight({ ...tried, at: 60 })).toBe('ses_1')
    const findSession = () => store.findSessionByKey(db().read, KEY)
    expect(await findSession()).toMatchObject({ test: true, lastSeenAt: 60, erroredAt: 60 })
    await sight({ at: 100 })
    const real = await findSession()
    expect(real).toMatchObject({ test: false, lastSeenAt: 100, erroredAt: undefined })
    expect(await sight({ ...tried, at: 200 })).toBeUndefined()
    expect(await findSession()).toEqual(real)
  })

  test('sessions whose last report is an error are listed, the latest first', async () => {
    const workspaceId = 'ws_errored' as const
    const at = (id: 'ses_e1' | 'ses_e2' | 'ses_e3', when: number, errored: boolean) =>
      sight({ workspaceId, id, sessionId: id, at: when, errored })
    await at('ses_e1', 100, true)
    await at('ses_e2', 200, true)
    await at('ses_e3', 300, true)
    await at('ses_e3', 301, false)
    const ids = async (since: number, limit: number) =>
      (await store.listErroredSessions(db().read, { workspaceId }, since, limit)).map(
        ({ id }) => id,
      )
    expect(await ids(0, 10)).toEqual(['ses_e2', 'ses_e1'])
    expect(await ids(101, 10)).toEqual(['ses_e2'])
    expect(await ids(0, 1)).toEqual(['ses_e2'])
  })

  test('the same session id on another machine or workspace is another session', async () => {
    await sight()
    await sight({ id: 'ses_2', machineId: '' })
    await sight({ id: 'ses_3', workspaceId: 'ws_2' })
    const list = (since: number) =>
      store.listSessions(db().read, { workspaceId: 'ws_1' }, since, 10)
    expect((await list(0)).map(({ id }) => id)).toEqual(['ses_2', 'ses_1'])
    expect(await list(101)).toEqual([])
    await sight({ id: 'ses_4', sessionId: 's4', repoKey: 'other' })
    const shop = { viewer: { workspaceId: 'ws_1' }, repoKey: 'shop' } as const
    const ofShop = await store.listRepositorySessions(db().read, shop, 0, 10)
    expect(ofShop.map(({ id }) => id)).toEqual(['ses_2', 'ses_1'])
    expect(await store.listRepositorySessions(db().read, shop, 101, 10)).toEqual([])
  })

  test('unanswered approvals are counted until one is answered', async () => {
    await sight()
    const count = (outcome: 'answered' | 'unanswered') =>
      db().write((tx) => store.countUnanswered(tx, KEY, outcome))
    const now = async () => (await store.findSessionByKey(db().read, KEY))?.unanswered
    await count('unanswered')
    await count('unanswered')
    expect(await now()).toBe(2)
    await count('answered')
    expect(await now()).toBe(0)
  })

  test('presence moves forward only', async () => {
    const seen = () => store.terminalActiveAt(db().read, 'ws_1', 'm1')
    const record = (at: number) => db().write((tx) => store.recordPresence(tx, 'ws_1', 'm1', at))
    expect(await seen()).toBeUndefined()
    await record(100)
    await record(50)
    expect(await seen()).toBe(100)
    await record(150)
    expect(await seen()).toBe(150)
  })
})
