import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  createTelegram,
  TEXT_MAX,
  writeMessage,
} from '../../../../src/ask/channels/telegram/channel.ts'
import type { Message } from '../../../../src/ask/delivery/model/channel.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import {
  createGuardedFetch,
  type GuardedFetch,
} from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from '../../../support/devices.ts'
import { type FlowWorld, flowWorld } from '../../../support/flow-world.ts'
import { CORPUS } from '../../../support/hostile-corpus.ts'
import { aMessage, questionId, quickAnswerSecret } from '../../../support/post-office.ts'
import { TELEGRAM_FAULTS, type TelegramFault } from '../../../support/telegram-faults.ts'
import { type TelegramServer, telegramServer } from '../../../support/telegram-server.ts'

const baseUrl = 'https://beckon.example.com'

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type How = { apiUrl?: string; botToken?: string | undefined; allow?: boolean; base?: string }

function channelAt(server: TelegramServer, how: How = {}) {
  const { apiUrl = server.apiUrl, allow = true, base = baseUrl } = how
  const guard = createGuardedFetch(allow ? { allowPrivateHosts: ['127.0.0.1'] } : {})
  // So that a hang costs the test no ten seconds.
  const fetch: GuardedFetch['fetch'] = (url, request) =>
    guard.fetch(url, { ...request, timeoutMs: 300 })
  const botToken = 'botToken' in how ? how.botToken : server.token
  const channel = createTelegram({
    ...{ config: { botToken, apiUrl }, read: world.db.read, fetch, clock },
    ...{ baseUrl: base, quickAnswerSecret, sessionOf: async () => undefined },
  })
  return (more: Partial<Message> = {}, endpoint = `${server.apiUrl}/#4711`) => {
    const device = aDevice({ id: 'sub_tg', kind: 'chat', transport: 'telegram', endpoint })
    const delivery = { message: aMessage(more), subjectId: questionId, expiresAt: 10 ** 14 }
    return channel.send(delivery, device, new AbortController().signal)
  }
}

function howOf(plays: TelegramFault['plays'], server: TelegramServer): How {
  if (plays === 'nobody listens') return { apiUrl: 'http://127.0.0.1:9' }
  if (plays === 'a private address') return { allow: false }
  if (plays === 'no token') return { botToken: undefined }
  server.behave('sendMessage', ...plays)
  return {}
}

test.each(TELEGRAM_FAULTS.map((fault) => [fault.answer, fault] as const))(
  'what Telegram answers is a receipt that says so: %s',
  async (_answer, { plays, row, again, sentence, alarm }) => {
    await using server = await telegramServer()
    const got = await channelAt(server, howOf(plays, server))()
    const [, state = '', status] = /^(\w+) (\d+)/.exec(row) ?? []
    const outcome = state === 'waiting' ? 'later' : state
    expect(got).toMatchObject({ outcome, status: Number(status) })
    if ('reason' in got) expect(sentence.replace('forgotten: ', '')).toBe(got.reason)
    else expect(got).toMatchObject({ ref: '4711 1' })
    expect('alarm' in got).toBe(alarm === 'raised')
    const wait = got.outcome === 'later' ? got.retryAfterMs : undefined
    expect(wait).toBe(again === undefined ? undefined : again * 1_000)
    expect(JSON.stringify(got)).not.toContain(server.token)
  },
)

test('a redirect is not followed, and a token that is repeated is not told', async () => {
  await using server = await telegramServer()
  server.behave('sendMessage', { status: 302, headers: { location: 'http://127.0.0.1:1/' } })
  expect(await channelAt(server)()).toMatchObject({ outcome: 'refused', status: 302 })
  const description = `Bad Request: /bot${server.token}/sendMessage`
  server.behave('sendMessage', { status: 400, body: { ok: false, description } })
  const got = await channelAt(server)()
  expect(got).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('/bot…/') })
})

test('a question has its words, a bold title and one button with an answer link', async () => {
  await using server = await telegramServer()
  const question = { correlationId: questionId, type: 'confirm', quick: true } as const
  await channelAt(server)({ title: 'Claude asks', body: 'Deploy <b>now</b>?', question })
  const [message] = [...server.messages.values()]
  expect(message).toMatchObject({
    chat_id: 4_711,
    text: 'Claude asks\n\nDeploy <b>now</b>?',
    entities: [{ type: 'bold', offset: 0, length: 11 }],
    link_preview_options: { is_disabled: true },
  })
  expect(message?.parse_mode).toBeUndefined()
  const markup = message?.reply_markup as { inline_keyboard: object[][] } | undefined
  const inline_keyboard = markup?.inline_keyboard ?? []
  expect(inline_keyboard).toHaveLength(1)
  expect(inline_keyboard[0]).toEqual([
    {
      text: 'Read and answer',
      url: expect.stringMatching(/^https:\/\/beckon\.example\.com\/a\/[\w.-]+$/),
    },
  ])
})

test('where Telegram takes no button for the address, the address is in the text', async () => {
  await using server = await telegramServer()
  const question = { correlationId: questionId, type: 'confirm', quick: true } as const
  const send = channelAt(server, { base: 'http://localhost:8484' })
  expect(await send({ question })).toMatchObject({ outcome: 'accepted' })
  const [message] = [...server.messages.values()]
  expect(message?.text).toMatch(/\n\nRead and answer: http:\/\/localhost:8484\/a\/[\w.-]+$/)
  expect(message?.reply_markup).toBeUndefined()
})

test('no text is too long, and none is markup: the limit is in UTF-16 units', async () => {
  await using server = await telegramServer()
  const send = channelAt(server)
  const about = { baseUrl, quickAnswerSecret, deviceId: 'sub_tg' } as const
  for (const text of ['a', '\u4e2d', '👩‍👩‍👧', '<&>', '_*[]()~`>#+-=|{}.!\\'].map((one) =>
    one.repeat(5_000),
  )) {
    for (const more of [
      { title: text, body: text },
      { title: 'A', body: text },
    ]) {
      for (const how of ['button', 'bare'] as const) {
        const written = writeMessage(aMessage(more), about, how)
        expect(written.text.length).toBeLessThanOrEqual(TEXT_MAX)
        expect(written.text.isWellFormed()).toBe(true)
      }
      expect(await send(more)).toMatchObject({ outcome: 'accepted' })
    }
  }
  const whole = writeMessage(
    aMessage({ title: 'A', body: '\u4e2d'.repeat(4_000) }),
    about,
    'button',
  )
  expect(whole.text.length).toBe(4_003)
})

test('hostile text arrives as it is, less what cannot be seen', async () => {
  await using server = await telegramServer()
  const send = channelAt(server)
  for (const text of CORPUS) {
    const got = await send({ title: text, body: text })
    expect([text, got.outcome]).toEqual([text, 'accepted'])
  }
  for (const { text } of server.messages.values()) expect(text).not.toContain('\u202e')
})

test('the address of a chat is checked before anything is sent', async () => {
  await using server = await telegramServer()
  for (const endpoint of [
    'https://api.telegram.org/',
    'https://api.telegram.org/#x',
    'mailto:a@b',
  ]) {
    expect(await channelAt(server)({}, endpoint)).toMatchObject({ outcome: 'refused', status: 0 })
  }
  expect(server.calls).toEqual([])
})
