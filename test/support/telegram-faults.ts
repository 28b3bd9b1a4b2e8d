import type { TelegramBehaviour } from './telegram-server.ts'

/** What Telegram does with a message, and what has to become of it. */
export type TelegramFault = {
  answer: string
  plays: TelegramBehaviour[] | 'nobody listens' | 'a private address' | 'no token'
  /** The state and status of the row. */
  row: string
  /** Seconds until the next attempt, when Telegram says so; without it the usual ones. */
  again?: number
  sentence: string
  alarm?: 'raised'
}

const refusing = (error_code: number, description: string, more = {}) => [
  { status: error_code, body: { ok: false, error_code, description, ...more } },
]

const TOKEN = (status: number) =>
  `Telegram does not accept the bot token (${status}). Save the one that @BotFather shows under Settings, Telegram.`
const FEWER = 'Telegram asks for fewer messages (429).'
const NOT_TELEGRAM = (status: number) =>
  `What answered is not Telegram (${status}). Check BECKON_TELEGRAM_API_URL, and any proxy between this server and Telegram.`
const NO_CHAT = 'Telegram knows no such chat of this bot (400). Remove it and connect it again.'

export const TELEGRAM_FAULTS: TelegramFault[] = [
  {
    answer: '200 with `ok: true`',
    plays: [],
    row: 'accepted 200; the outcome later changes that message',
    sentence: 'last success',
  },
  {
    answer: '401 `Unauthorized`',
    plays: refusing(401, 'Unauthorized'),
    row: 'refused 401',
    sentence: TOKEN(401),
    alarm: 'raised',
  },
  {
    answer: '404 `Not Found`',
    plays: refusing(404, 'Not Found'),
    row: 'refused 404',
    sentence: TOKEN(404),
    alarm: 'raised',
  },
  {
    answer: '403 `Forbidden: bot was blocked by the user`',
    plays: refusing(403, 'Forbidden: bot was blocked by the user'),
    row: 'gone 403',
    sentence: 'forgotten: The bot was blocked or removed there (403).',
  },
  {
    answer: '403 `Forbidden: user is deactivated`',
    plays: refusing(403, 'Forbidden: user is deactivated'),
    row: 'gone 403',
    sentence: 'forgotten: The bot was blocked or removed there (403).',
  },
  {
    answer: '403 with other words',
    plays: refusing(403, 'Forbidden: not today'),
    row: 'refused 403',
    sentence: 'Telegram refused the message (403): Forbidden: not today',
  },
  {
    answer: '400 `Bad Request: chat not found`',
    plays: refusing(400, 'Bad Request: chat not found'),
    row: 'refused 400',
    sentence: NO_CHAT,
  },
  {
    answer: '400 about the address of the button, then 200 to one with the address in its text',
    plays: [
      ...refusing(400, "Bad Request: inline keyboard button URL 'x' is invalid"),
      { status: 200, body: { ok: true, result: { message_id: 1, chat: { id: 4_711 } } } },
    ],
    row: 'accepted 200',
    sentence: 'last success',
  },
  {
    answer: '400 with other words',
    plays: refusing(400, 'Bad Request: message is too long'),
    row: 'refused 400',
    sentence: 'Telegram refused the message (400): Bad Request: message is too long',
  },
  {
    answer: '429 with `retry_after: 7`',
    plays: refusing(429, 'Too Many Requests', { parameters: { retry_after: 7 } }),
    row: 'waiting 429',
    again: 7,
    sentence: FEWER,
  },
  {
    answer: '429, `Retry-After: 9`, no JSON',
    plays: [{ status: 429, headers: { 'retry-after': '9' } }],
    row: 'waiting 429',
    again: 9,
    sentence: FEWER,
  },
  {
    answer: '500, 502',
    plays: [{ status: 502, body: '<h1>Bad gateway</h1>' }],
    row: 'waiting 502',
    sentence: 'Telegram has trouble of its own (502).',
  },
  {
    answer: '302, or 200 with a page',
    plays: [{ status: 200, body: '<h1>Welcome</h1>' }],
    row: 'refused 200',
    sentence: NOT_TELEGRAM(200),
    alarm: 'raised',
  },
  {
    answer: '200, then silence or a reset in the middle of the body',
    plays: ['silence'],
    row: 'waiting 200',
    sentence: 'Telegram broke off its answer (200).',
  },
  {
    answer: 'connection refused',
    plays: 'nobody listens',
    row: 'waiting 0',
    sentence: 'Telegram was not reached. The connection failed (ECONNREFUSED).',
  },
  {
    answer: 'connection reset',
    plays: ['reset'],
    row: 'waiting 0',
    sentence: 'Telegram was not reached. The connection failed (ECONNRESET).',
  },
  {
    answer: 'no answer in 10 seconds',
    plays: ['hang'],
    row: 'waiting 0',
    sentence: 'Telegram was not reached. No answer came in time.',
  },
  {
    answer: 'an address of a private network that is not allowed',
    plays: 'a private address',
    row: 'refused 0',
    sentence:
      'This server must not reach the address of the Telegram API. Name its host in BECKON_ALLOW_PRIVATE_HOSTS, or correct BECKON_TELEGRAM_API_URL.',
    alarm: 'raised',
  },
  {
    answer: 'nothing is asked: no token is set any more',
    plays: 'no token',
    row: 'refused 0',
    sentence:
      'No Telegram bot is set up on this server any more. An owner saves its token under Settings, Telegram.',
  },
]
