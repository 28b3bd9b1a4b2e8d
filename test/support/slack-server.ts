import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkBlocks, checkView, type Json } from './slack-limits.ts'

type SlackCall = { method: string; input: Json; authorization: string | undefined }

/** How a method answers; without a behaviour it does what Slack does. */
export type SlackBehaviour =
  | { error: string; needed?: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'lose'
  | 'break'

export type SlackServer = AsyncDisposable & {
  /** For BECKON_SLACK_API_URL. */
  apiUrl: string
  botToken: string
  signingSecret: string
  calls: SlackCall[]
  /** Messages as they are now, by `CHANNEL TS`. */
  messages: Map<string, { channel: string; ts: string; text: string; blocks: Json[] }>
  /** What was posted to response addresses: a word for one person. */
  whispers: Json[]
  views: Json[]
  /** What becomes of the next calls of a method; the last one stays until another is set. */
  behave(method: string, ...behaviour: SlackBehaviour[]): void
  of(method: string): SlackCall[]
  /** Signs as Slack does and sends to a server; `how` breaks it. */
  send(to: string, payload: unknown, how?: SendHow): Promise<Response>
  /** Presses the button with this label under the last message. */
  press(to: string, label: string, user?: Json): Promise<Response>
  /** Types into the last message with a field, and presses Enter. */
  type(to: string, text: string, user?: Json): Promise<Response>
  /** Fills in the last modal. */
  submit(to: string, values: Json, user?: Json): Promise<Response>
}

export type SendHow = { secret?: string; at?: number; signature?: string; body?: string }

export const ADA = { id: 'U0ADA', username: 'ada', name: 'ada', team_id: 'T0' }
const CHANNELS = new Map([
  ['#ops', 'C0OPS'],
  ['U0ADA', 'D0ADA'],
])
const UNKNOWN = 'C0NOWHERE'

/** A server on loopback that speaks Slack's Web API, with its limits and errors, and signs as it. */
export async function slackServer(): Promise<SlackServer> {
  const calls: SlackCall[] = []
  const messages: SlackServer['messages'] = new Map()
  const [whispers, views]: [Json[], Json[]] = [[], []]
  const behaviours = new Map<string, SlackBehaviour[]>()
  const botToken = 'xoxb-1234567890-test-token'
  const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5'
  let count = 0

  function does(method: string, input: Json): Json {
    if (method === 'auth.test') return { ok: true, team: 'Acme', user: 'beckon', team_id: 'T0' }
    if (method === 'views.open') {
      const wrong = input.trigger_id ? checkView(input.view as Json) : 'invalid_trigger_id'
      if (wrong) return { ok: false, error: wrong }
      views.push(input.view as Json)
      return { ok: true, view: { id: 'V1' } }
    }
    const wrong = checkBlocks((input.blocks ?? []) as Json[], 50)
    if (wrong)
      return { ok: false, error: 'invalid_blocks', response_metadata: { messages: [wrong] } }
    const name = String(input.channel)
    const channel = CHANNELS.get(name) ?? name
    if (channel === UNKNOWN || !/^[CD]/.test(channel))
      return { ok: false, error: 'channel_not_found' }
    const ts =
      method === 'chat.update' ? String(input.ts) : `1700000000.${String(++count).padStart(6, '0')}`
    const key = `${channel} ${ts}`
    if (method === 'chat.update' && !messages.has(key))
      return { ok: false, error: 'message_not_found' }
    messages.set(key, {
      channel,
      ts,
      text: String(input.text),
      blocks: (input.blocks ?? []) as Json[],
    })
    return { ok: true, channel, ts }
  }

  const server = createServer(async (request, response) => {
    const body = await read(request)
    const method = (request.url ?? '').replace(/^\/api\//, '')
    const input = JSON.parse(body || '{}') as Json
    if (method.startsWith('/respond/')) {
      whispers.push(input)
      return void response.end('ok')
    }
    const { authorization } = request.headers
    calls.push({ method, input, authorization })
    const queue = behaviours.get(method) ?? []
    const now = queue.length > 1 ? queue.shift() : queue[0]
    if (now === 'hang') return
    if (now === 'lose') does(method, input)
    if (now === 'lose') return void response.socket?.resetAndDestroy()
    if (now === 'break') {
      response.writeHead(200, { 'content-length': '999' }).write('{"ok":')
      return void setTimeout(() => response.socket?.resetAndDestroy(), 20)
    }
    if (now && 'status' in now)
      return void response.writeHead(now.status, now.headers).end(now.body)
    if (now) return answer(response, { ok: false, ...now })
    const isAuthorized = authorization === `Bearer ${botToken}`
    answer(response, isAuthorized ? does(method, input) : { ok: false, error: 'invalid_auth' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  function send(to: string, payload: unknown, how: SendHow = {}) {
    const body = how.body ?? new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    const timestamp = String(Math.floor((how.at ?? Date.now()) / 1_000))
    const hash = new Bun.CryptoHasher('sha256', how.secret ?? signingSecret)
    const signature = `v0=${hash.update(`v0:${timestamp}:${body}`).digest('hex')}`
    return fetch(`${to}/slack/interactions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': how.signature ?? signature,
      },
      body,
    })
  }

  return {
    ...{ apiUrl: `${origin}/api`, botToken, signingSecret },
    ...{ calls, messages, whispers, views, send },
    behave: (method, ...behaviour) => void behaviours.set(method, behaviour),
    of: (method) => calls.filter((call) => call.method === method),
    press(to, label, user = ADA) {
      const message = [...messages.values()].findLast(({ blocks }) => buttonIn(blocks, label))
      const button = message && buttonIn(message.blocks, label)
      if (!message || !button) throw new Error(`no message has a button ${label}`)
      const { channel, ts } = message
      const at = { channel: { id: channel }, message: { ts }, trigger_id: '1.2.3' }
      const responds = { response_url: `${origin}/respond/${ts}` }
      return send(to, { type: 'block_actions', user, ...at, ...responds, actions: [button] })
    },
    type(to, text, user = ADA) {
      const message = [...messages.values()].findLast(({ blocks }) => fieldIn(blocks))
      const field = message && fieldIn(message.blocks)
      if (!message || !field) throw new Error('no message has a field')
      const { channel, ts } = message
      const at = { channel: { id: channel }, message: { ts }, team: { id: 'T0' } }
      const { action_id, type } = field.element as Json
      const actions = [{ type, action_id, block_id: field.block_id, value: text }]
      const responds = { response_url: `${origin}/respond/${ts}` }
      return send(to, { type: 'block_actions', user, ...at, ...responds, actions })
    },
    submit(to, values, user = ADA) {
      const { callback_id, private_metadata } = views.at(-1) ?? {}
      const view = { callback_id, private_metadata, state: { values } }
      return send(to, { type: 'view_submission', user, view })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The block of a message that takes typed text. */
function fieldIn(blocks: Json[]): Json | undefined {
  return blocks.find(({ type }) => type === 'input')
}

/** The labels of the buttons of a message, in order. */
export function buttonsOf(blocks: Json[]): string[] {
  return allButtons(blocks).map(({ text }) => String((text as Json).text))
}

export function buttonIn(blocks: Json[], label: string): Json | undefined {
  return allButtons(blocks).find(({ text }) => (text as Json).text === label)
}

function allButtons(blocks: Json[]): Json[] {
  return blocks.flatMap((block) => (block.type === 'actions' ? (block.elements as Json[]) : []))
}

function answer(response: ServerResponse, json: Json) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
