import { type AnyElysia, Elysia } from 'elysia'
import { Failure } from '../failure.ts'
import { ID_BODY } from '../ids.ts'
import type { Log } from '../log.ts'
import { failureOf, problemResponse } from './errors.ts'
import type { Answer, Listener } from './listener.ts'
import { checkLength, requestAddress } from './request.ts'

export type HttpOptions = {
  /** Elysia instances with their routes. */
  routes: readonly AnyElysia[]
  log: Log
  /** True if requests also come over TLS: then names of fewer than four letters find no route. */
  isTls?: boolean
  /** How a failure looks outside the API: an HTML page. */
  errorPage?: (failure: Failure, request: Request) => Response | Promise<Response>
  /** Paths outside the API that programs call; errors below them are answered in JSON. */
  programPaths?: readonly string[]
  /** Paths whose routes limit the length of a body themselves. */
  ownLimits?: readonly string[]
}

/** One Elysia app over all routes; every failure becomes a problem document or an error page. */
export function createHttp(options: HttpOptions): AnyElysia {
  const { log, programPaths = [], ownLimits = [] } = options
  const forPrograms = pathsForPrograms(programPaths)
  const ownLimit = ownLimits.map(pathPattern)
  // Known only after the routes are mounted.
  let allowed: (path: string) => string[] = () => []

  function show(thrown: unknown, request: Request, path: string) {
    const failure = failureOf(thrown, log, { method: request.method, path: loggedPath(path) })
    if (forPrograms.test(path) || !options.errorPage) return problemResponse(failure)
    return options.errorPage(failure, request)
  }

  // Elysia looks for the path from the 12th character on, and misses it after "http://nas". With
  // this option off, it looks from the 8th on, which is itself a slash in "https://".
  const http = new Elysia({ handler: { standardHostname: options.isTls ?? false } })
    .onError(async ({ code, error, request, path }) => {
      if (code !== 'NOT_FOUND') return await show(plain(code, error), request, path)
      const methods = allowed(path)
      if (methods.length === 0) return await show(notFound(), request, path)
      const response = await show(wrongMethod(request.method, methods), request, path)
      response.headers.set('allow', methods.join(', '))
      return response
    })
    .onRequest(({ request }) => {
      const { path } = requestAddress(request.url)
      if (!ownLimit.some((pattern) => pattern.test(path))) checkLength(request)
    })
  for (const face of options.routes) http.use(face)
  allowed = methodTable(http.routes)
  return http.compile()
}

/** The app's answer to a request of the listener. */
export function answerFor(listener: Listener, http: AnyElysia): Answer {
  http.server = listener.server as NonNullable<typeof http.server>
  return (request) => http.fetch(request)
}

const FOR_PROGRAMS = [
  'api',
  'gate',
  '.well-known',
  'healthz',
  'readyz',
  'metrics',
  'register',
  'openapi.json',
  // Signing in; /oauth2/authorize is for people.
  'mcp',
  'oauth2/token',
  'oauth2/register',
  'oauth2/revoke',
]

/** Paths that programs call: their errors are always JSON. */
function pathsForPrograms(more: readonly string[]): RegExp {
  const first = [...FOR_PROGRAMS, ...more.map((path) => path.split('/')[1] ?? '')]
  return new RegExp(`^/(${first.map(RegExp.escape).join('|')})(/|$)`)
}

/** Elysia's own errors as failures; anything else unchanged. */
function plain(code: string | number, error: unknown): unknown {
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

// Known parts of our own addresses: words, versions of the API, names of files.
const WORD = /^(v\d(\.\d)?|[a-z][a-z-]{0,23}(\.[a-z]{2,11})?)$/

/**
 * A path as the log may show it: its known words and ids. Any other part may be a token or a code,
 * and becomes `…`.
 */
export function loggedPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part === '' || WORD.test(part) || isId(part) ? part : '…'))
    .join('/')
}

function isId(part: string): boolean {
  const [prefix = '', body = ''] = part.split('_')
  return /^[a-z]{1,4}$/.test(prefix) && ID_BODY.test(body) && part === `${prefix}_${body}`
}

export type MountedRoute = { method: string; path: string }

/** The methods that a path accepts, for the 405 that names them; none for an unknown path. */
function methodTable(routes: readonly MountedRoute[]): (path: string) => string[] {
  const rows = routes.map(({ method, path }) => ({ method, matches: pathPattern(path) }))
  return (path) => {
    const methods = rows.filter((row) => row.matches.test(path)).map((row) => row.method)
    const unique = new Set(methods)
    if (unique.has('GET')) unique.add('HEAD')
    return [...unique].sort()
  }
}

/** Matches `/d/:id` and `/api/auth/*` as the router does. */
function pathPattern(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    if (part.startsWith(':')) return part.endsWith('?') ? '[^/]*' : '[^/]+'
    return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}/?$`)
}
