import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playUnfinished, type Unfinished } from './push-server.ts'

/** One request as it came. */
type VendorRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** How a vendor answers one request. */
export type VendorAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | Unfinished
  /** Takes the request and says nothing. */
  | 'hang'
  | 'reset'
  /** A byte now and then, of a head that never ends. */
  | 'drip'
  /** Events for ever, none of them an answer. */
  | 'events'

type Answers = VendorAnswer | ((request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>)

export type VendorServer = AsyncDisposable & {
  origin: string
  port: number
  /** Every request, in order. */
  requests: VendorRequest[]
  /** The most that were under way at one time. */
  mostOpen(): number
  /** What becomes of requests for a path from now on; 404 for others. */
  on(path: string, answer: Answers): void
}

/** A vendor on loopback that plays what it is told, well-behaved or not. */
export async function vendorServer(host = '127.0.0.1'): Promise<VendorServer> {
  const answers = new Map<string, Answers>()
  const requests: VendorRequest[] = []
  const timers = new Set<ReturnType<typeof setInterval>>()
  let open = 0
  let mostOpen = 0

  const server = createServer(async (incoming, response) => {
    mostOpen = Math.max(mostOpen, ++open)
    response.on('close', () => open--)
    const { method = '', url = '', headers } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const answer = answers.get(url.split('?')[0] ?? '') ?? { status: 404 }
    play(typeof answer === 'function' ? await answer(request) : answer, response)
  })

  function play(answer: VendorAnswer, response: ServerResponse) {
    if (answer === 'hang') return
    if (answer === 'reset') return void response.socket?.resetAndDestroy()
    if (answer === 'drip') return drip(response, 'HTTP/1.1 200 OK\r\nX-Slow: ', 'x')
    if (answer === 'events') return events(response)
    if ('ends' in answer) return playUnfinished(answer, response)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  function drip({ socket }: ServerResponse, head: string, byte: string) {
    socket?.write(head)
    again(() => socket?.write(byte), 20)
  }

  function events(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    again(() => response.write(': still here\n\ndata: {"hello": 1}\n\n'), 10)
  }

  function again(work: () => void, ms: number) {
    timers.add(setInterval(work, ms))
  }

  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    port,
    requests,
    mostOpen: () => mostOpen,
    on: (path, answer) => void answers.set(path, answer),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An MCP endpoint without sessions that lists `tools`; `pageSize` at a time. */
export function playMcp(tools: readonly object[], pageSize = 100): Answers {
  return ({ method, body }) => {
    if (method !== 'POST') return { status: 405 }
    const message = JSON.parse(body) as Message
    if (message.id === undefined) return { status: 202 }
    const json = (result: object) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: message.id, ...result }),
    })
    if (message.method === 'ping') return json({ result: {} })
    if (message.method === 'initialize') {
      const { protocolVersion } = message.params ?? {}
      return json({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: {} } })
    }
    if (message.method !== 'tools/list') return json({ error: { code: -32601, message: 'No.' } })
    const from = Number(message.params?.cursor ?? 0)
    const next = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {}
    return json({ result: { tools: tools.slice(from, from + pageSize), ...next } })
  }
}

type Message = {
  id?: number
  method: string
  params?: { cursor?: string; protocolVersion?: string }
}
