import { expect, test } from 'bun:test'
import type { OAuthClient } from '../../src/ask/oauth/model/client.ts'
import * as clients from '../../src/ask/oauth/model/client-store.ts'
import type { Code, OauthToken } from '../../src/ask/oauth/model/grant-store.ts'
import * as grants from '../../src/ask/oauth/model/grant-store.ts'
import { onBothDatabases } from './both-databases.ts'

const client = (id: string, changes: Partial<OAuthClient> = {}): OAuthClient => ({
  id,
  kind: 'registered',
  name: `OAuthClient ${id}`,
  redirectUris: ['http://127.0.0.1/callback', 'cursor://x/y'],
  authMethod: 'none',
  secretHash: null,
  refreshes: true,
  workspaceId: null,
  createdBy: null,
  createdAt: 10,
  usedAt: null,
  freshUntil: null,
  ...changes,
})

onBothDatabases('clients that sign in', (db) => {
  const put = (...args: Parameters<typeof client>) =>
    db().write((tx) => clients.putClient(tx, client(...args)))

  test('a client is found as it was put, and put again it keeps its age and use', async () => {
    await put('a')
    expect(await clients.findStoredClient(db().read, 'a')).toEqual(client('a'))
    expect(await clients.findStoredClient(db().read, 'b')).toBeUndefined()
    await db().write((tx) => clients.markClientUsed(tx, 'a', 50))
    await put('a', { name: 'New', createdAt: 99, freshUntil: 7 })
    expect(await clients.findStoredClient(db().read, 'a')).toEqual(
      client('a', { name: 'New', usedAt: 50, freshUntil: 7 }),
    )
  })

  test('the clients of a workspace are listed, newest first, and removed', async () => {
    const client = { kind: 'made', workspaceId: 'ws_1' } as const
    await put('a', { ...client, createdAt: 1 })
    await put('b', { ...client, createdAt: 2 })
    await put('c', { ...client, workspaceId: 'ws_2' })
    await put('d')
    const ids = async () => (await clients.listMadeClients(db().read, 'ws_1')).map(({ id }) => id)
    expect(await ids()).toEqual(['b', 'a'])
    await db().write((tx) => clients.dropClient(tx, 'b'))
    expect(await ids()).toEqual(['a'])
  })

  test('what nobody allowed goes by its age, what was allowed by its last use, and none that an owner made', async () => {
    await put('old', { createdAt: 1 })
    await put('older', { createdAt: 0 })
    await put('new', { createdAt: 9 })
    await put('used', { createdAt: 0, usedAt: 9 })
    await put('unused', { createdAt: 0, usedAt: 1 })
    await put('made', { kind: 'made', createdAt: 0, workspaceId: 'ws_1' })
    expect(await clients.countUnused(db().read)).toBe(3)
    const since = { unusedSince: 5, usedSince: 5 }
    const purge = (limit: number) =>
      db().write((tx) => clients.purgeClients(tx, { ...since, limit }))
    expect(await purge(1)).toBe(1)
    expect(await purge(9)).toBe(2)
    expect(await purge(9)).toBe(0)
    const left = ['new', 'used', 'made']
    for (const id of left) expect(await clients.findStoredClient(db().read, id)).toBeDefined()
    expect(await clients.countUnused(db().read)).toBe(1)
  })
})

const code = (hash: string, changes: Partial<Code> = {}): Code => ({
  hash,
  clientId: 'a',
  tokenId: 'key_1',
  family: 'f',
  redirectUri: 'https://a.example/cb',
  challenge: 'c',
  scopes: ['ask'],
  resource: 'https://b.example/mcp',
  refreshes: true,
  expiresAt: 100,
  usedAt: null,
  ...changes,
})
const token = (hash: string, changes: Partial<OauthToken> = {}): OauthToken => ({
  hash,
  kind: 'refresh',
  tokenId: 'key_1',
  clientId: 'a',
  family: 'f',
  scopes: ['ask', 'propose_scope'],
  resource: 'https://b.example/mcp',
  expiresAt: 100,
  usedAt: null,
  revokedAt: null,
  ...changes,
})

onBothDatabases('codes and tokens of clients', (db) => {
  test('a code is used once, even by two requests at the same moment', async () => {
    await db().write((tx) => grants.addCode(tx, code('x')))
    expect(await grants.findCode(db().read, 'x')).toEqual(code('x'))
    const uses = await Promise.all(
      [1, 2].map((now) => db().write((tx) => grants.useCode(tx, 'x', now))),
    )
    expect(uses.toSorted()).toEqual([false, true])
    expect(await db().write((tx) => grants.useCode(tx, 'y', 1))).toBe(false)
  })

  test('a refresh token is used once, and not when it was revoked', async () => {
    await db().write((tx) => grants.addTokens(tx, [token('x'), token('y', { revokedAt: 1 })]))
    expect(await grants.findOauthToken(db().read, 'x')).toEqual(token('x'))
    const use = (hash: string) => db().write((tx) => grants.useRefreshToken(tx, hash, 5))
    const uses = await Promise.all([use('x'), use('x')])
    expect(uses.toSorted()).toEqual([false, true])
    expect(await use('y')).toBe(false)
  })

  test('a family ends as one, and says so', async () => {
    const changes: string[] = []
    await db().write((tx) =>
      grants.addTokens(tx, [token('x'), token('y'), token('z', { family: 'g' })]),
    )
    const stop = db().changes.on('token', undefined, (id) => changes.push(id))
    await db().write(async (tx) => {
      await grants.lockFamily(tx, 'f')
      expect(await grants.anyLive(tx, token('x').tokenId, 0)).toBe(true)
      await grants.revokeFamily(tx, 'f', 7)
    })
    stop()
    const at = async (hash: string) => (await grants.findOauthToken(db().read, hash))?.revokedAt
    expect([await at('x'), await at('y'), await at('z')]).toEqual([7, 7, null])
    expect(changes).toEqual(['key_1'])
  })

  test('what has expired is deleted, some at a time', async () => {
    await db().write(async (tx) => {
      await grants.addCode(tx, code('old', { expiresAt: 1 }))
      await grants.addCode(tx, code('new'))
      await grants.addTokens(tx, [token('old', { expiresAt: 1 }), token('new')])
    })
    expect(await db().write((tx) => grants.purgeGrantSecrets(tx, 50, 10))).toBe(2)
    expect(await grants.findCode(db().read, 'old')).toBeUndefined()
    expect(await grants.findOauthToken(db().read, 'old')).toBeUndefined()
    expect(await grants.findCode(db().read, 'new')).toBeDefined()
    expect(await grants.findOauthToken(db().read, 'new')).toBeDefined()
  })
})
