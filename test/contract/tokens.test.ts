import { expect, test } from 'bun:test'
import type { TokenId, WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import * as store from '../../src/ask/accounts/model/token-store.ts'
import {
  findWorkspace,
  homeWorkspace,
  listWorkspaces,
} from '../../src/ask/accounts/model/workspace-store.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('agent tokens', (db) => {
  const bare = (id: string, workspaceId: WorkspaceId = 'ws_1') => ({
    id: `key_${id}` as TokenId,
    workspaceId,
    name: `token ${id}`,
    hash: `hash-${id}`,
    tail: 'abcd',
    test: false,
    createdAt: 5,
  })
  const unused = {
    createdBy: null,
    ownerGroup: null,
    revokedAt: null,
    offAt: null,
    lastUsedAt: null,
    lastUsedFrom: null,
    lastUsedClient: null,
    clientId: null,
    connection: null,
  }
  const add = (...args: Parameters<typeof bare>) =>
    db().write((tx) => store.addToken(tx, bare(...args)))

  test('a token is found by its id and its hash, and its hash is never shown', async () => {
    const { hash, ...record } = { ...bare('a'), ...unused }
    expect(await add('a')).toEqual(record)
    expect(await store.findToken(db().read, 'key_a')).toEqual(record)
    expect(await store.findTokenByHash(db().read, hash)).toEqual(record)
    expect(await store.findTokenByHash(db().read, 'hash-b')).toBeUndefined()
    expect(await store.findToken(db().read, 'key_b')).toBeUndefined()
  })

  test('a workspace lists its own tokens, newest first', async () => {
    for (const id of ['1', 'A', 'a', 'b']) await add(id)
    await add('foreign', 'ws_2')
    const listed = await store.listTokens(db().read, 'ws_1')
    expect(listed.map(({ id }) => id)).toEqual(['key_b', 'key_a', 'key_A', 'key_1'])
  })

  test('pages of live tokens, of all or of one person, meet without a gap, newest first', async () => {
    for (const id of ['1', 'A', 'a', 'b', 'c']) await add(id)
    await add('foreign', 'ws_2')
    await db().write((tx) => store.addToken(tx, { ...bare('own'), createdBy: 'ann' }))
    await db().write((tx) => store.revoke(tx, 'key_a', 7))
    const all = { workspaceId: 'ws_1' } as const
    const page = async (of: store.TokensOf, offset: number, limit: number) =>
      (await store.listLiveTokens(db().read, of, { offset, limit })).map(({ id }) => id)
    expect(await page(all, 0, 2)).toEqual(['key_own', 'key_c'])
    expect(await page(all, 2, 2)).toEqual(['key_b', 'key_A'])
    expect(await page(all, 4, 2)).toEqual(['key_1'])
    expect(await page(all, 6, 2)).toEqual([])
    expect(await store.countLiveTokens(db().read, all)).toBe(5)
    const anns = { ...all, createdBy: 'ann' } as const
    expect(await page(anns, 0, 9)).toEqual(['key_own'])
    expect(await store.countLiveTokens(db().read, anns)).toBe(1)
    expect(await store.countLiveTokens(db().read, { ...all, createdBy: 'eve' })).toBe(0)
    expect(await store.countLiveTokens(db().read, { workspaceId: 'ws_3' })).toBe(0)
  })

  test('of many who revoke a token, one does; it stays revoked at that moment', async () => {
    await add('a')
    const outcomes = await Promise.all(
      [7, 8, 9].map((now) => db().write((tx) => store.revoke(tx, 'key_a', now))),
    )
    const [done, ...others] = outcomes.filter((outcome) => outcome !== undefined)
    expect(others).toEqual([])
    const token = await store.findToken(db().read, 'key_a')
    expect(token?.revokedAt).toBe(done?.revokedAt as number)
    expect(await db().write((tx) => store.revoke(tx, 'key_none', 7))).toBeUndefined()
  })

  test('tokens that ended lately are told apart from those that ended earlier, or not at all', async () => {
    for (const id of ['a', 'b', 'c']) await add(id)
    await db().write((tx) => store.revoke(tx, 'key_a', 7))
    await db().write((tx) => store.revoke(tx, 'key_b', 9))
    const ended = async (since: number) =>
      (await store.listEndedSince(db().read, since)).map(({ id, why }) => `${id} ${why}`).sort()
    expect(await ended(8)).toEqual(['key_b revoked'])
    expect(await ended(7)).toEqual(['key_a revoked', 'key_b revoked'])
  })

  test('a revoked token rings, so that whoever remembers it forgets it', async () => {
    await add('a')
    const heard: string[] = []
    const off = db().changes.on('token', undefined, (id) => heard.push(id))
    await db().write((tx) => store.revoke(tx, 'key_a', 7))
    await db().write((tx) => store.revoke(tx, 'key_a', 8))
    off()
    expect(heard).toEqual(['key_a'])
  })

  test('a use is remembered, and the next only when the last is old enough', async () => {
    await add('a')
    const use = (at: number, since: number, from?: string) =>
      db().write((tx) => store.markUsed(tx, 'key_a', { at, from, client: 'codex' }, since))
    const last = async () => {
      const token = await store.findToken(db().read, 'key_a')
      return [token?.lastUsedAt, token?.lastUsedFrom, token?.lastUsedClient]
    }
    await use(100, 40, '127.0.0.1')
    expect(await last()).toEqual([100, '127.0.0.1', 'codex'])
    await use(110, 50)
    expect(await last()).toEqual([100, '127.0.0.1', 'codex'])
    await use(200, 140)
    expect(await last()).toEqual([200, null, 'codex'])
  })

  test('a connection is found by its person and client while it lives, and changes', async () => {
    const connection = { host: 'a.example', returnsTo: 'a.example', scopes: ['ask'], agreedTo: 'x' }
    const of = { createdBy: 'ann', clientId: 'app_1', connection }
    await db().write(async (tx) => {
      await store.addToken(tx, { ...bare('1'), ...of })
      await store.addToken(tx, { ...bare('2'), ...of, createdBy: 'ben' })
      await store.addToken(tx, { ...bare('3'), createdBy: 'ann' })
    })
    const mine = { workspaceId: 'ws_1', personId: 'ann', clientId: 'app_1' } as const
    expect((await store.findConnection(db().read, mine))?.id).toBe('key_1')
    expect(await store.findConnection(db().read, { ...mine, clientId: 'app_2' })).toBeUndefined()
    const ids = () => store.listConnectionIds(db().read, { workspaceId: 'ws_1', clientId: 'app_1' })
    expect((await ids()).toSorted()).toEqual(['key_1', 'key_2'])
    const wider = { ...connection, scopes: ['ask', 'propose_scope'] }
    await db().write((tx) =>
      store.putConnection(tx, 'key_1', { name: 'Renamed', connection: wider }),
    )
    expect(await store.findToken(db().read, 'key_1')).toMatchObject({
      name: 'Renamed',
      connection: wider,
    })
    await db().write((tx) => store.revoke(tx, 'key_1', 9))
    expect(await store.findConnection(db().read, mine)).toBeUndefined()
    expect(await ids()).toEqual(['key_2'])
    const owned = async (owner: Parameters<typeof store.putOwner>[2]) => {
      await db().write((tx) => store.putOwner(tx, 'key_3', owner))
      expect(await store.findToken(db().read, 'key_3')).toMatchObject(owner)
    }
    await owned({ createdBy: 'ben', ownerGroup: null })
    await owned({ createdBy: null, ownerGroup: 'group_1' })
    await db().write((tx) => store.dropOwnerGroup(tx, 'group_2'))
    expect(await store.findToken(db().read, 'key_3')).toMatchObject({ ownerGroup: 'group_1' })
    await db().write((tx) => store.dropOwnerGroup(tx, 'group_1'))
    expect(await store.findToken(db().read, 'key_3')).toMatchObject({ ownerGroup: null })
  })
})

onBothDatabases('workspaces', (db) => {
  test('the first workspace is made once, however many ask for it at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, i) => db().write((tx) => homeWorkspace(tx, `ws_${i}`, 5))),
    )
    expect(new Set(ids).size).toBe(1)
    const [home, ...others] = await listWorkspaces(db().read)
    expect(others).toEqual([])
    expect(home).toEqual({
      id: ids[0] as WorkspaceId,
      name: 'Home',
      createdAt: 5,
      visibility: 'workspace',
    })
  })

  test('a workspace is found by its name and by its id', async () => {
    await db().write((tx) => homeWorkspace(tx, 'ws_1', 5))
    expect((await findWorkspace(db().read, 'Home'))?.id).toBe('ws_1')
    expect((await findWorkspace(db().read, 'ws_1'))?.name).toBe('Home')
    expect(await findWorkspace(db().read, 'Away')).toBeUndefined()
  })
})
