import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came from behind, to be changed on the way. */
export type Passing = {
  path: string
  status: number
  headers: Headers
  body: Uint8Array
  /** After so many bytes the connection is cut. */
  cutAt?: number
}

/** A server between two others: it counts, and does what `change` says. */
export type Relay = AsyncDisposable & {
  url: string
  /** Paths that were asked for, in order. */
  asked: string[]
  /** Of bodies, as they were sent. */
  bytes: number
  /** Undefined passes it on as it is. */
  change: ((passing: Passing) => Passing | undefined) | undefined
  reset(): void
}

const CUT_AFTER_MS = 300

export async function relayTo(target: string): Promise<Relay> {
  const relay = { asked: [] as string[], bytes: 0, change: undefined as Relay['change'] }
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    relay.asked.push(path)
    const tag = request.headers['if-none-match']
    const behind = await fetch(`${target}${path}`, {
      headers: { 'accept-encoding': 'identity', ...(tag ? { 'if-none-match': tag } : {}) },
      redirect: 'manual',
    })
    const { status, headers } = behind
    const passing: Passing = { path, status, headers, body: await behind.bytes() }
    const reply = relay.change?.(passing) ?? passing
    const forwarded = Object.fromEntries([...reply.headers].filter(([name]) => !OWN.has(name)))
    response.writeHead(reply.status, { ...forwarded, 'content-length': reply.body.length })
    if (reply.cutAt === undefined) {
      relay.bytes += reply.body.length
      response.end(reply.body)
    } else {
      response.write(reply.body.subarray(0, reply.cutAt))
      // What was sent is read before the cut is noticed.
      setTimeout(() => request.socket.end(), CUT_AFTER_MS)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(relay, {
    url: `http://127.0.0.1:${port}`,
    reset() {
      relay.asked = []
      relay.bytes = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

const OWN = new Set(['content-length', 'connection', 'transfer-encoding', 'date'])
