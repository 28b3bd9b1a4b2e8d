import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
type TelegramCall = { method: string; token: string; input: Json }

/** How a method answers; without a behaviour it does what Telegram does. */
export type TelegramBehaviour =
  | { status: number; body?: Json | string; headers?: Record<string, string> }
  | 'hang'
  | 'reset'
  | 'silence'

export type TelegramServer = AsyncDisposable & {
  /** For BECKON_TELEGRAM_API_URL. */
  apiUrl: string
  token: string
  calls: TelegramCall[]
  /** Messages as they are now, by `CHAT MESSAGE`. */
  messages: Map<string, Json & { text: string }>
  /** What becomes of the next calls of a method; the last one stays until another is set. */
  behave(method: string, ...behaviour: TelegramBehaviour[]): void
  of(method: string): TelegramCall[]
  /** Somebody presses a button of the last message that has one of this text, or sends `data`. */
  press(text: string, more?: { from?: number; chat?: number; data?: string }): void
  /** Somebody replies to the last message of the bot. */
  reply(text: string, from?: number): void
  /** Somebody writes to the bot. */
  write(text: string, chat?: Json): void
}

export const ADA = { id: 4_711, type: 'private' }

/** A server on loopback that speaks the part of the Bot API that is used, with its limits and errors. */
export async function telegramServer(): Promise<TelegramServer> {
  const token = '123456789:AAExample-Token_of-the-tests_0123456'
  const calls: TelegramCall[] = []
  const messages: TelegramServer['messages'] = new Map()
  const behaviours = new Map<string, TelegramBehaviour[]>()
  const updates: Json[] = []
  let count = 0

  function does(method: string, input: Json): [number, Json] {
    if (method === 'getMe') return ok({ id: 123456789, is_bot: true, username: 'shop_bot' })
    if (method === 'getUpdates') {
      const from = Number(input.offset ?? 0)
      return ok(updates.filter(({ update_id }) => Number(update_id) >= from))
    }
    if (method === 'answerCallbackQuery') {
      const isLong = String(input.text ?? '').length > 200
      return isLong ? refusal(400, 'Bad Request: MESSAGE_TOO_LONG') : ok(true)
    }
    const wrong = wrongMessage(input)
    if (wrong) return refusal(400, wrong)
    const chat = Number(input.chat_id)
    if (chat === 404) return refusal(400, 'Bad Request: chat not found')
    const id = method === 'editMessageText' ? Number(input.message_id) : ++count
    const key = `${chat} ${id}`
    const message = messages.get(key)
    if (method === 'editMessageText') {
      if (!message) return refusal(400, 'Bad Request: message to edit not found')
      if (message.text === input.text) return refusal(400, UNCHANGED)
    }
    messages.set(key, { ...input, text: String(input.text) })
    return ok({ message_id: id, chat: { id: chat, type: 'private' }, text: input.text })
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [, urlToken = '', method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(request.url ?? '') ?? []
    const input = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json
    calls.push({ method, token: urlToken, input })
    const queue = behaviours.get(method) ?? []
    const behaviour = queue.length > 1 ? queue.shift() : queue[0]
    if (behaviour === 'hang') return
    if (behaviour === 'reset') return void request.socket.resetAndDestroy()
    if (behaviour === 'silence') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"ok":')
      setTimeout(() => request.socket.destroy(), 50)
      return
    }
    if (behaviour) {
      const { status, headers = {}, body = '' } = behaviour
      response.writeHead(status, headers)
      return void response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const [status, body] = urlToken === token ? does(method, input) : refusal(401, 'Unauthorized')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    apiUrl: `http://127.0.0.1:${port}`,
    ...{ token, calls, messages },
    behave: (method, ...behaviour) => void behaviours.set(method, behaviour),
    of: (method) => calls.filter((call) => call.method === method),
    press(text, { from = ADA.id, chat = from, data } = {}) {
      const button = [...messages.values()]
        .flatMap((message) => keyboardOf(message).flat())
        .findLast((one) => one.text === text)
      if (data === undefined && !button) throw new Error(`no message has a button ${text}`)
      const sender = { id: from, is_bot: false, first_name: 'Ada', username: 'ada' }
      const message = { message_id: 1, chat: { id: chat, type: 'private' } }
      const query = { id: String(updates.length), from: sender, message }
      const callback_query = { ...query, data: data ?? button?.callback_data }
      updates.push({ update_id: 1_000 + updates.length, callback_query })
    },
    reply(text, from = ADA.id) {
      const sender = { id: from, is_bot: false, first_name: 'Ada', username: 'ada' }
      const chat = { id: from, type: 'private' }
      const original = { message_id: count, chat }
      const message = { message_id: 1, chat, from: sender, text, reply_to_message: original }
      updates.push({ update_id: 1_000 + updates.length, message })
    },
    write(text, chat = ADA) {
      const from = { id: 4_711, is_bot: false, first_name: 'Ada', username: 'ada' }
      const message = { message_id: 1, date: Math.floor(Date.now() / 1_000), chat, from, text }
      updates.push({ update_id: 1_000 + updates.length, message })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The buttons under a message. */
export function keyboardOf({ reply_markup }: Json): Json[][] {
  const { inline_keyboard = [] } = (reply_markup ?? {}) as { inline_keyboard?: Json[][] }
  return inline_keyboard
}

const UNCHANGED = 'Bad Request: message is not modified: specified new message content is the same'

const ok = (result: unknown): [number, Json] => [200, { ok: true, result }]
const refusal = (error_code: number, description: string): [number, Json] => [
  error_code,
  { ok: false, error_code, description },
]

/** The limits of sendMessage: 4,096 UTF-16 units, entities inside the text, https buttons of real hosts. */
function wrongMessage({ text, entities, reply_markup }: Json): string | undefined {
  if (typeof text !== 'string' || text === '') return 'Bad Request: message text is empty'
  if (text.length > 4_096) return 'Bad Request: message is too long'
  for (const { offset, length } of (entities ?? []) as Array<Record<string, number>>) {
    if ((offset ?? 0) + (length ?? 0) > text.length) return 'Bad Request: entity is out of bounds'
  }
  for (const { url, callback_data } of keyboardOf({ reply_markup }).flat()) {
    if (Buffer.byteLength(String(callback_data ?? '')) > 64)
      return 'Bad Request: BUTTON_DATA_INVALID'
    if (callback_data !== undefined) continue
    const host = URL.parse(String(url))?.hostname ?? ''
    if (!host.includes('.')) {
      return `Bad Request: inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`
    }
  }
  return undefined
}
