import type { TSchema } from '@sinclair/typebox'
import { FAILURES, type FailureCode, failureKind, type OwnFailure } from '../../platform/failure.ts'
import { VERSION } from '../../platform/program.ts'
import type { Route, RouteCaller } from './route.ts'

const PROBLEM = {
  type: 'object',
  description: 'What went wrong (RFC 9457); `code` is stable.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, and what to do.' },
    code: { type: 'string' },
    fields: {
      type: 'array',
      description: 'Each wrong field, and what it must be.',
      items: {
        type: 'object',
        required: ['field', 'must'],
        properties: { field: { type: 'string' }, must: { type: 'string' } },
      },
    },
    outcome: { type: 'object', description: 'With `too_late`: the outcome that won.' },
  },
}

const SECURITY: Record<RouteCaller, Record<string, string[]>[]> = {
  agent: [{ token: [] }],
  person: [{ session: [] }],
  anyone: [{ session: [] }, {}],
}

/** The description of other parts of the server. */
export type MoreApi = Record<'paths' | 'schemas' | 'headers', Record<string, unknown>>

const NO_MORE: MoreApi = { paths: {}, schemas: {}, headers: {} }

/** The description of the REST API (OpenAPI 3.1), written from the routes themselves. */
export function openApi(routes: readonly Route[], baseUrl: string, more: MoreApi = NO_MORE) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = `/api/v1${route.spec.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.spec.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Beckon',
      version: VERSION,
      description: 'Agents notify people, ask them and agree on scopes; people answer.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths: { ...paths, ...more.paths },
    components: {
      schemas: { Problem: problemSchema(routes), ...more.schemas },
      headers: more.headers,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An agent token, bk_….' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'beckon.session_token',
          description:
            'The cookie of a signed-in person (__Host-… over https); a write also needs an Origin header that is ours.',
        },
      },
    },
  }
}

/** The schema of a problem, with the codes that all routes share and those of single routes. */
function problemSchema(routes: readonly Route[]) {
  const own = routes
    .flatMap(({ spec }) => spec.problems ?? [])
    .map((kind) => failureKind(kind).code)
  const code = { type: 'string', enum: [...new Set([...Object.keys(FAILURES), ...own])] }
  return { ...PROBLEM, properties: { ...PROBLEM.properties, code } }
}

function operation({ spec, who }: Route) {
  const body = spec.method === 'GET' ? undefined : spec.input
  return {
    operationId: operationId(spec.method, spec.path),
    summary: spec.needs ? `${spec.summary} For owners.` : spec.summary,
    tags: [spec.path.split('/')[1]],
    security: SECURITY[who],
    parameters: [...pathParameters(spec.path), ...queryParameters(spec)],
    ...(body
      ? {
          requestBody: {
            required: !spec.optionalBody,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: { ...success(spec), ...problems({ spec, who }) },
  }
}

/** `GET /questions/:id` → `getQuestionsById`. */
function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((part) => (part.startsWith(':') ? `by-${part.slice(1)}` : part))
    .join('-')
  const camel = words.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  return method.toLowerCase() + camel
}

function pathParameters(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters({ method, input }: Route['spec']) {
  if (method !== 'GET' || !input) return []
  const fields: Record<string, TSchema> = input.properties
  return Object.entries(fields).map(([name, schema]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    schema,
  }))
}

function success({ result, status, stream, files = [] }: Route['spec']) {
  if (stream) {
    const schema = { type: 'string' }
    return { 200: { description: 'Events.', content: { 'text/event-stream': { schema } } } }
  }
  if (!result) return { 204: { description: 'Done.' } }
  const whole = files.map((type) => [type, { schema: { type: 'string' } }] as const)
  const content = { 'application/json': { schema: result }, ...Object.fromEntries(whole) }
  return { [status ?? 200]: { description: 'Success.', content } }
}

const EVERYWHERE: readonly FailureCode[] = ['internal', 'unavailable']
const WITH_BODY: readonly FailureCode[] = ['malformed', 'too_large', 'unsupported_media_type']
const BY_WHO: Record<RouteCaller, readonly FailureCode[]> = {
  agent: ['unauthenticated', 'rate_limited', 'limit_reached'],
  person: ['unauthenticated'],
  anyone: [],
}

function problems({ spec, who }: Pick<Route, 'spec' | 'who'>) {
  const codes = new Set<FailureCode | OwnFailure>([
    ...EVERYWHERE,
    ...BY_WHO[who],
    ...(who === 'person' && (spec.needs || spec.method !== 'GET') ? (['forbidden'] as const) : []),
    ...(spec.input ? (['invalid_input'] as const) : []),
    ...(spec.input && spec.method !== 'GET' ? WITH_BODY : []),
    ...(spec.path.includes(':') && who === 'agent' ? (['invalid_input'] as const) : []),
    ...(spec.problems ?? []),
  ])
  const byStatus = Map.groupBy([...codes].map(failureKind), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map(({ title }) => title).join(' · '),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  )
}
