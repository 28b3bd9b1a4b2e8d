/** The server that is asked; what is left out comes from `BECKON_URL` and `BECKON_TOKEN`. */
export type Server = {
  /** Such as `https://beckon.example.com`; else `http://localhost:8484`. */
  url?: string
  /** An agent token, `bk_…`. */
  token?: string
  /** Test mode: everything is recorded, and nobody is told. */
  test?: boolean
  /** In place of the global `fetch`. */
  fetch?: typeof fetch
}

type Answer = { status: number; body: Record<string, unknown> }

/** A reply of the server, or why there is none. */
export type Reply = Answer | { unreachable: string }

/** One attempt: how it went, and whether another could go better. */
type Attempt =
  | (Answer & { retryAfterMs: number })
  | { unreachable: string; isFinal?: boolean; isTimeout?: boolean; retryAfterMs?: number }

export type Call = {
  method?: 'GET' | 'POST'
  body?: object
  /** Names the call for the server, so that its retries are one. */
  key?: string | undefined
  /** How long the server may hold the call, in milliseconds. */
  holdMs?: number
  /** Until when a failed call is made again, by `Date.now()`. */
  tryUntil: number
  signal?: AbortSignal | undefined
  /** How long a server may be away; half a minute if not given. */
  awayMs?: number
}

/** The call was wrong: a field, the token, a limit. `code` is the server's and stable. */
export class BeckonError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: ReadonlyArray<{ field: string; must: string }>

  constructor(status: number, body: Record<string, unknown>) {
    const fields: BeckonError['fields'] = Array.isArray(body.fields) ? body.fields : []
    const isOlder = fields.some((one) => one?.must === 'is not a known field')
    const older = isOlder ? ' This server may be older than the package: update it.' : ''
    super(String(body.detail ?? body.title ?? `The server answers ${status}.`) + older)
    this.name = 'BeckonError'
    this.status = status
    this.code = String(body.code ?? 'unknown')
    this.fields = fields
  }
}

// Beyond what the server holds a call, for the way there and back.
const SLACK_MS = 10_000
// A server that is away for as long as this is said to be.
const AWAY_MS = 30_000
const PAUSE_MS = 250
const PAUSE_MAX_MS = 5_000
// The longest delay of a timer.
const TIMER_MAX_MS = 2 ** 31 - 1
const AGAIN = [408, 425, 429]

/**
 * Calls the server, again while it is away or busy: for half a minute, and where it says when to come
 * back until `tryUntil`. Throws `BeckonError` for what another try would not mend, and what `signal`
 * was aborted with.
 */
export async function call(server: Server, path: string, what: Call): Promise<Reply> {
  const limitMs = (what.holdMs ?? 0) + SLACK_MS
  const soon = Math.min(what.tryUntil, Date.now() + (what.awayMs ?? AWAY_MS))
  let pause = PAUSE_MS
  for (;;) {
    const reply = await once(server, path, what, limitMs)
    const { retryAfterMs = 0 } = reply
    let why: string
    let until = soon
    if ('unreachable' in reply) {
      why = reply.unreachable
      if (reply.isFinal) return { unreachable: why }
      if (reply.isTimeout) until -= limitMs
    } else {
      const { status, body } = reply
      if (status < 300) return { status, body }
      const failed = new BeckonError(status, body)
      // A limit that somebody has to do something about is no moment to wait for.
      const isBusy = status >= 500 || (AGAIN.includes(status) && failed.code !== 'limit_reached')
      if (!isBusy) throw failed
      why = failed.message
      if (status === 429 && retryAfterMs > 0) until = what.tryUntil
    }
    const rest = Math.max(retryAfterMs, pause * (0.5 + Math.random() / 2))
    if (Date.now() + rest >= until) return { unreachable: why }
    await sleep(rest, what.signal)
    pause = Math.min(pause * 2, PAUSE_MAX_MS)
  }
}

async function once(server: Server, path: string, what: Call, limitMs: number): Promise<Attempt> {
  const { method = 'POST', body, signal } = what
  const url = (server.url ?? variable('BECKON_URL') ?? 'http://localhost:8484').replace(/\/+$/, '')
  if (!/^https?:\/\/[^/]/i.test(url)) {
    return {
      unreachable: `"${url}" is no address: it begins with https:// or http://.`,
      isFinal: true,
    }
  }
  signal?.throwIfAborted()
  // Not `AbortSignal.any`: what is added to a signal that lives long is removed with the call.
  const ends = new AbortController()
  const abort = () => ends.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  let isTimeout = false
  const timer = setTimeout(() => {
    isTimeout = true
    ends.abort()
  }, limitMs)
  try {
    const response = await (server.fetch ?? fetch)(`${url}/api/v1${path}`, {
      method,
      headers: headersOf(server, what),
      signal: ends.signal,
      // Edge runtimes have no `error`.
      redirect: 'manual',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return await read(url, response)
  } catch (error) {
    signal?.throwIfAborted()
    const why = isTimeout ? `no whole reply within ${limitMs / 1_000} seconds` : causeOf(error)
    return { unreachable: `${url} was not reached: ${why}.`, isTimeout }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** A reply of the server; a proxy or a stranger has pages and errors of its own. */
async function read(url: string, response: Response): Promise<Attempt> {
  const { status, headers, type } = response
  const retryAfterMs = waitOf(headers.get('retry-after'))
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const to = headers.get('location') ?? 'another address'
    const unreachable = `${url} redirects to ${to}. Give the address of the server itself.`
    return { unreachable, isFinal: true }
  }
  if (status === 204) return { status, body: {}, retryAfterMs }
  const text = await response.text()
  const body = objectIn(text)
  if (body && (status < 300 || typeof body.code === 'string')) return { status, body, retryAfterMs }
  const isJson = /json/.test(headers.get('content-type') ?? '')
  // A reply that was cut short, or a proxy whose server is away.
  const isFinal = status < 500 && !AGAIN.includes(status) && !(status < 300 && isJson)
  const unreachable = `${url} answers ${status}, and not as Beckon does: a proxy, another program or another address.`
  return { unreachable, isFinal, retryAfterMs }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** `Retry-After` in milliseconds: a number of seconds or a date (RFC 9110, 10.2.3). */
function waitOf(header: string | null): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  // A date that is none is not a number.
  return Math.max(0, ms || 0)
}

function causeOf(error: unknown): string {
  const { message, cause } = error as {
    message?: string
    cause?: { message?: string; code?: string }
  }
  const deeper = cause?.message || cause?.code
  return `${message ?? error}${deeper ? ` (${deeper})` : ''}`.replace(/\.$/, '')
}

function headersOf({ token, test }: Server, { body, key }: Call): Record<string, string> {
  const bearer = token ?? variable('BECKON_TOKEN') ?? ''
  return {
    accept: 'application/json',
    authorization: `Bearer ${bearer}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(key ? { 'idempotency-key': key } : {}),
    ...(test ? { 'x-service-env': 'test' } : {}),
  }
}

/** Test mode in the body, where no proxy drops it. */
export function envOf({ test }: Server): { env?: 'test' } {
  return test ? { env: 'test' } : {}
}

function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

/** Throws what `signal` was aborted with. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS))
    signal?.addEventListener('abort', end)
  })
}
