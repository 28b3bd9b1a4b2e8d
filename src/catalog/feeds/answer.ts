import { compress } from './compress.ts'
import type { Document, Written } from './document.ts'
import { etagOf, hashOf, matchesEtag } from './etag.ts'
import { type Coding, chooseCoding } from './negotiate.ts'
import { CatalogProblem } from './problem.ts'
import { problemBody } from './problem-reply.ts'
import type { Reply } from './site.ts'

type Headers = Readonly<Record<string, string>>

export const METHODS = 'GET, HEAD, OPTIONS'

/** Whoever reads from a page of another site may, and sees what it needs to do so well. */
const OPEN_TO_ALL: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Content-Encoding',
}

// Dynamic replies are worked out while somebody waits: quick to write before small.
const QUICK: readonly Coding[] = ['zstd', 'gzip', 'br', 'identity']

/** The answer to a preflight: there is nothing to ask leave for but these. */
export function preflight(): Response {
  const headers = {
    ...OPEN_TO_ALL,
    allow: METHODS,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'If-None-Match, Cache-Control, Accept, Content-Type',
    'access-control-max-age': '86400',
  }
  return new Response(null, { status: 204, headers })
}

/** A whole document; at once when it was written before. */
export function sendDocument(
  document: Document,
  request: Request,
  more: Headers,
): Response | Promise<Response> {
  const coding = chooseCoding(request.headers.get('accept-encoding'))
  if (!coding) throw noCoding()
  const written = document.written(coding)
  if (written instanceof Promise) return written.then((one) => send(one, request, more))
  return send(written, request, more)
}

function send({ bytes, etag, headers }: Written, request: Request, more: Headers): Response {
  const all = { ...headers, ...OPEN_TO_ALL, ...more }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    const { 'content-type': _t, 'content-encoding': _e, ...kept } = all as Record<string, string>
    return new Response(null, { status: 304, headers: kept })
  }
  return withBody(request, bytes, 200, all)
}

/** What a room said to parameters, written for this one request. */
export async function sendReply(reply: Reply, request: Request, more: Headers): Promise<Response> {
  const coding = chooseCoding(request.headers.get('accept-encoding'), QUICK)
  if (!coding) throw noCoding()
  const { status = 200, type, headers = {} } = reply
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const etag = etagOf(hashOf(body), coding)
  const said = coding === 'identity' ? {} : { 'content-encoding': coding }
  const all = { 'cache-control': FOR_A_MOMENT, vary: 'Accept-Encoding', etag, ...headers }
  const written = { 'content-type': type, ...said, ...all }
  if (status === 200 && matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: { ...all, ...OPEN_TO_ALL, ...more } })
  }
  const bytes = await compress(body as Uint8Array<ArrayBuffer>, coding, 'once')
  return withBody(request, bytes, status, { ...written, ...OPEN_TO_ALL, ...more })
}

const FOR_A_MOMENT = 'public, max-age=60, stale-if-error=3600'

/** A refusal, in the type of the suffix that was asked for. */
export function sendProblem(
  problem: CatalogProblem,
  request: Request,
  path: string,
  more: Headers = {},
): Response {
  const { type, body } = problemBody(problem, path)
  const { retryAfter } = problem.more
  return withBody(request, Buffer.from(body), problem.status, {
    'content-type': type,
    'cache-control': 'no-store',
    ...OPEN_TO_ALL,
    ...more,
    ...(problem.code === 'method_not_allowed' ? { allow: METHODS } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
}

export function redirect(status: 301 | 308, location: string): Response {
  const headers = { location, 'cache-control': 'public, max-age=300', ...OPEN_TO_ALL }
  return new Response(null, { status, headers })
}

/** HEAD says how long the body of a GET would be (RFC 9110, 9.3.2). */
function withBody(request: Request, bytes: Uint8Array, status: number, headers: Headers): Response {
  if (request.method !== 'HEAD') {
    return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers })
  }
  const length = { 'content-length': String(bytes.length) }
  return new Response(null, { status, headers: { ...headers, ...length } })
}

function noCoding(): CatalogProblem {
  return new CatalogProblem(
    'not_acceptable',
    'Accept-Encoding refuses everything there is: identity, gzip, br, zstd.',
  )
}
