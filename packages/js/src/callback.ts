/** The body of a callback; see docs/callbacks.md. */
export type CallbackEvent = {
  id: string
  type: string
  correlationId: string
  question: string
  questionType: string
  value: string
  note?: string
  answerSource?: string
  answeredAt: string
  env?: 'test'
}

export type Verified =
  | { status: 'genuine'; event: CallbackEvent }
  | { status: 'forged'; reason: string }

type Headers = Iterable<readonly [string, string]> | Record<string, string | string[] | undefined>

const AGE_MAX_S = 5 * 60
const SECRET = 'whsec_'

/**
 * Returns true if a callback is the server's and not older than five minutes. `bytes` is the body
 * as received: parsed and written again it would be another text. `secret` is `whsec_…`, from
 * Settings, Callbacks.
 */
export async function verifyCallback(
  bytes: Uint8Array | string,
  headers: Headers,
  secret: string,
  now: number = Date.now(),
): Promise<Verified> {
  const headersByName = new Map<string, string>()
  const entries = Symbol.iterator in headers ? headers : Object.entries(headers)
  for (const [name, value] of entries as Iterable<[string, unknown]>) {
    headersByName.set(name.toLowerCase(), String(value))
  }
  const id = headersByName.get('webhook-id')
  const time = headersByName.get('webhook-timestamp') ?? ''
  const signatures = (headersByName.get('webhook-signature') ?? '').split(' ')
  if (!id || !/^\d{1,12}$/.test(time)) return forged('It has no signature of a webhook.')
  if (Math.abs(now / 1_000 - Number(time)) > AGE_MAX_S) {
    return forged('It is older than five minutes, or the clocks differ.')
  }
  const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const key = await keyOf(secret)
  const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body)
  for (const one of signatures) {
    const mac = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
    if (mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) return read(body)
  }
  return forged('No signature fits: another secret, or another body.')
}

function read(body: Uint8Array): Verified {
  try {
    return { status: 'genuine', event: JSON.parse(new TextDecoder().decode(body)) }
  } catch {
    return forged('The body is no JSON.')
  }
}

function forged(reason: string): Verified {
  return { status: 'forged', reason }
}

function keyOf(secret: string): Promise<CryptoKey> {
  const raw = fromBase64(secret.startsWith(SECRET) ? secret.slice(SECRET.length) : secret)
  if (!raw) throw new TypeError('The secret of callbacks begins with whsec_.')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

// Far above the longest answer.
const BODY_MAX = 1_000_000

/**
 * Handles callbacks in frameworks with `Request` and `Response` (Hono, Next.js, Remix, Workers, Deno,
 * Bun). `onAnswer` gets each genuine one, perhaps again: `id` stays the same. What it throws is
 * answered with 500, and the server posts the answer again later.
 */
export function callbackHandler(
  secret: string,
  onAnswer: (event: CallbackEvent) => unknown,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return reply(405, 'Callbacks are posted.', { allow: 'POST' })
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > BODY_MAX) return reply(413, 'No callback is this long.')
    const verified = await verifyCallback(bytes, request.headers, secret)
    if (verified.status === 'forged') return reply(400, verified.reason)
    try {
      await onAnswer(verified.event)
      return reply(204)
    } catch {
      return reply(500, 'The answer could not be taken now.')
    }
  }
}

function reply(status: number, text?: string, headers: Record<string, string> = {}): Response {
  return new Response(text === undefined ? null : `${text}\n`, { status, headers })
}
