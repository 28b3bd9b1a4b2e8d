import { storageFailure } from '../db/storage-failure.ts'
import { Failure, type FailureMembers, type WrongField } from '../failure.ts'
import type { Log } from '../log.ts'

/** RFC 9457, with the stable code that programs read. */
export type ProblemBody = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  fields?: WrongField[]
} & FailureMembers

const PROBLEM_JSON = 'application/problem+json'
// The code serves as the name; there is no page to open for it (RFC 9457, 4.2.1).
const TYPE = 'about:blank'

/** A failure as its problem document. */
export function problemResponse(failure: Failure, more: Record<string, unknown> = {}): Response {
  return Response.json(
    { ...problemOf(failure), ...more },
    { status: failure.status, headers: { 'content-type': PROBLEM_JSON, ...headersOf(failure) } },
  )
}

export function problemOf({ code, title, status, message, fields, members }: Failure): ProblemBody {
  return {
    type: TYPE,
    title,
    status,
    detail: message,
    code,
    ...(fields.length > 0 ? { fields } : {}),
    ...members,
  }
}

function headersOf({ code, retryAfter }: Failure): Record<string, string> {
  return {
    'cache-control': 'no-store',
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="Beckon"' } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
  }
}

/**
 * The failure that a caller sees for anything that was thrown. A bug is logged and shown as
 * `internal`; a failure of the server itself is logged too, with its cause.
 */
export function failureOf(
  raw: unknown,
  log: Log,
  where: { method: string; path: string },
): Failure {
  const thrown = storageFailure(raw)
  if (thrown instanceof Failure) {
    if (thrown.status >= 500) log.warn('a request was refused', { ...where, error: thrown })
    return thrown
  }
  log.error('a request failed', { ...where, error: thrown })
  return new Failure(
    'internal',
    'Something went wrong on the server; its log says what. Try again, and tell its owner if it goes on.',
  )
}
