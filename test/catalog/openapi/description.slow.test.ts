import { expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { toToolRecord } from '../../../src/catalog/authoring/to-tool-record.ts'
import { catalogOpenApi } from '../../../src/catalog/openapi/description.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { detailsOf } from '../snapshot-of.ts'

// As a client reads it: from the text, with another implementation than the one that made it.
const api = JSON.parse(JSON.stringify(catalogOpenApi()))

function checkOf(name: string) {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: { schemas: api.schemas } })
  return ajv.compile({ $ref: `api#/components/schemas/${name}` })
}

test('every reference leads to a schema, and every schema compiles', () => {
  const refs = [...JSON.stringify(api).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
  for (const [, name = ''] of refs) expect(api.schemas).toHaveProperty(name)
  for (const name of Object.keys(api.schemas)) expect(checkOf(name)).toBeFunction()
})

// spec: CF-OPENAPI
test('records are what the description says', () => {
  const source = generatedCatalog(20)
  const [detail, record] = [checkOf('CatalogToolDetail'), checkOf('CatalogToolRecord')]
  for (const tool of detailsOf(source)) {
    expect(detail(tool)).toBe(true)
    expect(record(toToolRecord(tool))).toBe(true)
    expect(record(tool)).toBe(false)
  }
})

test('every feed is for everyone, and has a name of its own', () => {
  const operations = Object.values(api.paths as Record<string, { get: { operationId: string } }>)
  const ids = operations.map(({ get }) => get.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { get } of operations) expect(get).toMatchObject({ security: [], tags: ['catalog'] })
})
