import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playUnfinished, type Unfinished } from './push-server.ts'

/** How the server answers one message; without one it publishes. */
export type NtfyBehaviour =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'publish'
  | 'hang'
  | 'reset'
  | Unfinished

type NtfyAction = {
  action: 'view' | 'http'
  label: string
  url: string
  method?: string
  clear?: boolean
}

export type Published = {
  topic: string
  title?: string
  message?: string
  priority?: number
  tags?: string[]
  click?: string
  actions?: NtfyAction[]
  icon?: string
  attach?: string
  sequence_id?: string
}

export type NtfyServer = AsyncDisposable & {
  origin: string
  /** What was published, in order. */
  published: Published[]
  /** Every request's body in bytes, whether or not it was published. */
  sizes: number[]
  authorizations: Array<string | undefined>
  /** Requests whose connection is still open. */
  open(): number
  /** Topics that want this header. */
  protect(topic: string, authorization: string): void
  /** What becomes of the next messages to a topic; the last one stays. */
  behave(topic: string, ...behaviour: NtfyBehaviour[]): void
}

const MESSAGE_MAX = 4_096
const ACTIONS_MAX = 3

/** A server on loopback that speaks ntfy's JSON publishing, with its limits and its errors. */
export async function ntfyServer(): Promise<NtfyServer> {
  const published: Published[] = []
  const sizes: number[] = []
  const authorizations: Array<string | undefined> = []
  const behaviours = new Map<string, NtfyBehaviour[]>()
  const guarded = new Map<string, string>()

  let open = 0

  const server = createServer(async (request, response) => {
    open++
    response.on('close', () => open--)
    const body = await read(request)
    const answer = (status: number, json: object, headers = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(json))
    if (request.method !== 'POST' || request.url !== '/') {
      return void answer(404, { code: 40401, http: 404, error: 'page not found' })
    }
    sizes.push(body.length)
    const { authorization } = request.headers
    authorizations.push(authorization)
    const message = JSON.parse(body.toString()) as Published
    const { topic } = message
    const queue = behaviours.get(topic) ?? []
    const now = queue.length > 1 ? queue.shift() : queue[0]
    if (now === 'hang') return
    if (now === 'reset') return void response.socket?.resetAndDestroy()
    if (now && now !== 'publish') {
      if ('ends' in now) return playUnfinished(now, response)
      return void response.writeHead(now.status, now.headers).end(now.body)
    }
    const wanted = guarded.get(topic)
    if (wanted !== undefined && wanted !== authorization) {
      return void answer(403, { code: 40301, http: 403, error: 'forbidden' })
    }
    const wrong = problem(message)
    if (wrong) return void answer(400, { code: 40000, http: 400, error: wrong })
    published.push(message)
    const time = Math.floor(Date.now() / 1_000)
    answer(200, { id: `m${published.length}`, time, event: 'message', ...message })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    published,
    sizes,
    authorizations,
    open: () => open,
    protect: (topic, authorization) => void guarded.set(topic, authorization),
    behave: (topic, ...behaviour) => void behaviours.set(topic, behaviour),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a real server refuses. */
function problem(message: Published): string | undefined {
  const { topic, actions = [], priority = 3, sequence_id: sequence = 'none' } = message
  if (!/^[-\w]{1,64}$/.test(topic)) return 'invalid request: topic invalid'
  if (![1, 2, 3, 4, 5].includes(priority)) return 'invalid priority parameter'
  if (actions.length > ACTIONS_MAX) return 'only 3 actions allowed'
  if (!/^[-\w]{1,64}$/.test(sequence)) return 'invalid request: sequence ID invalid'
  if (Buffer.byteLength(message.message ?? '') > MESSAGE_MAX) return 'message too long'
  if (actions.some(({ label, url }) => !label || !URL.canParse(url))) return 'invalid action'
  return undefined
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
