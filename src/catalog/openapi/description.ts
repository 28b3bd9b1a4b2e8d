import type { TSchema } from '@sinclair/typebox'
import { Failure } from '../../platform/failure.ts'
import { DetachedJws } from '../../platform/signing/jws.ts'
import { ProblemDocument, problemBody, RegistryProblemDocument } from '../feeds/problem.ts'
import { ChangeItem, Tombstone } from '../records/change.ts'
import { JsonFeedDocument, Linkset } from '../records/change-feeds.ts'
import * as checks from '../records/checks-document.ts'
import * as documents from '../records/documents.ts'
import * as entries from '../records/entry-documents.ts'
import { BreakdownItem, CatalogBlock } from '../records/grading.ts'
import { Live } from '../records/live.ts'
import { Meta } from '../records/meta.ts'
import { Methodology } from '../records/methodology.ts'
import { Disagreement, PaidCheck } from '../records/paid-check.ts'
import { Filters } from '../records/parameters.ts'
import { Provenance } from '../records/provenance.ts'
import {
  RegistryEntry,
  RegistryGrade,
  RegistryServer,
  RegistryServersDocument,
  RegistryState,
  SERVER_NAME_PATTERN,
} from '../records/registry-documents.ts'
import { Review } from '../records/review.ts'
import { ToolDetail, ToolRecord } from '../records/tool.ts'
import { CatalogAccepts, X402 } from '../records/x402.ts'
import {
  DiscoveryResource,
  DiscoveryResources,
  DiscoverySearch,
} from '../records/x402-discovery.ts'
import { KeysDocument } from '../signing/keys.ts'
import { Manifest, ManifestFile, RevisionsDocument } from '../signing/manifest.ts'
import { FEED_OPERATIONS, type Feed } from './feeds.ts'

const { INDEX_LINKS: _, ...ENTRIES } = entries

/** Schemas that others refer to by name. */
const NAMED: Record<string, TSchema> = {
  Meta,
  ToolRecord,
  ToolDetail,
  CatalogBlock,
  BreakdownItem,
  Provenance,
  Live,
  Review,
  PaidCheck,
  Disagreement,
  DiscoveryResource,
  DiscoveryResources,
  DiscoverySearch,
  X402,
  CatalogAccepts,
  ChangeItem,
  Tombstone,
  Methodology,
  Filters,
  Linkset,
  ...documents,
  ...checks,
  ...ENTRIES,
  JsonFeedDocument,
  Manifest,
  ManifestFile,
  DetachedJws,
  KeysDocument,
  RevisionsDocument,
  Problem: ProblemDocument,
  RegistryProblem: RegistryProblemDocument,
  RegistryServer,
  RegistryGrade,
  RegistryState,
  RegistryEntry,
  RegistryServersDocument,
}

const NAMES = new Map<unknown, string>([
  ...Object.entries(NAMED).map(([name, schema]) => [schema, name] as const),
  // An optional member is a copy of its schema.
  [ToolRecord.properties.x402, 'X402'],
])

/** A schema with references to the named ones. */
function referring(schema: unknown, itself: unknown = undefined): unknown {
  const name = NAMES.get(schema)
  if (name !== undefined && schema !== itself)
    return { $ref: `#/components/schemas/Catalog${name}` }
  if (Array.isArray(schema)) return schema.map((it) => referring(it))
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(Object.entries(schema).map(([key, it]) => [key, referring(it)]))
}

/** The feeds of the catalog in OpenAPI 3.1, as a part of the server's description. */
export function catalogOpenApi() {
  const byName = <T>(all: Record<string, T>, write: (it: T) => unknown) =>
    Object.fromEntries(Object.entries(all).map(([name, it]) => [`Catalog${name}`, write(it)]))
  return {
    paths: Object.fromEntries(FEED_OPERATIONS.map((feed) => [feed.path, { get: operation(feed) }])),
    schemas: byName(NAMED, (it) => referring(it, it)),
    headers: byName(HEADERS, (it) => it),
  }
}

const inPath = (name: string, description: string, schema: unknown) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
})

/** The parameters in paths. */
const PATH_PARAMETERS = [
  inPath('slug', 'Identifier of the record.', ToolRecord.properties.slug),
  inPath('serverName', 'Name of the server, its slash written `%2F`.', {
    type: 'string',
    pattern: SERVER_NAME_PATTERN,
    maxLength: 200,
  }),
  inPath('sha256', 'Hash of the file.', ManifestFile.properties.sha256),
  inPath('category', 'A category.', ToolRecord.properties.category),
  inPath('capability', 'A capability.', { type: 'string', maxLength: 100 }),
  inPath('number', 'Page of the list.', { type: 'integer', minimum: 2 }),
  inPath('version', '`latest`, or the version.', { type: 'string', maxLength: 255 }),
]

