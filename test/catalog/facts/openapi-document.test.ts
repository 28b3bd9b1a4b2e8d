import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openapiProbe } from '../../../src/catalog/facts/openapi/fact.ts'
import { lintDocument } from '../../../src/catalog/facts/openapi/lint.ts'
import { localOutside, type PlayedSite, playedSite } from './played-site.ts'
import { aSubject, NOW, visibleFacts } from './subjects.ts'

const GOOD = {
  openapi: '3.1.0',
  info: { title: 'Mail', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/mails': {
      parameters: [{ $ref: '#/components/parameters/limit' }],
      get: {
        operationId: 'listMails',
        summary: 'Lists mails.',
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/mail' } } },
          },
          429: { description: 'Too many.' },
        },
      },
      post: {
        operationId: 'sendMail',
        description: 'Sends one.',
        requestBody: { $ref: '#/components/requestBodies/mail' },
        responses: { 204: { description: 'Sent.' }, default: { description: 'Failed.' } },
      },
    },
  },
  components: {
    parameters: {
      limit: { name: 'limit', in: 'query', description: 'At most.', schema: { type: 'integer' } },
    },
    schemas: { mail: { type: 'object', properties: { to: { type: 'string', example: 'ada' } } } },
    requestBodies: {
      mail: { content: { 'application/json': { schema: { $ref: '#/components/schemas/mail' } } } },
    },
  },
}

function missingIn(document: Record<string, unknown>) {
  const rules = lintDocument(document) ?? []
  return rules.filter(({ operations, complete }) => complete < operations).map(({ rule }) => rule)
}

/** The good document with one change to its first operation. */
function changed(change: Record<string, unknown>) {
  const document = structuredClone(GOOD)
  Object.assign(document.paths['/mails'].get, change)
  return document
}

test('a document that has everything misses nothing, references included', () => {
  expect(missingIn(GOOD)).toEqual([])
  expect(lintDocument(GOOD)?.[0]).toEqual({ rule: 'operation-id', operations: 2, complete: 2 })
})

test('each rule sees what is missing, and only that', () => {
  const rows: Array<[string, Record<string, unknown>]> = [
    ['operation-id', changed({ operationId: undefined })],
    ['operation-id', changed({ operationId: 'sendMail' })],
    ['description', changed({ summary: ' ' })],
    ['parameters', changed({ parameters: [{ name: 'q', in: 'query' }] })],
    ['request-schema', changed({ requestBody: { content: {} } })],
    ['error-response', changed({ responses: { 200: GOOD.paths['/mails'].get.responses[200] } })],
    ['security', { ...GOOD, security: undefined }],
  ]
  for (const [rule, document] of rows) expect(missingIn(document)).toEqual([rule as never])
  const bare = changed({ responses: { 200: {}, 400: {} } })
  expect(missingIn(bare)).toEqual(['response-schema', 'example'])
})

test('circles and references that lead nowhere end, and say nothing', () => {
  const circle = changed({ requestBody: { $ref: '#/components/a' } })
  Object.assign(circle.components, { a: { $ref: '#/components/a' } })
  expect(missingIn(circle)).toEqual(['request-schema'])
  expect(missingIn(changed({ parameters: [{ $ref: 'http://x' }] }))).toEqual(['parameters'])
  expect(lintDocument({ openapi: '3.1.0', paths: [] })).toBeUndefined()
})

let site: PlayedSite
beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

async function documentOf(path: string) {
  const subject = aSubject({ openapi: `${site.base}${path}` })
  return visibleFacts(await openapiProbe().run(localOutside(), subject, NOW)).openapiDocument
}

test('the document of a record is read, as JSON or YAML; a page is foreign, nothing is none', async () => {
  site.json('/api.json', GOOD)
  site.text('/api.yaml', 'openapi: 3.0.0\npaths:\n  /a:\n    get: {}\n', 'text/yaml')
  site.text('/page', '<html>', 'text/html')
  expect(await documentOf('/api.json')).toMatchObject({ status: 'read' })
  expect(await documentOf('/api.yaml')).toMatchObject({ status: 'read' })
  expect(await documentOf('/page')).toMatchObject({ status: 'foreign', rules: [] })
  expect(await documentOf('/gone')).toMatchObject({ status: 'none', rules: [] })
  site.on('/down', () => new Response('', { status: 503 }))
  expect(await documentOf('/down')).toBeUndefined()
})
