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

/** A reply of the server, or why there is none. */
export type Reply = { status: number; body: Record<string, unknown> } | { unreachable: string }

export type Call = {
  method?: 'GET' | 'POST'
  body?: object
  /** How long the server may hold the call, in milliseconds. */
  holdMs?: number
  /** Until when a failed call is made again, by `Date.now()`. */
  tryUntil: number
  signal?: AbortSignal | undefined
}

/** The call was wrong: a field, the token, a limit. `code` is the server's and stable. */
export class BeckonError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: ReadonlyArray<{ field: string; must: string }>

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.detail ?? body.title ?? `The server answers ${status}.`))
    this.name = 'BeckonError'
    this.status = status
    this.code = String(body.code ?? 'unknown')
    this.fields = (body.fields as BeckonError['fields']) ?? []
  }
}

// Beyond what the server holds a call, for the way there and back.
const SLACK_MS = 15_000
const PAUSE_MS = 250
const PAUSE_MAX_MS = 5_000

/**
 * Calls the server, again and again while it is away or busy, until `tryUntil`. Throws `BeckonError`
 * for what another try would not mend, and what `signal` was aborted with.
 */
export async function call(server: Server, path: string, what: Call): Promise<Reply> {
  let pause = PAUSE_MS
  for (;;) {
    const reply = await once(server, path, what)
    if (!('unreachable' in reply)) {
      const { status, body } = reply
      if (status < 300) return reply
      if (status < 500 && status !== 429 && status !== 408) throw new BeckonError(status, body)
    }
    const asked = 'unreachable' in reply ? 0 : Number(reply.body.retryAfter ?? 0) * 1_000
    const rest = Math.max(asked, pause * (0.5 + Math.random() / 2))
    if (Date.now() + rest >= what.tryUntil) return givenUp(reply)
    await sleep(rest, what.signal)
    pause = Math.min(pause * 2, PAUSE_MAX_MS)
  }
}

function givenUp(reply: Reply): Reply {
  if ('unreachable' in reply) return reply
  return { unreachable: new BeckonError(reply.status, reply.body).message }
}

async function once(server: Server, path: string, what: Call): Promise<Reply> {
  const { method = 'POST', body, holdMs = 0, signal } = what
  const url = (server.url ?? variable('BECKON_URL') ?? 'http://localhost:8484').replace(/\/+$/, '')
  const limit = AbortSignal.timeout(holdMs + SLACK_MS)
  try {
    const response = await (server.fetch ?? fetch)(`${url}/api/v1${path}`, {
      method,
      headers: headersOf(server, body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      redirect: 'error',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const read = await jsonOf(response)
    if (!read) return { unreachable: `${url} answers ${response.status} without JSON.` }
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, body: retryAfter ? { ...read, retryAfter } : read }
  } catch (error) {
    signal?.throwIfAborted()
    return { unreachable: `${url} was not reached: ${(error as Error).message}` }
  }
}

function headersOf({ token, test }: Server, body: object | undefined): Record<string, string> {
  const bearer = token ?? variable('BECKON_TOKEN') ?? ''
  return {
    accept: 'application/json',
    authorization: `Bearer ${bearer}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(test ? { 'x-service-env': 'test' } : {}),
  }
}

/** Undefined for a reply that is none of the server's: a proxy answers with pages of its own. */
async function jsonOf(response: Response): Promise<Record<string, unknown> | undefined> {
  if (response.status === 204) return {}
  const read: unknown = await response.json().catch(() => undefined)
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
}

function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