function operation(feed: Feed) {
  const { path, id, summary, type, schema = { type: 'string' }, query = {} } = feed
  return {
    operationId: id,
    summary,
    tags: ['catalog'],
    security: [],
    parameters: [
      ...PATH_PARAMETERS.filter(({ name }) => path.includes(`{${name}}`)),
      ...Object.entries(query).map(([name, own]) => parameter(name, own)),
    ],
    responses: answersOf(feed, { [mediaTypeName(type)]: { schema: referring(schema) } }),
  }
}

/** Several values of a parameter are separated by commas. */
function parameter(name: string, { description, ...schema }: TSchema) {
  const listed = schema.type === 'array' ? { style: 'form', explode: false } : {}
  return { name, in: 'query', required: false, description, ...listed, schema }
}

/** `text/html; charset=utf-8` → `text/html`: keys have no parameters. */
function mediaTypeName(type: string): string {
  return type.split(';')[0] ?? type
}

/** Every response of an address by status; other problems are `default`. */
function answersOf(feed: Feed, content: unknown) {
  const { path, query, missing, expired } = feed
  const problem = problemsOf(path)
  const one = path.includes('{slug}')
  const none = one ? 'No such record ever existed.' : missing
  // Cursors of the registry survive a publish, and its pages have no Link header.
  const isPart = query !== undefined && 'cursor' in query && !path.startsWith('/v0.1/')
  const asks = query !== undefined || path.startsWith('/api/')
  return {
    200: {
      description: 'Success.',
      headers: headersOf(...CACHE_HEADERS, ...(isPart ? (['Link'] as const) : [])),
      content,
    },
    ...(one
      ? { 301: { description: 'The record was renamed.', headers: headersOf('Location') } }
      : {}),
    304: {
      description: 'Nothing has changed since the `ETag` that was sent.',
      headers: headersOf(...CACHE_HEADERS),
    },
    ...(asks ? { 400: problem('A parameter is wrong.', ...LIMIT_HEADERS) } : {}),
    ...(none ? { 404: problem(none, ...LIMIT_HEADERS) } : {}),
    ...(one ? { 410: problem('The record was removed.') } : {}),
    ...(isPart
      ? { 410: problem('The catalog was published since the list was begun.', ...LIMIT_HEADERS) }
      : {}),
    ...(expired ? { 410: problem(expired, ...LIMIT_HEADERS) } : {}),
    429: problem('Too many requests.', 'Retry-After'),
    default: problem('Any other problem: a method, a coding, or an error of the server.'),
  }
}

const LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const satisfies readonly HeaderName[]
const CACHE_HEADERS = [
  'ETag',
  'Cache-Control',
  'Vary',
  ...LIMIT_HEADERS,
] as const satisfies readonly HeaderName[]

const PROBLEM_SCHEMAS: ReadonlyMap<string, string> = new Map([
  ['application/problem+json', 'Problem'],
  ['application/json', 'RegistryProblem'],
])

/** Problems have the media type of the suffix. */
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

const text = (description: string, pattern: string, example: string) => ({
  description,
  schema: { type: 'string', pattern },
  example,
})

const always = <T extends object>(header: T) => ({ ...header, required: true })

/** Response headers; those about limits appear only where there are limits. */
const HEADERS = {
  ETag: always(
    text('Of these bytes in this coding; for `If-None-Match`.', '^"[^"]+"$', '"3f9a-gzip"'),
  ),
  'Cache-Control': always(
    text('How long it may be kept, in seconds.', '^(public, max-age=\\d+.*|no-store)$', 'no-store'),
  ),
  Vary: always(text('There is one for each coding.', '^Accept-Encoding$', 'Accept-Encoding')),
  Location: always(
    text('The address under the new name.', '^https?://', 'https://example.com/tools/a'),
  ),
  Link: text('The next page.', '^<[^>]+>; rel="next"$', '<https://example.com/next>; rel="next"'),
  RateLimit: text(
    'What is left (`r`) and in how many seconds all is (`t`).',
    '^"[a-z]+";r=\\d+;t=\\d+$',
    '"documents";r=1199;t=1',
  ),
  'RateLimit-Policy': text(
    'How many (`q`) in how many seconds (`w`).',
    '^"[a-z]+";q=\\d+;w=\\d+$',
    '"documents";q=1200;w=12',
  ),
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
}

type HeaderName = keyof typeof HEADERS

/** References to the headers in the components. */
function headersOf(...names: HeaderName[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/Catalog${name}` }]),
  )
}
