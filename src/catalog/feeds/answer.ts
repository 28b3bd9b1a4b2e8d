import { Failure } from '../../platform/failure.ts'
import type { QueryReply } from './built-site.ts'
import { compressNow } from './compress.ts'
import { type Document, type EncodedDocument, OPEN_TO_ALL } from './document.ts'
import { documentEtag, documentHash, matchesEtag } from './etag.ts'
import { NOT_ACCEPTABLE } from './failures.ts'
import { type Coding, chooseCoding } from './negotiate.ts'
import { problemBody, type WriteProblem } from './problem.ts'

type More = Readonly<Record<string, string>>

export const METHODS = 'GET, HEAD, OPTIONS'

// Replies to queries are compressed while the client waits, so the quick codings come first.
const QUICK: readonly Coding[] = ['zstd', 'gzip', 'br', 'identity']

/** The answer to a CORS preflight. */
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

/** Sends a whole document; without a promise if its coding is ready. */
export function sendDocument(
  document: Document,
  request: Request,
  more: More,
): Response | Promise<Response> {
  const coding = chooseCoding(request.headers.get('accept-encoding'))
  if (!coding) throw noCoding()
  const written = document.written(coding)
  if (written instanceof Promise) return written.then((one) => send(one, request, more))
  return send(written, request, more)
}

function send(written: EncodedDocument, request: Request, more: More): Response {
  const { content, size, etag, headers, unchanged } = written
  const isUnchanged = matchesEtag(request.headers.get('if-none-match'), etag)
  const response = isUnchanged
    ? new Response(null, { status: 304, headers: unchanged })
    : new Response(request.method === 'HEAD' ? null : content(), { headers })
  if (request.method === 'HEAD' && !isUnchanged) {
    response.headers.set('content-length', String(size))
  }
  for (const name in more) response.headers.set(name, more[name] as string)
  return response
}

/** Sends the reply to a query, encoded for this request alone. */
export function sendReply(reply: QueryReply, request: Request, more: More): Response {
  const coding = chooseCoding(request.headers.get('accept-encoding'), QUICK)
  if (!coding) throw noCoding()
  const { status = 200, type, headers = {} } = reply
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const etag = documentEtag(documentHash(body), coding)
  const encoding = coding === 'identity' ? {} : { 'content-encoding': coding }
  const all = { 'cache-control': FOR_A_MOMENT, vary: 'Accept-Encoding', etag, ...headers }
  const written = { 'content-type': type, ...encoding, ...all }
  if (status === 200 && matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: { ...all, ...OPEN_TO_ALL, ...more } })
  }
  const bytes = compressNow(body as Uint8Array<ArrayBuffer>, coding)
  return withBody(request, bytes, status, { ...written, ...OPEN_TO_ALL, ...more })
}

const FOR_A_MOMENT = 'public, max-age=60, stale-if-error=3600'

/** Sends a problem in the media type of the requested suffix. */
export function sendProblem(
  problem: Failure,
  request: Request,
  path: string,
  more: More = {},
  html?: WriteProblem,
): Response {
  const { type, body, headers } = problemBody(problem, path, html)
  const { retryAfter } = problem
  return withBody(request, Buffer.from(body), problem.status, {
    'content-type': type,
    'cache-control': 'no-store',
    ...OPEN_TO_ALL,
    ...headers,
    ...more,
    ...(problem.code === 'method_not_allowed' ? { allow: METHODS } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
}

export function redirect(status: 301 | 308, location: string): Response {
  const headers = { location, 'cache-control': 'public, max-age=300', ...OPEN_TO_ALL }
  return new Response(null, { status, headers })
}

/** HEAD has the content length of a GET (RFC 9110, 9.3.2). */
function withBody(request: Request, bytes: Uint8Array, status: number, headers: More): Response {
  if (request.method !== 'HEAD') {
    return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers })
  }
  const length = { 'content-length': String(bytes.length) }
  return new Response(null, { status, headers: { ...headers, ...length } })
}

function noCoding(): Failure {
  return new Failure(
    NOT_ACCEPTABLE,
    'Accept-Encoding refuses everything there is: identity, gzip, br, zstd.',
  )
}
