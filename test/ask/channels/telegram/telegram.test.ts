import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ListenDeps, listenOnce } from '../../../../src/ask/channels/telegram/listen.ts'
import { addPerson } from '../../../../src/ask/people/people.ts'
import { listSubscribers } from '../../../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { createGuardedFetch } from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { type PageWorld, pageWorld } from '../../../support/page-world.ts'
import { signInAs } from '../../../support/sign-in.ts'
import { ADA, type TelegramServer, telegramServer } from '../../../support/telegram-server.ts'
import { until } from '../../../support/until.ts'

const logged: string[] = []
let telegram: TelegramServer
let world: PageWorld
let agent: string

beforeAll(async () => {
  telegram = await telegramServer()
  const log = createLog({ format: 'json', level: 'debug', write: (line) => logged.push(line) })
  const env = {
    BECKON_TELEGRAM_API_URL: telegram.apiUrl,
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  }
  world = await pageWorld({ env, log })
  const { workspaceId, db } = world
  agent = (await createToken({ db, clock }, { workspaceId, name: 'agent' })).token
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
})

const page = async (cookie?: string) => (await world.get('/settings/telegram', cookie)).text()
const devices = () => listSubscribers(world.db.read, world.workspaceId)

async function beginConnecting(cookie?: string): Promise<string> {
  const headers = cookie ? { cookie } : { cookie: world.cookie }
  const page = await (await world.post('/settings/telegram/connect', {}, headers)).text()
  return /https:\/\/t\.me\/shop_bot\?start=([0-9a-z]{32})"/.exec(page)?.[1] ?? ''
}

async function ask(more: object = {}) {
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Deploy?', wait: false, ...more }),
  })
  return (await response.json()) as { correlationId: string; delivery: object; noDevices?: true }
}

/** What the last message of a chat is now. */
const lastOf = () => [...telegram.messages.values()].at(-1)

test('a token that Telegram does not take is not kept, and a good one works at once', async () => {
  expect(await page()).toContain('@BotFather')
  for (const botToken of ['', 'short', `${telegram.token}x`]) {
    const wrong = await world.post('/settings/telegram', { botToken })
    expect(wrong.status).toBe(422)
    if (botToken) expect(await wrong.text()).not.toContain(`"${botToken}"`)
  }
  expect((await world.post('/settings/telegram', { botToken: telegram.token })).status).toBe(303)
  const text = await page()
  expect(text).toContain('The bot is @shop_bot.')
  expect(text).not.toContain(telegram.token.split(':')[1])
  expect(telegram.of('getUpdates')).toEqual([])
})

test('a person’s own link connects their own chat, once; the bot says so', async () => {
  const code = await beginConnecting()
  expect(code).toHaveLength(32)
  telegram.write('hello')
  telegram.write('/start')
  telegram.write(`/start ${'x'.repeat(32)}`, { id: 666, type: 'private' })
  telegram.write(`/start ${code}`, { id: -100, type: 'group' })
  telegram.write(`/start ${code}`)
  telegram.write(`/start ${code}`, { id: 667, type: 'private' })
  await until(async () => (await devices()).length > 0)
  await until(() => telegram.of('sendMessage').length >= 4)
  const [chat] = await devices()
  expect(chat).toMatchObject({
    ...{ kind: 'chat', transport: 'telegram', label: 'Telegram @ada' },
    endpoint: `${telegram.apiUrl}/#4711`,
  })
  const messages = telegram
    .of('sendMessage')
    .map(({ input }) => [input.chat_id, String(input.text)])
  expect(messages).toEqual([
    [666, expect.stringContaining('used already')],
    [-100, expect.stringContaining('private chats')],
    [4_711, expect.stringContaining('Connected.')],
    [667, expect.stringContaining('used already')],
  ])
  // Nobody is connecting any more: nothing is read.
  await until(async () => {
    const reads = telegram.of('getUpdates').length
    await Bun.sleep(1_000)
    return telegram.of('getUpdates').length === reads
  })
  expect(await page()).toContain('Telegram @ada')
})

