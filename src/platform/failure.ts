/**
 * The catalogue of failures: each code with its HTTP status and a title that never changes.
 * The detail is written where the failure is thrown, for the person who reads it.
 */
export const FAILURES = {
  invalid_input: { status: 422, title: 'Some fields are not valid' },
  invalid_answer: { status: 422, title: 'That is not an answer to this question' },
  malformed: { status: 400, title: 'The request could not be read' },
  unauthenticated: { status: 401, title: 'Sign-in or a valid token is needed' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  too_late: { status: 409, title: 'Too late' },
  gone: { status: 410, title: 'Gone' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  limit_reached: { status: 429, title: 'A limit is reached' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on the server' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const

export type FailureCode = keyof typeof FAILURES

/** One wrong field: its path as the caller wrote it, and what it must be. */
export type WrongField = { field: string; must: string }

/** A failure that the caller can understand; everything else that is thrown is a bug. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly fields: WrongField[]
  /** Seconds after which trying again makes sense, when known. */
  readonly retryAfter: number | undefined

  constructor(
    code: FailureCode,
    detail: string,
    more: { fields?: WrongField[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.fields = more.fields ?? []
    this.retryAfter = more.retryAfter
  }

  get status(): number {
    return FAILURES[this.code].status
  }
}

/** The one sentence for input with wrong fields; each face shows `fields` in its own way. */
export function wrongFields(fields: WrongField[]): Failure {
  const named = fields.map(({ field, must }) => `${field} ${must}`).join('; ')
  return new Failure('invalid_input', `${named}.`, { fields })
}
