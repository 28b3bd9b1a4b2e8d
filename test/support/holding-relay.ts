import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Stands before a service on loopback: passes every request on, and may keep the service's replies
 * to itself. So a service has taken what its client does not know it has taken.
 */
export type HoldingRelay = AsyncDisposable & {
  origin: string
  /** Replies of the service, whether or not they were passed back. */
  replied(): number
  /** From now on replies stay here. */
  hold(): void
  /** Those that are held are passed back to whoever still waits, and the next ones at once. */
  release(): void
}

export async function holdingRelay(to: string): Promise<HoldingRelay> {
  let replied = 0
  let gate: PromiseWithResolvers<void> | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host, connection, ...headers } = request.headers
    const reply = await fetch(to + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
    const body = await reply.bytes()
    replied++
    await gate?.promise
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    replied: () => replied,
    hold() {
      gate ??= Promise.withResolvers()
    },
    release() {
      gate?.resolve()
      gate = undefined
    },
    async [Symbol.asyncDispose]() {
      gate?.resolve()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
