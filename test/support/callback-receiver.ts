import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the receiver behaves towards one request. */
type Behaviour =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'reset'
  | 'flood'

/** One request as it arrived, byte for byte. */
export type Received = { path: string; headers: Record<string, string>; body: string }

export type CallbackReceiver = AsyncDisposable & {
  /** An address on it; each request takes the next behaviour, the last one stays. */
  url(path: string, ...behaviour: Behaviour[]): string
  received: Received[]
  at(path: string): Received[]
  mostOpen(): number
}

/** A server on loopback that plays what it is told and keeps what it is sent. */
export async function callbackReceiver(): Promise<CallbackReceiver> {
  const behaviours = new Map<string, Behaviour[]>()
  const received: Received[] = []
  let open = 0
  let mostOpen = 0
  const server = createServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    const headers = request.headers as Record<string, string>
    received.push({ path, headers, body: Buffer.concat(chunks).toString() })
    const queue = behaviours.get(path) ?? [{ status: 404 }]
    play((queue.length > 1 ? queue.shift() : queue[0]) ?? { status: 404 }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    at: (path) => received.filter((one) => one.path === path),
    mostOpen: () => mostOpen,
    url(path, ...behaviour) {
      behaviours.set(path, behaviour.length > 0 ? behaviour : [{ status: 204 }])
      return `http://127.0.0.1:${port}${path}`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const FLOOD_BYTES = 8 * 1024 * 1024

function play(behaviour: Behaviour, response: ServerResponse) {
  if (behaviour === 'hang') return
  if (behaviour === 'reset') return void response.socket?.resetAndDestroy()
  if (behaviour === 'flood') return void response.writeHead(200).end(Buffer.alloc(FLOOD_BYTES, 'x'))
  response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
}
