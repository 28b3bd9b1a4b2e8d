import { randomBytes, randomUUID } from 'node:crypto'

/** A stand-in for Mozilla's push service: Firefox on a WebSocket, the senders over HTTP. */
export type Autopush = AsyncDisposable & {
  /** For Firefox's preference `dom.push.serverURL`. */
  socketUrl: string
  /** VAPID keys that subscriptions were made for. */
  registeredFor: string[]
  /** Pushes that Firefox acknowledged. */
  acknowledged(): number
}

type Wire = {
  messageType?: string
  channelID?: string
  key?: string
  updates?: unknown[]
}

/** Speaks the part of the autopush protocol that a browser needs: hello, register, notification. */
export function autopush(): Autopush {
  const channels = new Map<string, { channelID: string; socket: Bun.ServerWebSocket<undefined> }>()
  const registeredFor: string[] = []
  let acknowledged = 0

  function answer(socket: Bun.ServerWebSocket<undefined>, wire: Wire): object | undefined {
    switch (wire.messageType) {
      case 'hello':
        return {
          messageType: 'hello',
          uaid: randomUUID().replaceAll('-', ''),
          status: 200,
          use_webpush: true,
          broadcasts: {},
        }
      case 'register': {
        const { channelID = '', key = '' } = wire
        const name = randomBytes(12).toString('hex')
        channels.set(name, { channelID, socket })
        registeredFor.push(key)
        const pushEndpoint = `${origin}/push/${name}`
        return { messageType: 'register', channelID, status: 200, pushEndpoint }
      }
      case 'unregister':
        return { messageType: 'unregister', channelID: wire.channelID, status: 200 }
      case 'ack':
        acknowledged += wire.updates?.length ?? 0
        return undefined
      case 'ping':
        return {}
      default:
        return undefined
    }
  }

  const server = Bun.serve<undefined>({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, self): Promise<Response | undefined> {
      const { pathname } = new URL(request.url)
      if (request.headers.get('upgrade') === 'websocket') {
        const headers = { 'sec-websocket-protocol': 'push-notification' }
        if (self.upgrade(request, { headers })) return undefined
      }
      const channel = channels.get(pathname.replace('/push/', ''))
      if (!channel) return new Response(null, { status: 404 })
      const data = Buffer.from(await request.arrayBuffer()).toString('base64url')
      const { channelID, socket } = channel
      const headers = { encoding: request.headers.get('content-encoding') ?? '' }
      const version = randomUUID()
      const message = { messageType: 'notification', channelID, version, ttl: 60, data, headers }
      socket.send(JSON.stringify(message))
      return new Response(null, { status: 201, headers: { location: `${origin}/m/${version}` } })
    },
    websocket: {
      message(socket, text) {
        const reply = answer(socket, JSON.parse(String(text)) as Wire)
        if (reply) socket.send(JSON.stringify(reply))
      },
    },
  })
  const origin: string = `http://127.0.0.1:${server.port}`

  return {
    socketUrl: `ws://127.0.0.1:${server.port}/`,
    registeredFor,
    acknowledged: () => acknowledged,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}
