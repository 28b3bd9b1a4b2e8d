import { expect, test } from 'bun:test'
import { takesNoPart } from '../../src/ask/accounts/model/off-store.ts'
import { insertPerson, putOff } from '../../src/ask/accounts/model/person-store.ts'
import { members } from '../../src/ask/accounts/model/table.ts'
import {
  addToken,
  findToken,
  listEndedSince,
  putTokenOff,
} from '../../src/ask/accounts/model/token-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import * as store from '../../src/ask/directory/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = 1_000_000
const DIRECTORY: store.Directory = {
  id: 'dir_1',
  workspaceId: 'ws_1',
  name: 'Acme',
  createdAt: NOW,
}
const TOKEN: store.DirectoryToken = {
  ...{ id: 'dtk_1', directoryId: 'dir_1', hash: 'h', tail: 'tail' },
  ...{ createdAt: NOW, lastUsedAt: null },
}
const ANN: Omit<store.DirectoryPerson, 'offAt'> = {
  ...{ id: 'usr_1', directoryId: 'dir_1', personId: 'ann', userName: 'ann', externalId: '7' },
  ...{ attributes: { userName: 'Ann' }, createdAt: NOW, updatedAt: NOW, deletedAt: null },
}

onBothDatabases('directories', (db) => {
  test('a directory is found by its token until that is revoked', async () => {
    await db().write(async (tx) => {
      await store.addDirectory(tx, DIRECTORY)
      await store.addDirectoryToken(tx, TOKEN)
    })
    expect(await store.listDirectories(db().read, 'ws_1')).toEqual([DIRECTORY])
    expect(await store.listDirectories(db().read, 'ws_2')).toEqual([])
    const find = (hash: string) => store.findDirectoryByToken(db().read, hash)
    expect(await find('h')).toEqual({ directory: DIRECTORY, tokenId: 'dtk_1' })
    expect(await find('x')).toBeUndefined()
    const use = (at: number, since: number) =>
      db().write((tx) => store.markDirectoryTokenUsed(tx, 'dtk_1', { at, since }))
    await use(NOW, NOW - 10)
    await use(NOW + 1, NOW)
    const [token] = await store.listDirectoryTokens(db().read, 'dir_1')
    expect(token?.lastUsedAt).toBe(NOW)
    const drop = (of: 'dir_1' | 'dir_2') =>
      db().write((tx) => store.dropDirectoryToken(tx, of, 'dtk_1'))
    expect(await drop('dir_2')).toBe(false)
    expect(await drop('dir_1')).toBe(true)
    expect(await find('h')).toBeUndefined()
  })

  test('whom a directory made is listed with whether they are switched off', async () => {
    const ann = { id: 'ann', name: 'Ann', email: 'ann@example.com', workspaceId: 'ws_1' } as const
    await db().write(async (tx) => {
      await homeWorkspace(tx, 'ws_1', NOW)
      await insertPerson(tx, { ...ann, role: 'member' }, NOW)
      await store.addDirectoryPerson(tx, ANN)
      await putOff(tx, { workspaceId: 'ws_1', personId: 'ann' }, NOW)
    })
    const takesNoPartNow = await db()
      .read.select({ id: members.personId })
      .from(members)
      .where(takesNoPart(db().read, members))
    expect(takesNoPartNow).toEqual([{ id: 'ann' }])
    const list = () => store.listDirectoryPeople(db().read, DIRECTORY)
    expect(await list()).toEqual([{ ...ANN, offAt: NOW }])
    const change = { ...ANN, userName: 'anna', deletedAt: NOW + 1 }
    await db().write((tx) => store.putDirectoryPerson(tx, 'usr_1', change))
    expect(await list()).toMatchObject([{ userName: 'anna', deletedAt: NOW + 1 }])
    expect(await store.isOfDirectory(db().read, 'ann')).toBe(true)
    await db().write((tx) => store.dropDirectoryPerson(tx, 'ann'))
    expect(await store.isOfDirectory(db().read, 'ann')).toBe(false)
    expect(await list()).toEqual([])
  })

  test('an id is that of one person, in the directories of one workspace', async () => {
    const find = (workspaceId: string, externalId: string) =>
      store.findByExternalId(db().read, workspaceId as `ws_${string}`, externalId)
    const at = { ...ANN, externalId: 'oid-1' }
    await db().write(async (tx) => {
      await store.addDirectory(tx, DIRECTORY)
      await store.addDirectoryPerson(tx, at)
    })
    expect([await find('ws_1', 'oid-1'), await find('ws_2', 'oid-1')]).toEqual(['ann', undefined])
    expect([await find('ws_1', 'OID-1'), await find('ws_1', '')]).toEqual([undefined, undefined])
    const bob = { ...at, id: 'usr_2', personId: 'bob', userName: 'bob' } as const
    await db().write((tx) => store.addDirectoryPerson(tx, bob))
    expect(await find('ws_1', 'oid-1')).toBeUndefined()
    await db().write((tx) => store.putDirectoryPerson(tx, 'usr_2', { ...bob, deletedAt: NOW }))
    expect(await find('ws_1', 'oid-1')).toBe('ann')
  })

  test('a token is switched off and on with its owner, and calls that it holds are told', async () => {
    const row = { id: 'key_1', workspaceId: 'ws_1', name: 'a', hash: 'k', tail: 't' } as const
    await db().write((tx) => addToken(tx, { ...row, test: false, createdAt: NOW }))
    await db().write((tx) => putTokenOff(tx, 'key_1', NOW))
    expect(await listEndedSince(db().read, NOW)).toEqual([{ id: 'key_1', why: 'off' }])
    await db().write((tx) => putTokenOff(tx, 'key_1', null))
    expect((await findToken(db().read, 'key_1'))?.offAt).toBeNull()
    expect(await listEndedSince(db().read, NOW)).toEqual([])
  })
})
