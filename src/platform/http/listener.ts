import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { failureOf, problemResponse } from './errors.ts'
import { securityHeaders } from './security-headers.ts'

export type ListenOptions = {
  host: string
  /** 0 lets the system choose. */
  port: number
  /** With https, browsers are instructed to stay with it (HSTS). */
  baseUrl: string
  log: Log
  /** After so many seconds of silence a connection is closed; waiting routes lift it for themselves. */
  idleSeconds?: number
}

export type Answer = (request: Request) => Response | Promise<Response>

/** The port, open before the app is loaded. Requests that arrive early wait for the app. */
export type Listener = {
  port: number
  /** The address it listens on, without a slash at the end. */
  url: string
  server: Bun.Server<undefined>
  /** From now on, and for what has come already, `answer` answers. */
  answerWith(answer: Answer): void
  /** The other end of the connection a request came over. */
  peerOf(request: Request): string | undefined
  /** Stops accepting, lets what is open finish for at most `graceMs`, then cuts it. */
  stop(graceMs: number): Promise<void>
}

// Slow clients hold a connection no longer than that.
const IDLE_SECONDS = 30
// Bun's own refusal is an empty 413; ours gives the reason. Only `readText` reads bodies, and it stops in time.
const NO_BODY_MAX = Number.MAX_SAFE_INTEGER

/**
 * Listens, and answers `/healthz` (the process is alive) by itself. Throws `conflict` for a port
 * that is taken, `forbidden` for one that may not be had.
 */
export function openListener(options: ListenOptions): Listener {
  const { port, log } = options
  const secure = securityHeaders({ https: options.baseUrl.startsWith('https:') })
  const { promise: loaded, resolve: load } = Promise.withResolvers<Answer>()
  let answer: Answer = async (request) => (await loaded)(request)

  const server = listen(options, {
    idleTimeout: options.idleSeconds ?? IDLE_SECONDS,
    maxRequestBodySize: NO_BODY_MAX,
    fetch: (request) => {
      if (!URL.canParse(request.url)) return secure(problemResponse(noAddress()))
      const made = isHealthCheck(request) ? alive() : answer(request)
      // A response that is ready is sent without another turn of the event loop.
      return made instanceof Promise ? made.then(secure) : secure(made)
    },
    error: (error) => secure(problemResponse(failureOf(error, log, { method: '', path: '' }))),
  })
  return {
    port: server.port ?? port,
    url: server.url.origin,
    server,
    answerWith(given) {
      answer = given
      load(given)
    },
    peerOf: (request) => server.requestIP(request)?.address,
    stop: (graceMs) => stop(server, graceMs),
  }
}

// The address of a request begins with its Host header, whatever that says.
function noAddress(): Failure {
  return new Failure('malformed', 'The Host header of the request is not a host.')
}

function isHealthCheck({ method, url }: Request): boolean {
  return method === 'GET' && url.endsWith('/healthz') && new URL(url).pathname === '/healthz'
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

async function stop(server: Bun.Server<undefined>, graceMs: number): Promise<void> {
  let cut: Timer | undefined
  const late = new Promise<void>((resolve) => {
    cut = setTimeout(resolve, graceMs)
  })
  await Promise.race([server.stop(), late])
  clearTimeout(cut)
  await server.stop(true)
}
