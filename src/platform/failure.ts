/**
 * The failures that features share: each code with its HTTP status and a title that never changes.
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

/** A failure that one feature declares; its code is not among the shared ones. */
export type OwnFailure = { code: string; status: number; title: string }

/** The code, status and title of a failure, by its code if it is shared. */
export function failureKind(kind: FailureCode | OwnFailure): OwnFailure {
  return typeof kind === 'string' ? { code: kind, ...FAILURES[kind] } : kind
}

/** One wrong field: its path as the caller wrote it, and what it must be. */
export type WrongField = { field: string; must: string }

/** Further members of a problem document (RFC 9457, 3.2). */
export type FailureMembers = {
  /** The parameter of a query that is wrong, and what would be right. */
  parameter?: string
  allowed?: readonly string[]
  /** The replacement of what is gone. */
  replacement?: string
  /** The address of the question that decides it. */
  question?: string
}

type More = FailureMembers & { fields?: WrongField[]; retryAfter?: number; cause?: unknown }

/** A failure that the caller can understand; anything else that is thrown is a bug. */
export class Failure extends Error {
  readonly code: string
  readonly fields: WrongField[]
  /** Seconds after which it makes sense to try again, if known. */
  readonly retryAfter: number | undefined
  readonly members: FailureMembers
  readonly #kind: OwnFailure

  constructor(kind: FailureCode | OwnFailure, detail: string, more: More = {}) {
    const { fields = [], retryAfter, cause, ...members } = more
    super(detail, { cause })
    this.name = 'Failure'
    this.#kind = failureKind(kind)
    this.code = this.#kind.code
    this.fields = fields
    this.retryAfter = retryAfter
    this.members = members
  }

  get title(): string {
    return this.#kind.title
  }

  get status(): number {
    return this.#kind.status
  }
}

/**
 * The sentence for input with wrong fields; REST, MCP and pages each show `fields` in their own
 * way.
 */
export function wrongFields(fields: WrongField[]): Failure {
  const sentence = fields.map(({ field, must }) => `${field} ${must}`).join('; ')
  return new Failure('invalid_input', `${sentence}.`, { fields })
}

/**
 * An error in what the person wrote who started the program. The message is one sentence that names
 * it; the process ends with exit code 2.
 */
export class WrongUsage extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'WrongUsage'
  }
}
