import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { failureOf, problemResponse } from './errors.ts'
import { systemFailure } from './listen-failure.ts'

export type ListenOptions = {
  host: string
  /** 0 lets the system choose. */
  port: number
  /** With https, browsers are told to keep using it (HSTS). */
  baseUrl: string
  log: Log
  /**
   * A connection is closed after this many silent seconds; waiting routes, and answers that take
   * long to make, lift the limit for themselves.
   */
  idleSeconds?: number
}

export type Answer = (request: Request) => Response | Promise<Response>

/**
 * The port, which is open before the app is loaded. Requests that arrive early wait for the app.
 */
export type Listener = {
  port: number
  /** The address it listens on, without a slash at the end. */
  url: string
  server: Bun.Server<undefined>
  /** From now on `answer` answers, including requests that have arrived already. */
  answerWith(answer: Answer): void
  /** Throws as `openListener` does if this port cannot be opened for TLS. */
  reserveTls(at: { host: string; port: number }): void
  /**
   * Also answers there with this certificate from now on. Connections over an earlier one go on.
   * Bun's `reload` would keep the old certificate, so a new socket takes the port beside the old
   * one.
   */
  serveTls(pem: { key: string; cert: string }): void
  /** The other end of the connection a request came over. */
  peerOf(request: Request): string | undefined
  /** Lifts the limit of silence of a request until its response is made. */
  holdOpen(request: Request, response: Promise<Response>): Promise<Response>
  /**
   * From now on each answer closes its connection, so that the next request comes over a new one.
   */
  leave(): void
  /** Stops accepting, lets open requests finish for at most `graceMs`, then cuts them off. */
  stop(graceMs: number): Promise<void>
}

// A slow client can hold a connection no longer than this.
const IDLE_SECONDS = 30
// Bun's own refusal is an empty 413; ours gives the reason. Only `readText` reads bodies, and it
// has a limit.
const NO_BODY_MAX = Number.MAX_SAFE_INTEGER

/**
 * Listens, and answers `/healthz` (the process is alive) by itself. Throws `conflict` for a port
 * that is taken, `forbidden` for one that this user may not open.
 */
export function openListener(options: ListenOptions): Listener {
  const { port, log } = options
  const secure = securityHeaders({ https: options.baseUrl.startsWith('https:') })
  const { promise: loaded, resolve: load } = Promise.withResolvers<Answer>()
  let isLeaving = false
  let answer: Answer = async (request) => (await loaded)(request)

  function finish(response: Response): Response {
    const secured = secure(response)
    if (isLeaving) secured.headers.set('connection', 'close')
    return secured
  }

  const idleTimeout = options.idleSeconds ?? IDLE_SECONDS
  const serving: Serving = {
    idleTimeout,
    maxRequestBodySize: NO_BODY_MAX,
    fetch: (original) => {
      let request = original
      if (!URL.canParse(request.url)) {
        const healthCheck = healthRequest(request)
        if (!healthCheck) return secure(problemResponse(noAddress()))
        request = healthCheck
      }
      const response = isHealthCheck(request) ? alive() : answer(request)
      // A response that is ready is sent without another turn of the event loop.
      return response instanceof Promise ? response.then(finish) : finish(response)
    },
    error: (error) => secure(problemResponse(failureOf(error, log, { method: '', path: '' }))),
  }
  const server = listen(options, serving)
  const secureSide = tlsSide(serving)
  return {
    reserveTls: secureSide.reserve,
    serveTls: secureSide.serve,
    port: server.port ?? port,
    url: server.url.origin,
    server,
    answerWith(handler) {
      answer = handler
      load(handler)
    },
    leave() {
      isLeaving = true
    },
    peerOf: (request) => server.requestIP(request)?.address,
    async holdOpen(request, response) {
      server.timeout(request, 0)
      try {
        return await response
      } finally {
        server.timeout(request, idleTimeout)
      }
    },
    stop: (graceMs) => stop([server, ...secureSide.servers()], graceMs),
  }
}

// The URL of a request begins with its Host header, whatever that contains.
function noAddress(): Failure {
  return new Failure('malformed', 'The Host header of the request is not a host.')
}

