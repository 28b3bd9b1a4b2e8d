import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readSessions } from '../../../../src/ask/presence/read-sessions.ts'
import { findQuestion } from '../../../../src/ask/questions/model/store.ts'
import { listSubscribers } from '../../../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { listInstructions } from '../../../../src/ask/turns/model/instruction-store.ts'
import type { QuestionId } from '../../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../../support/sign-in.ts'
import {
  keyboardOf,
  type TelegramServer,
  telegramServer,
} from '../../../support/telegram-server.ts'
import { until } from '../../../support/until.ts'

let telegram: TelegramServer
let world: PageWorld
let agent: string

beforeAll(async () => {
  telegram = await telegramServer()
  const env = {
    BECKON_TELEGRAM_API_URL: telegram.apiUrl,
    BECKON_TELEGRAM_BOT_TOKEN: telegram.token,
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  }
  world = await pageWorld({ env })
  const { workspaceId, db } = world
  agent = (await createToken({ db, clock }, { workspaceId, name: 'agent' })).token
  const page = await (await world.post('/settings/telegram/connect', {})).text()
  telegram.write(`/start ${/\?start=([0-9a-z]{32})"/.exec(page)?.[1]}`)
  // The bot says so once the chat is stored.
  await until(() => last()?.text.startsWith('Connected') === true)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
})

const chats = () => listSubscribers(world.db.read, world.workspaceId)
const last = () => [...telegram.messages.values()].at(-1)
const labels = () => keyboardOf(last() ?? {}).map((row) => row.map(({ text }) => text))

async function call(path: string, body: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { correlationId: QuestionId }
}

let asks = 0
/** Asks, and waits until the chat has it. */
async function ask(more: object = {}) {
  const posted = telegram.messages.size
  const words = { question: `Is this number ${++asks}?`, wait: false }
  const { correlationId } = await call('/questions', { ...words, ...more })
  await until(() => telegram.messages.size > posted)
  const question = () => findQuestion(world.db.read, world.workspaceId, correlationId)
  return { id: correlationId, question, status: async () => (await question())?.status }
}

/** What the bot answers to a press, once it does. */
async function pressed(text: string, more?: { from?: number; chat?: number; data?: string }) {
  const before = telegram.of('answerCallbackQuery').length
  telegram.press(text, more)
  await until(() => telegram.of('answerCallbackQuery').length > before)
  return telegram.of('answerCallbackQuery').at(-1)?.input.text as string | undefined
}

/** What the bot says to a reply. */
async function replied(text: string) {
  const before = telegram.messages.size
  telegram.reply(text)
  await until(() => telegram.messages.size > before)
  return last()?.text
}

test('a chat has no answers before its account is linked', async () => {
  await ask()
  expect(labels()).toEqual([])
})

test('a link that only the chat shows links the account, once, to the person of the chat', async () => {
  const [chat] = await chats()
  const response = await world.post('/settings/telegram/answer', { id: chat?.id ?? '' })
  expect(await response.text()).toContain('The link was sent to the chat')
  const path = /\/settings\/chat-accounts\/link\/\w{32}/.exec(last()?.text ?? '')?.[0] ?? ''
  const who = { email: 'ben@example.org', name: 'Ben', role: 'member' } as const
  const ben = await addPersonWithPassword({ db: world.db, clock }, who)
  const cookie = await signInAs(world.app, ben.id)
  for (const theirs of [await world.get(path, cookie), await world.post(path, {}, { cookie })]) {
    const isFor = (await theirs.text()).includes('This link is for Mara Lindqvist')
    expect([theirs.status, isFor]).toEqual([403, true])
  }
  expect(await (await world.get(path)).text()).toContain('Link Telegram @ada to Mara Lindqvist?')
  expect((await world.post(path, {})).status).toBe(303)
  expect((await world.post(path, {})).status).toBe(410)
  expect(await (await world.get('/settings/chat-accounts')).text()).toContain('Telegram @ada')
  const nobodys = await world.post('/settings/telegram/answer', { id: 'sub_none' })
  expect(nobodys.status).toBe(404)
})

