import type { TSchema } from '@sinclair/typebox'
import { PARAMETERS } from './feeds/listing-query.ts'
import { ChangeItem } from './record/change.ts'
import { ChangesDocument, ToolDocument, ToolsDocument, X402Document } from './record/documents.ts'
import { BreakdownItem, CatalogBlock } from './record/grading.ts'
import { Live } from './record/live.ts'
import { Meta } from './record/meta.ts'
import { Provenance } from './record/provenance.ts'
import { Review } from './record/review.ts'
import { ToolDetail, ToolRecord } from './record/tool.ts'
import { CatalogAccepts, X402 } from './record/x402.ts'

/** What other documents refer to by name. */
const NAMED: Record<string, TSchema> = {
  ...{ Meta, ToolRecord, ToolDetail, CatalogBlock, BreakdownItem, Provenance, Live, Review },
  ...{ X402, CatalogAccepts, ChangeItem, ToolsDocument, ToolDocument, X402Document },
  ChangesDocument,
}

const NAMES = new Map(Object.entries(NAMED).map(([name, schema]) => [schema as unknown, name]))

/** A schema in which those with a name are referred to. */
function referring(schema: unknown, itself: unknown = undefined): unknown {
  const name = NAMES.get(schema)
  if (name !== undefined && schema !== itself)
    return { $ref: `#/components/schemas/Catalog${name}` }
  if (Array.isArray(schema)) return schema.map((it) => referring(it))
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(Object.entries(schema).map(([key, it]) => [key, referring(it)]))
}

const SLIM = {
  type: 'object',
  description: 'With `view=slim`: what is enough to choose from a list.',
  required: ['count', 'graded', 'notGraded', 'meta', 'tools'],
  properties: {
    ...{ count: { type: 'integer' }, graded: { type: 'integer' }, notGraded: { type: 'integer' } },
    meta: Meta,
    tools: {
      type: 'array',
      items: {
        type: 'object',
        required: ['slug', 'name', 'jsonUrl'],
        properties: {
          ...{ slug: { type: 'string' }, name: { type: 'string' } },
          jsonUrl: { type: 'string', format: 'uri' },
        },
      },
    },
  },
}

const PROBLEM = { $ref: '#/components/schemas/CatalogProblem' }

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'What went wrong (RFC 9457); `code` is stable.',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
  },
}

type Feed = {
  path: string
  id: string
  summary: string
  schema?: unknown
  type?: string
  query?: readonly string[]
}

const SLUG = { name: 'slug', in: 'path', required: true, schema: { type: 'string' } }

const FEEDS: Feed[] = [
  {
    ...{ path: '/api/v1/tools.json', id: 'listTools', summary: 'The directory, or a part of it.' },
    schema: { anyOf: [ToolsDocument, SLIM] },
    query: PARAMETERS,
  },
  {
    ...{ path: '/api/v1/tools/{slug}.json', id: 'readTool', summary: 'One record.' },
    schema: ToolDocument,
  },
  {
    ...{ path: '/tools/{slug}.json', id: 'readToolPage', summary: 'The page of a record as JSON.' },
    schema: ToolDocument,
  },
  {
    ...{ path: '/tools/{slug}.md', id: 'readToolText', summary: 'One record in Markdown.' },
    type: 'text/markdown',
  },
  {
    ...{ path: '/tools/{slug}.min.md', id: 'readToolBrief', summary: 'At most 600 tokens of it.' },
    type: 'text/markdown',
  },
  {
    ...{ path: '/api/v1/x402.json', id: 'listPaid', summary: 'Tools that take payments per call.' },
    schema: X402Document,
  },
  {
    ...{ path: '/api/v1/changes.json', id: 'listChanges', summary: 'Dated changes.' },
    schema: ChangesDocument,
  },
  {
    ...{ path: '/sunsets.ics', id: 'readCalendar', summary: 'The changes as a calendar.' },
    ...{ type: 'text/calendar', query: ['tool', 'kind', 'category'] },
  },
]

/** The feeds of the catalog in OpenAPI 3.1, to stand beside what else the server has. */
export function catalogOpenApi() {
  return {
    paths: Object.fromEntries(FEEDS.map((feed) => [feed.path, { get: operation(feed) }])),
    schemas: {
      CatalogProblem: PROBLEM_SCHEMA,
      ...Object.fromEntries(
        Object.entries(NAMED).map(([name, it]) => [`Catalog${name}`, referring(it, it)]),
      ),
    },
  }
}

function operation({ path, id, summary, schema, type = 'application/json', query = [] }: Feed) {
  const one = path.includes('{slug}')
  const problem = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: PROBLEM } },
  })
  return {
    operationId: id,
    summary,
    tags: ['catalog'],
    security: [],
    parameters: [
      ...(one ? [SLUG] : []),
      ...query.map((name) => ({ name, in: 'query', required: false, schema: { type: 'string' } })),
    ],
    responses: {
      200: {
        description: 'Success.',
        content: { [type]: { schema: schema ? referring(schema) : { type: 'string' } } },
      },
      304: { description: 'Nothing has changed since the `ETag` that was sent.' },
      ...(one
        ? {
            301: { description: 'The record was renamed.' },
            404: problem('There never was such a record.'),
            410: problem('The record was removed.'),
          }
        : {}),
      ...(query.length > 0 ? { 400: problem('A parameter is wrong.') } : {}),
      429: problem('Too many requests.'),
    },
  }
}
