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
  ...{ hash: 'h1', expiresAt: 9_000 },
}

onBothDatabases('accounts in chats', (db) => {
  const put = (account: Partial<ChatAccount> = {}) =>
    db().write((tx) => store.putAccount(tx, { ...ACCOUNT, ...account }))
  const find = (account = '4711') => store.findAccount(db().read, 'telegram', account)

  test('an account is one person’s, the last who proved it', async () => {
    expect(await store.hasAccounts(db().read, 'telegram')).toBe(false)
    await put()
    await put({ personId: 'ben', label: 'Telegram @ben' })
    await put({ service: 'slack' })
    expect(await find()).toEqual({ ...ACCOUNT, personId: 'ben', label: 'Telegram @ben' })
    expect(await find('4712')).toBeUndefined()
    expect(await store.hasAccounts(db().read, 'telegram')).toBe(true)
    const list = (workspaceId: 'ws_1' | 'ws_2', personId: string) =>
      store.listAccounts(db().read, { workspaceId, personId })
    expect(await list('ws_1', 'ann')).toEqual([{ ...ACCOUNT, service: 'slack' }])
    expect(await list('ws_2', 'ann')).toEqual([])
  })

  test('only its person removes it, and it goes with them', async () => {
    await put()
    await put({ account: '2' })
    const drop = (personId: string) =>
      db().write((tx) => store.dropAccount(tx, { ...ACCOUNT, personId }))
    expect(await drop('ben')).toBeUndefined()
    expect((await drop('ann'))?.account).toBe('4711')
    await db().write((tx) => store.dropAccounts(tx, 'ann'))
    expect(await find('2')).toBeUndefined()
  })

  test('a code is taken once, in its workspace, in its time, and a later one replaces it', async () => {
    const putCode = (code: Partial<AccountCode>, now = 1_000) =>
      db().write((tx) => store.putAccountCode(tx, { ...CODE, ...code }, now))
    const take = (hash: string, more: { workspaceId?: 'ws_2'; now?: number } = {}) =>
      db().write((tx) =>
        store.takeAccountCode(tx, { hash, workspaceId: 'ws_1', now: 2_000, ...more }),
      )
    await putCode({})
    expect(await take('h1', { workspaceId: 'ws_2' })).toBeUndefined()
    expect(await take('h1', { now: 9_000 })).toBeUndefined()
    const both = await Promise.all([take('h1'), take('h1')])
    expect(both.filter(Boolean)).toEqual([CODE])
    await putCode({ hash: 'h2' })
    await putCode({ hash: 'h3' })
    expect(await take('h2')).toBeUndefined()
    expect((await take('h3'))?.hash).toBe('h3')
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