test('a yes in the chat is the person’s, and the source says where', async () => {
  const [chat] = await chats()
  const { question, status } = await ask()
  expect(labels()).toEqual([
    ['Yes', 'No'],
    ['Yes, with a note…', 'No, with a note…'],
  ])
  expect(await pressed('Yes')).toBe('Answered.')
  expect(await question()).toMatchObject({
    ...{ status: 'answered', value: 'yes', answerSource: 'telegram', answeredBy: chat?.personId },
  })
  await until(() => telegram.of('editMessageText').length > 0)
  expect(labels()).toEqual([])
  expect(await status()).toBe('answered')
})

test('what the message does not show whole, or needs a second look, has no yes, and none is taken', async () => {
  for (const more of [{ actionBody: 'a very long body' }, { action: 'rm -rf build' }]) {
    const { id, status } = await ask(more)
    expect(labels()).toEqual([])
    for (const data of [`yes ${id}`, `no ${id}`, `yes+ ${id}`])
      expect(await pressed('', { data })).toContain('not answered with a button')
    expect(await status()).toBe('pending')
  }
})

test('somebody else, another chat and made-up buttons answer nothing', async () => {
  const { id, status } = await ask()
  const data = `yes ${id}`
  expect(await pressed('', { data, from: 666 })).toContain('not linked')
  expect(await pressed('', { data, chat: -100 })).toContain('not linked')
  expect(await pressed('', { data: 'yes q_none' })).toContain('no longer kept')
  expect(await pressed('', { data: 'tell ses_none' })).toContain('Nothing was done')
  expect(await pressed('', { data: `tell+ ${id}` })).toContain('Nothing was done')
  expect(await status()).toBe('pending')
})

test('a note and a typed answer are replies to what the bot asks', async () => {
  const no = await ask()
  expect(await pressed('No, with a note…')).toBeUndefined()
  await until(() => last()?.text.startsWith('Reply to this message') === true)
  expect(last()?.reply_markup).toEqual({ force_reply: true })
  expect(await replied('Not on a Friday.')).toBe('Answered.')
  expect(await no.question()).toMatchObject({ value: 'no', note: 'Not on a Friday.' })
  const typed = await ask({ type: 'input' })
  expect(labels()).toEqual([['Answer…']])
  await pressed('Answer…')
  await until(() => last()?.text.startsWith('Reply to this message') === true)
  expect(await replied('blue')).toBe('Answered.')
  expect(await typed.question()).toMatchObject({ value: 'blue', answerSource: 'telegram' })
})

test('words for a session whose turn has ended wait for it, and commands are refused', async () => {
  const posted = telegram.messages.size
  const turn = { event: 'ended', outcome: 'finished', sessionId: 's1', machineId: 'm1' }
  const facts = { durationMs: 900_000, idleMs: 900_000, lastWords: 'Tests are green.' }
  await call('/turns/claude', { ...turn, ...facts, agentName: 'Claude Code - shop' })
  await until(() => telegram.messages.size > posted)
  expect(last()?.text).toContain('Tests are green.')
  expect(labels()).toEqual([['Tell it what to do next…']])
  await pressed('Tell it what to do next…')
  await until(() => last()?.text.startsWith('Reply to this message') === true)
  const prompt = telegram.messages.size
  expect(await replied('/compact')).toContain('Nothing was sent')
  // The prompt is still open, so that the person can say it otherwise.
  const { db, workspaceId } = world
  const [seen] = await readSessions({ db, clock }, { workspaceId })
  const list = () => listInstructions(db.read, { workspaceId }, seen?.session.id ?? 'ses_none', 9)
  expect(await list()).toEqual([])
  telegram.press('Tell it what to do next…')
  await until(() => telegram.messages.size > prompt + 1)
  expect(await replied('now the docs')).toContain('It waits for the agent')
  expect(await list()).toMatchObject([{ text: 'now the docs', via: 'telegram', state: 'waiting' }])
})

test('an account that was removed answers nothing any more', async () => {
  const { id, status } = await ask()
  const account = { service: 'telegram', account: '4711' }
  expect((await world.post('/settings/chat-accounts/remove', account)).status).toBe(303)
  telegram.press('', { data: `yes ${id}` })
  // Nobody answers in a chat now, so nothing is read.
  await Bun.sleep(1_500)
  expect(await status()).toBe('pending')
})
