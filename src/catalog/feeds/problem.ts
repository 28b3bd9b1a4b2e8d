import { Type } from '@sinclair/typebox'
import { closed, openWord, slug, text, texts } from '../records/words.ts'

/** What can go wrong on the catalog's side of the server. */
export const PROBLEMS = {
  not_found: { status: 404, title: 'Not found' },
  gone: { status: 410, title: 'Gone' },
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  cursor_mismatch: { status: 400, title: 'The cursor belongs to another list' },
  revision_expired: { status: 410, title: 'The list has changed since' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  rate_limited: { status: 429, title: 'Too many requests' },
  not_acceptable: { status: 406, title: 'None of these content codings' },
  internal: { status: 500, title: 'Something went wrong on the server' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** What a problem says beside its sentence, under names of its own (RFC 9457, 3.2). */
export type ProblemMore = {
  /** The parameter that is wrong, and what would be right. */
  parameter?: string
  allowed?: readonly string[]
  /** The slug that took the place of one that is gone. */
  replacement?: string
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/** A refusal that the reader of a feed can understand; whatever else is thrown is a bug. */
export class CatalogProblem extends Error {
  readonly code: ProblemCode
  readonly more: ProblemMore

  constructor(code: ProblemCode, detail: string, more: ProblemMore = {}) {
    super(detail)
    this.name = 'CatalogProblem'
    this.code = code
    this.more = more
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }

  get title(): string {
    return PROBLEMS[this.code].title
  }
}

/** What `problemDocument` makes. */
export const ProblemDocument = closed(
  {
    type: Type.String({ format: 'uri-reference', description: 'Always `about:blank`.' }),
    title: text('What is wrong, the same for each code.', 200),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the answer.' }),
    detail: text('What happened, and what to do.'),
    code: openWord('Name of the problem; stays.', Object.keys(PROBLEMS)),
    parameter: Type.Optional(text('The parameter that is wrong.', 64)),
    allowed: Type.Optional(texts('What it may be; without a parameter, which there are.')),
    replacement: Type.Optional(slug('Took the place of the one that is gone.')),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds after which trying again makes sense.' }),
    ),
  },
  'What went wrong (RFC 9457).',
)

/** The same at the addresses of the MCP registry, whose clients read `error`. */
export const RegistryProblemDocument = closed(
  { error: text('What happened, and what to do.'), ...ProblemDocument.properties },
  'What went wrong, in the words of the MCP registry and of RFC 9457.',
)

/** The problem document of RFC 9457; the code is the name, there is no page to open for it. */
export function problemDocument({ code, title, status, message, more }: CatalogProblem) {
  return { type: 'about:blank', title, status, detail: message, code, ...more }
}