/**
 * The request for one of the health addresses, without its Host: load balancers ask with none, or
 * with one of their own. Undefined for every other address.
 */
function healthRequest({ method, url, headers }: Request): Request | undefined {
  const path = url.replace(/^https?:\/\/[^/]*/, '')
  if (!/^\/(healthz|readyz)(\?|$)/.test(path) || !isRead(method)) return undefined
  return new Request(`http://localhost${path}`, { method, headers })
}

function isHealthCheck({ method, url }: Request): boolean {
  return isRead(method) && url.endsWith('/healthz') && new URL(url).pathname === '/healthz'
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function alive(): Response {
  return Response.json({ status: 'ok' })
}

type Serving = {
  idleTimeout: number
  maxRequestBodySize: number
  fetch: Answer
  error: (error: Error) => Response
}

function listen({ host, port }: ListenOptions, serving: Serving): Bun.Server<undefined> {
  try {
    return Bun.serve({ hostname: host, port, ...serving })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new Failure(
        'conflict',
        `Port ${port} on ${host} is taken by another program; stop that one or choose another with --port.`,
      )
    }
    if (code === undefined) throw error
    throw new Failure(
      'forbidden',
      `Listening on ${host} port ${port} is not possible (${code}); choose others with --host and --port.`,
    )
  }
}

// On Windows two sockets cannot share a port; callers may be refused for a moment in between.
const HAS_SHARED_PORTS = process.platform !== 'win32'

/** The servers with TLS: at most one accepts connections, the earlier ones drain. */
function tlsSide(serving: Serving) {
  const servers = new Set<Bun.Server<undefined>>()
  let at: Place | undefined
  let current: Bun.Server<undefined> | undefined

  function reserve({ host, port }: { host: string; port: number }) {
    // Not shared: a shared port would also open beside another program that shares it.
    const address = { hostname: host, port }
    const trial = open(address, () => Bun.serve({ ...address, ...serving }))
    at = { hostname: host, port: trial.port ?? port }
    void trial.stop(true)
  }

  function serve(tls: { key: string; cert: string }) {
    if (!at) throw new Error('no port was reserved')
    const old = current
    if (!HAS_SHARED_PORTS) void old?.stop()
    current = open(at, () => Bun.serve({ ...at, ...serving, tls, reusePort: HAS_SHARED_PORTS }))
    servers.add(current)
    // Not before the next turn, so that connections that wait at the old socket are accepted first.
    if (old) setTimeout(() => void old.stop().then(() => servers.delete(old)), 0)
  }

  return { reserve, serve, servers: () => [...servers] }
}

type Place = { hostname: string; port: number }

function open({ hostname, port }: Place, serve: () => Bun.Server<undefined>) {
  try {
    return serve()
  } catch (error) {
    throw systemFailure(error, { host: hostname, port, option: '--https-port' })
  }
}

async function stop(servers: Array<Bun.Server<undefined>>, graceMs: number): Promise<void> {
  let cut: Timer | undefined
  const late = new Promise<void>((resolve) => {
    cut = setTimeout(resolve, graceMs)
  })
  await Promise.race([Promise.all(servers.map((one) => one.stop())), late])
  clearTimeout(cut)
  await Promise.all(servers.map((one) => one.stop(true)))
}

const ALWAYS: [name: string, value: string][] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "frame-ancestors 'none'"],
  // No other site may load it by an image or a script; the catalog overrides this.
  ['cross-origin-resource-policy', 'same-origin'],
  // Cacheable replies override this; every other reply must not be stored.
  ['cache-control', 'no-store'],
]

// Half a year: long enough to be useful, short enough to go back to plain http one day.
const STAY_WITH_HTTPS: [name: string, value: string] = [
  'strict-transport-security',
  'max-age=15552000',
]

/** Gives every response the headers that it does not set itself. */
function securityHeaders({ https }: { https: boolean }): (response: Response) => Response {
  const securityPairs = https ? [...ALWAYS, STAY_WITH_HTTPS] : ALWAYS
  return (response) => {
    const { headers } = response
    for (const [name, value] of securityPairs) {
      if (!headers.has(name)) headers.set(name, value)
    }
    return response
  }
}
