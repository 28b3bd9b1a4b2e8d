import { createECDH, type ECDH, randomBytes, webcrypto } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPush } from './open-push.ts'

/** How the service behaves towards one subscription. */
export type Behaviour =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'reset'
  | Unfinished

/** Answers with this status and begins a body that goes on for ever, stops, or breaks off. */
export type Unfinished = { status: number; ends: 'never' | 'silence' | 'reset'; body?: string }

/** One push as it arrived. */
export type Delivered = {
  name: string
  headers: Record<string, string>
  /** The decrypted payload. */
  payload: {
    web_push: number
    mutable: boolean
    notification: Record<string, unknown> & { data: Record<string, unknown> }
  }
  bytes: number
  status: number | undefined
}

/** What a device keeps to itself. */
export type DeviceKeys = { ua: ECDH; auth: Buffer }
type Subscription = DeviceKeys & { behaviour: Behaviour[] }

/** A real push service on loopback that plays what it is told and reads what it is sent. */
export async function pushServer(): Promise<PushServer> {
  const subscriptions = new Map<string, Subscription>()
  const delivered: Delivered[] = []
  let open = 0
  let mostOpen = 0
  let heard = () => {}

  const server = createServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open)
    response.on('close', () => open--)
    const name = (request.url ?? '').slice('/push/'.length)
    const subscription = subscriptions.get(name)
    if (!subscription) return void response.writeHead(404).end()
    const body = await read(request)
    const { behaviour } = subscription
    const now = behaviour.length > 1 ? behaviour.shift() : behaviour[0]
    const status = typeof now === 'object' ? now.status : undefined
    const payload = decrypt(body, subscription)
    const headers = request.headers as Record<string, string>
    delivered.push({ name, headers, payload, bytes: body.length, status })
    heard()
    play(now ?? { status: 201 }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    delivered,
    mostOpen: () => mostOpen,
    open: () => open,
    subscribe(name, ...behaviour) {
      const keys = deviceKeys()
      subscriptions.set(name, {
        ...keys,
        behaviour: behaviour.length ? behaviour : [{ status: 201 }],
      })
      return { endpoint: `http://127.0.0.1:${port}/push/${name}`, keys: shownKeys(keys) }
    },
    async until(count) {
      while (delivered.length < count) await new Promise<void>((resolve) => (heard = resolve))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type PushServer = AsyncDisposable & {
  origin: string
  delivered: Delivered[]
  /** The most requests that were open at one time. */
  mostOpen(): number
  /** Requests whose connection is still open. */
  open(): number
  /** A new subscription; each push takes the next behaviour, the last one stays. */
  subscribe(
    name: string,
    ...behaviour: Behaviour[]
  ): { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Resolves when this many pushes have arrived. */
  until(count: number): Promise<void>
}

export function deviceKeys(): DeviceKeys {
  const ua = createECDH('prime256v1')
  ua.generateKeys()
  return { ua, auth: randomBytes(16) }
}

/** The half of the keys that a server is given. */
export function shownKeys({ ua, auth }: DeviceKeys) {
  return { p256dh: ua.getPublicKey('base64url'), auth: auth.toString('base64url') }
}

export function decrypt(body: Buffer, keys: DeviceKeys): Delivered['payload'] {
  return JSON.parse(openPush(body, keys))
}

function play(behaviour: Behaviour, response: ServerResponse) {
  if (behaviour === 'hang') return
  if (behaviour === 'reset') return void response.socket?.resetAndDestroy()
  if ('ends' in behaviour) return playUnfinished(behaviour, response)
  response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
}

export function playUnfinished({ status, ends, body }: Unfinished, response: ServerResponse) {
  response.writeHead(status, { 'Content-Length': ends === 'never' ? 1e12 : 100_000 })
  response.write(body ?? 'x'.repeat(10))
  if (ends === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 20)
  if (ends !== 'never') return
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384))) {}
  }
  response.on('drain', more)
  more()
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The claims of a VAPID header whose signature is good for the key it names (RFC 8292). */
export async function readVapid(
  authorization: string,
): Promise<{ claims: { aud: string; exp: number; sub: string }; key: string }> {
  const [, jwt = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = jwt.split('.')
  const publicKey = await webcrypto.subtle.importKey(
    'raw',
    Buffer.from(key, 'base64url'),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  )
  const good = await webcrypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    Buffer.from(signature, 'base64url'),
    Buffer.from(`${head}.${claims}`),
  )
  if (!good) throw new Error('the VAPID signature is not good')
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}
