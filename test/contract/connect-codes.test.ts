import { expect, test } from 'bun:test'
import * as store from '../../src/ask/subscribers/model/connect-code-store.ts'
import { onBothDatabases } from './both-databases.ts'

const CODE: store.ConnectCode = {
  ...{ hash: 'h1', workspaceId: 'ws_1', personId: 'ann', transport: 'telegram' },
  expiresAt: 100,
}

onBothDatabases('one-time codes', (db) => {
  const put = (code: Partial<store.ConnectCode>, now = 1) =>
    db().write((tx) => store.putConnectCode(tx, { ...CODE, ...code }, now))
  const take = (hash: string, now = 99, transport = 'telegram') =>
    db().write((tx) => store.takeConnectCode(tx, { hash, transport, now }))
  const waits = (now: number, transport = 'telegram') =>
    store.awaitsConnectCode(db().read, { transport, now })

  test('work once, in time, for their channel, and one for each person', async () => {
    expect(await waits(1)).toBe(false)
    await put({})
    await put({ hash: 'h2', personId: 'ben' })
    expect([await waits(99), await waits(100), await waits(99, 'other')]).toEqual([
      true,
      false,
      false,
    ])
    expect([await take('h1', 100), await take('h1', 99, 'other')]).toEqual([undefined, undefined])
    await put({ hash: 'h3' })
    expect(await take('h1')).toBeUndefined()
    expect(await take('h3')).toMatchObject({ personId: 'ann', workspaceId: 'ws_1' })
    expect(await take('h3')).toBeUndefined()
    await put({ hash: 'h4', expiresAt: 900 }, 500)
    expect(await take('h2')).toBeUndefined()
  })

  test('the connect codes of one person end in every channel, and those of others stay', async () => {
    await put({})
    await put({ hash: 'h2', transport: 'other' })
    await put({ hash: 'h3', personId: 'ben' })
    await db().write((tx) => store.dropConnectCodes(tx, 'ann'))
    expect([await take('h1'), await take('h2', 99, 'other')]).toEqual([undefined, undefined])
    expect(await take('h3')).toMatchObject({ personId: 'ben' })
  })
})
