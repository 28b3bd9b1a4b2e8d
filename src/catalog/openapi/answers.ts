import { Failure } from '../../platform/failure.ts'
import { problemBody } from '../feeds/problem-reply.ts'
import type { Feed } from './feeds.ts'
import { type HeaderName, headersOf } from './headers.ts'

/** `text/html; charset=utf-8` → `text/html`: parameters are no part of a key. */
export function mediaTypeName(type: string): string {
  return type.split(';')[0] ?? type
}

/** Every answer that an address gives, by status; what else may go wrong is `default`. */
export function answersOf(feed: Feed, content: unknown) {
  const { path, query, missing, expired } = feed
  const problem = problemsOf(path)
  const one = path.includes('{slug}')
  const none = one ? 'There never was such a record.' : missing
  // Cursors of the registry outlive a publish, and its pages are not linked.
  const isPart = query !== undefined && 'cursor' in query && !path.startsWith('/v0.1/')
  const asks = query !== undefined || path.startsWith('/api/')
  return {
    200: {
      description: 'Success.',
      headers: headersOf(...KEPT, ...(isPart ? (['Link'] as const) : [])),
      content,
    },
    ...(one
      ? { 301: { description: 'The record was renamed.', headers: headersOf('Location') } }
      : {}),
    304: {
      description: 'Nothing has changed since the `ETag` that was sent.',
      headers: headersOf(...KEPT),
    },
    ...(asks ? { 400: problem('A parameter is wrong.', ...LEFT) } : {}),
    ...(none ? { 404: problem(none, ...LEFT) } : {}),
    ...(one ? { 410: problem('The record was removed.') } : {}),
    ...(isPart
      ? { 410: problem('The catalog was published since the list was begun.', ...LEFT) }
      : {}),
    ...(expired ? { 410: problem(expired, ...LEFT) } : {}),
    429: problem('Too many requests.', 'Retry-After'),
    default: problem('Any other refusal: a method, a coding, or a fault of the server.'),
  }
}

const LEFT = ['RateLimit', 'RateLimit-Policy'] as const satisfies readonly HeaderName[]
const KEPT = ['ETag', 'Cache-Control', 'Vary', ...LEFT] as const satisfies readonly HeaderName[]

const PROBLEM_SCHEMAS: ReadonlyMap<string, string> = new Map([
  ['application/problem+json', 'Problem'],
  ['application/json', 'RegistryProblem'],
])

/** Refusals come in the type of the suffix. */
function problemsOf(path: string) {
  const { type } = problemBody(new Failure('internal', ''), path)
  const name = PROBLEM_SCHEMAS.get(type)
  const schema = name ? { $ref: `#/components/schemas/Catalog${name}` } : { type: 'string' }
  return (description: string, ...headers: HeaderName[]) => ({
    description,
    headers: headersOf('Cache-Control', ...headers),
    content: { [mediaTypeName(type)]: { schema } },
  })
}
