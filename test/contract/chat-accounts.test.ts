import { expect, test } from 'bun:test'
import type { AccountCode, ChatAccount } from '../../src/ask/chat-accounts/model/account.ts'
import * as store from '../../src/ask/chat-accounts/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const ACCOUNT: ChatAccount = {
  ...{ service: 'telegram', account: '4711', workspaceId: 'ws_1', personId: 'ann' },
  ...{ label: 'Telegram @ann', createdAt: 1_000 },
}
const CODE: AccountCode = {
  ...{ service: 'telegram', account: '4711', workspaceId: 'ws_1', label: 'Telegram @ann' },
  ...{ hash: 'h1', personId: null, expiresAt: 9_000 },
}

type Of = { workspaceId?: 'ws_1' | 'ws_2'; now?: number }

onBothDatabases('accounts in chats', (db) => {
  const put = (account: Partial<ChatAccount> = {}) =>
    db().write((tx) => store.putAccount(tx, { ...ACCOUNT, ...account }))
  const find = (account = '4711') => store.findAccount(db().read, 'telegram', account)

  test('an account is one person’s, the first who proved it', async () => {
    expect(await store.hasAccounts(db().read, 'telegram')).toBe(false)
    expect(await put()).toBe(true)
    expect(await put({ label: 'Telegram @anna' })).toBe(true)
    expect(await put({ personId: 'ben' })).toBe(false)
    expect(await put({ workspaceId: 'ws_2' })).toBe(false)
    await put({ service: 'slack' })
    expect(await find()).toEqual({ ...ACCOUNT, label: 'Telegram @anna' })
    expect(await find('4713')).toBeUndefined()
    expect(await store.hasAccounts(db().read, 'telegram')).toBe(true)
    const list = (workspaceId: 'ws_1' | 'ws_2', personId?: string) =>
      store.listAccounts(db().read, { workspaceId, personId })
    await put({ account: '4712', personId: 'ben' })
    expect((await list('ws_1', 'ann')).map(({ service }) => service)).toEqual(['slack', 'telegram'])
    expect((await list('ws_1')).length).toBe(3)
    expect(await list('ws_2', 'ann')).toEqual([])
  })

  test('its person removes it, or an owner of its workspace, and it goes with them', async () => {
    await put()
    await put({ account: '2' })
    const drop = (account: string, personId?: string, workspaceId: 'ws_1' | 'ws_2' = 'ws_1') =>
      db().write((tx) => store.dropAccount(tx, { ...ACCOUNT, account, workspaceId }, personId))
    expect(await drop('4711', 'ben')).toBeUndefined()
    expect(await drop('4711', undefined, 'ws_2')).toBeUndefined()
    expect((await drop('4711', 'ann'))?.account).toBe('4711')
    expect((await drop('2'))?.account).toBe('2')
    await put()
    const leave = (workspaceId: 'ws_1' | 'ws_2') =>
      db().write((tx) => store.dropAccounts(tx, { workspaceId, personId: 'ann' }))
    await leave('ws_2')
    expect((await find())?.personId).toBe('ann')
    await leave('ws_1')
    expect(await find()).toBeUndefined()
  })

  test('a code is taken once, in its workspace, in its time, and a later one replaces it', async () => {
    const putCode = (code: Partial<AccountCode>, now = 1_000) =>
      db().write((tx) => store.putAccountCode(tx, { ...CODE, ...code }, now))
    const take = (hash: string, { workspaceId = 'ws_1', now = 2_000 }: Of = {}) =>
      db().write((tx) => store.takeAccountCode(tx, { hash, workspaceId }, now))
    const find = (hash: string, { workspaceId = 'ws_1', now = 2_000 }: Of = {}) =>
      store.findAccountCode(db().read, { hash, workspaceId }, now)
    await putCode({})
    expect(await find('h1', { workspaceId: 'ws_2' })).toBeUndefined()
    expect(await find('h1', { now: 9_000 })).toBeUndefined()
    expect(await find('h1')).toEqual(CODE)
    expect(await take('h1', { workspaceId: 'ws_2' })).toBeUndefined()
    expect(await take('h1', { now: 9_000 })).toBeUndefined()
    const both = await Promise.all([take('h1'), take('h1')])
    expect(both.filter(Boolean)).toEqual([CODE])
    await putCode({ hash: 'h2' })
    await putCode({ hash: 'h3' })
    expect(await take('h2')).toBeUndefined()
    expect((await take('h3'))?.hash).toBe('h3')
    await putCode({ hash: 'h4', personId: 'ann' })
    const leave = (workspaceId: 'ws_1' | 'ws_2', personId: string) =>
      db().write((tx) => store.dropCodesFor(tx, { workspaceId, personId }))
    await leave('ws_2', 'ann')
    await leave('ws_1', 'ben')
    expect(await find('h4')).toMatchObject({ personId: 'ann' })
    await leave('ws_1', 'ann')
    expect(await find('h4')).toBeUndefined()
  })

  test('a prompt is its account’s, until it is answered or old', async () => {
    const prompt = { ref: '4711 5', account: '4711', act: 'tell', subject: 'ses_1' } as const
    const putPrompt = (ref: string, now: number) =>
      db().write((tx) => store.putPrompt(tx, { ...prompt, ref, expiresAt: 9_000 }, now))
    const findPrompt = (account: string, now = 2_000) =>
      store.findPrompt(db().read, { ref: prompt.ref, account, now })
    await putPrompt(prompt.ref, 1_000)
    expect(await findPrompt('4712')).toBeUndefined()
    expect(await findPrompt('4711', 9_000)).toBeUndefined()
    expect(await findPrompt('4711')).toEqual({ ...prompt, expiresAt: 9_000 })
    await db().write((tx) => store.dropPrompt(tx, prompt.ref))
    expect(await findPrompt('4711')).toBeUndefined()
  })
})