test('a question is posted, answered by its link, and shows its outcome in the same chat', async () => {
  const posted = telegram.messages.size
  const result = await ask({ actionBody: 'rm -rf /secret/body' })
  expect([result.delivery, result.noDevices]).toEqual([
    expect.objectContaining({ web: 0, mobile: 0 }),
    undefined,
  ])
  await until(() => telegram.messages.size > posted)
  const message = lastOf()
  expect(message?.text).toContain('Deploy?')
  expect(message?.text).not.toContain('/secret/body')
  const path = /\/a\/[\w.-]+/.exec(JSON.stringify(message))?.[0] ?? ''
  // A preview changes nothing.
  for (let i = 0; i < 2; i++) expect((await fetch(world.url + path)).status).toBe(200)
  const form = new URLSearchParams({ value: 'no' })
  const answered = await fetch(world.url + path, { method: 'POST', body: form, redirect: 'manual' })
  expect(answered.status).toBeLessThan(400)
  await until(() => telegram.of('editMessageText').length > 0)
  await until(() => lastOf()?.text.startsWith('Answered: no') === true)
  expect(lastOf()?.reply_markup).toBeUndefined()
  const read = await world.get(`/api/v1/questions/${result.correlationId}`)
  expect(await read.text()).not.toContain('"answerSource":"mobile')
  const trail = await (await world.get('/api/v1/audit?kind=question.answered')).text()
  expect(trail).toContain('answer_link')
})

test('a question that the agent withdraws is not left open in the chat', async () => {
  const posted = telegram.messages.size
  const { correlationId } = await ask({ question: 'Never mind?' })
  await until(() => telegram.messages.size > posted)
  await fetch(`${world.url}/api/v1/questions/${correlationId}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: '{}',
  })
  await until(() => lastOf()?.text.startsWith('Withdrawn by the agent') === true)
})

test('a member connects a chat of their own, and cannot see or change the bot', async () => {
  const { db, workspaceId } = world
  const ben = { email: 'ben@example.org', name: 'Ben', role: 'member' } as const
  const { person } = await addPerson({ db, clock }, ben)
  const cookie = await signInAs(world.app, person.id)
  const text = await page(cookie)
  expect(text).toContain('Connect your chat')
  expect(text).not.toContain('botToken')
  const saved = await world.post('/settings/telegram', { botToken: telegram.token }, { cookie })
  expect(saved.status).toBe(403)
  const first = await beginConnecting(cookie)
  const code = await beginConnecting(cookie)
  telegram.write(`/start ${first}`, { id: 5, type: 'private' })
  telegram.write(`/start ${code}`, { id: 5, type: 'private' })
  await until(async () => (await devices()).length === 2)
  const people = (await listSubscribers(db.read, workspaceId)).map(({ personId }) => personId)
  expect(new Set(people).size).toBe(2)
})

test('somebody who blocked the bot is forgotten, and the audit trail says why', async () => {
  const body = { ok: false, description: 'Forbidden: bot was blocked by the user' }
  telegram.behave('sendMessage', { status: 403, body })
  await ask({ question: 'Still there?' })
  await until(async () => (await devices()).length === 0)
  telegram.behave('sendMessage')
  const trail = await (await world.get('/api/v1/audit?kind=device.removed')).text()
  expect(trail).toContain('blocked or removed')
})

test('an expired code connects nothing; another program that listens raises an alarm', async () => {
  const { db } = world
  const config = { botToken: telegram.token, apiUrl: telegram.apiUrl }
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const code = await beginConnecting()
  const later = { ...clock, now: () => clock.now() + 16 * 60_000 }
  telegram.write(`/start ${code}`, { id: 9, type: 'private' })
  const answers = { baseUrl: world.url } as ListenDeps['answers']
  const deps = { db, config, fetch, answers, holder: 'test', holdS: 0 }
  expect(await listenOnce({ ...deps, clock: later })).toBe(0)
  const body = { ok: false, description: 'Conflict: terminated by other getUpdates request' }
  telegram.behave('getUpdates', { status: 409, body })
  await until(async () =>
    (await (await world.get('/settings/devices')).text()).includes('another program reads'),
  )
  telegram.behave('getUpdates')
  await until(
    async () =>
      !(await (await world.get('/settings/devices')).text()).includes('another program reads'),
  )
})

test('without the token the chats are silent, and nothing ever said it', async () => {
  expect((await world.post('/settings/telegram/forget', {})).status).toBe(303)
  expect(await page()).not.toContain('The bot is')
  const secret = telegram.token.split(':')[1] ?? ''
  for (const path of ['/settings/devices', '/audit', '/api/v1/audit', '/settings/health']) {
    expect(await (await world.get(path)).text()).not.toContain(secret)
  }
  expect(logged.join('\n')).not.toContain(secret)
  expect(ADA.id).toBe(4_711)
})
