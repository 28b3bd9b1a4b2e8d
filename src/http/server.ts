import { type AnyElysia, Elysia } from 'elysia'
import { Failure } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { BODY_MAX, checkLength } from './body.ts'
import { failureOf, problemResponse } from './errors.ts'
import { methodTable } from './method-table.ts'
import { securityHeaders } from './security-headers.ts'

export type HttpOptions = {
  /** The faces, each an Elysia instance with its routes. */
  routes: readonly AnyElysia[]
  log: Log
  /** The base URL is https: browsers are told to stay with it. */
  https: boolean
  /** How a failure looks outside the API: an HTML page. */
  errorPage?: (failure: Failure, request: Request) => Response | Promise<Response>
}

export type ListenOptions = HttpOptions & {
  host: string
  /** 0 lets the system choose. */
  port: number
  /** After so many seconds of silence a connection is closed; waiting routes lift it for themselves. */
  idleSeconds?: number
}

export type RunningServer = {
  port: number
  /** The address it listens on, without a slash at the end. */
  url: string
  /** The other end of the connection a request came over. */
  peerOf(request: Request): string | undefined
  /** Stops accepting, lets what is open finish for at most `graceMs`, then cuts it. */
  stop(graceMs: number): Promise<void>
}

/** One Elysia over all faces; every failure leaves it as a problem document or an error page. */
export function createHttp(options: HttpOptions): AnyElysia {
  const { log } = options
  // Known after the faces are mounted, needed before.
  let allowed: (path: string) => string[] = () => []

  function show(thrown: unknown, request: Request, path: string) {
    const failure = failureOf(thrown, log, { method: request.method, path })
    if (isForPrograms(path) || !options.errorPage) return problemResponse(failure)
    return options.errorPage(failure, request)
  }

  const http = new Elysia()
    .onError(async ({ code, error, request, path }) => {
      if (code !== 'NOT_FOUND') return await show(plain(code, error), request, path)
      const methods = allowed(path)
      if (methods.length === 0) return await show(notFound(), request, path)
      const response = await show(wrongMethod(request.method, methods), request, path)
      response.headers.set('allow', methods.join(', '))
      return response
    })
    .onRequest(({ request }) => checkLength(request))
  for (const face of options.routes) http.use(face)
  allowed = methodTable(http.routes)
  return http.compile()
}

// Slow clients hold a connection no longer than that.
const IDLE_SECONDS = 30
// What is a little too large is refused by us with a problem document, the rest by Bun.
const HARD_BODY_MAX = 16 * BODY_MAX

/** Listens. Throws `conflict` for a port that is taken, `forbidden` for one that may not be had. */
export function startServer(options: ListenOptions): RunningServer {
  const http = createHttp(options)
  const secure = securityHeaders(options)
  const server = listen(options, {
    idleTimeout: options.idleSeconds ?? IDLE_SECONDS,
    maxRequestBodySize: HARD_BODY_MAX,
    fetch: async (request) => secure(await http.fetch(request)),
    error: (error) =>
      secure(problemResponse(failureOf(error, options.log, { method: '', path: '' }))),
  })
  http.server = server as NonNullable<typeof http.server>
  return {
    port: server.port ?? options.port,
    url: server.url.origin,
    peerOf: (request) => server.requestIP(request)?.address,
    stop: (graceMs) => stop(server, graceMs),
  }
}

type Serving = {
  idleTimeout: number
  maxRequestBodySize: number
  fetch: (request: Request) => Promise<Response>
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

/** Where programs call: they are answered in JSON, whatever goes wrong. */
function isForPrograms(path: string): boolean {
  return /^\/(api|\.well-known|healthz|readyz|metrics|register|openapi\.json)(\/|$)/.test(path)
}

/** Elysia's own errors, as ours; anything else is what it is. */
function plain(code: string | number, error: unknown): unknown {
  if (code === 'PARSE') return new Failure('malformed', 'The body could not be read.')
  if (code === 'VALIDATION' || code === 'INVALID_COOKIE_SIGNATURE') {
    return new Failure('malformed', 'The request could not be read.')
  }
  return error
}

function notFound(): Failure {
  return new Failure('not_found', 'There is nothing at this address.')
}

function wrongMethod(method: string, methods: string[]): Failure {
  const allowed = methods.join(', ')
  return new Failure(
    'method_not_allowed',
    `${method} does not work at this address; it takes ${allowed}.`,
  )
}
