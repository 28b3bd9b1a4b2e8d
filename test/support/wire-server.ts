import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Answers one request, byte for byte; `request` is its first piece as it came. */
export type Wire = (socket: Socket, request: string) => void

export type WireServer = AsyncDisposable & {
  origin: string
  port: number
  /** How often somebody connected, whatever came of it. */
  connections(): number
  /** The first piece of every request. */
  requests: string[]
  /** What a path answers from now on; without a path every one that has no answer of its own. */
  play(wire: Wire, path?: string): void
}

/** A server below HTTP, which may say anything: it counts connections and plays bytes. */
export async function wireServer(host = '127.0.0.1', at = 0): Promise<WireServer> {
  const wires = new Map<string, Wire>()
  const sockets = new Set<Socket>()
  const requests: string[] = []
  let connections = 0
  let otherwise: Wire = plainly(404, 'nothing here')

  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let heard = false
    socket.on('data', (data) => {
      const request = data.toString('latin1')
      const path = /^[A-Z]+ ([^ ?]*)/.exec(request)?.[1]
      // A later piece of a long one; who speaks of something else than HTTP is not understood.
      if (path === undefined) return void (heard || socket.destroy())
      heard = true
      requests.push(request)
      const wire = wires.get(path) ?? otherwise
      wire(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(at, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    connections: () => connections,
    requests,
    play(wire, path) {
      if (path === undefined) otherwise = wire
      else wires.set(path, wire)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An ordinary answer. */
export function plainly(status: number, body: string, headers: Record<string, string> = {}): Wire {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return (socket) =>
    socket.write(`HTTP/1.1 ${status} Said\r\n${length}${lines.join('')}\r\n${body}`)
}
