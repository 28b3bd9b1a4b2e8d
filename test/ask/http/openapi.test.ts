import { expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { REST_ROUTES } from '../../support/rest-routes.ts'
import { restWorld } from './rest-world.ts'

type Document = {
  openapi: string
  paths: Record<string, Record<string, { operationId: string; security: object[] }>>
}

test('every mounted route is described, and nothing else', async () => {
  await using world = await restWorld()
  const response = await fetch(`${world.url}/openapi.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  const { openapi, paths } = (await response.json()) as Document
  expect(openapi).toBe('3.1.0')
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const mounted = REST_ROUTES.map(
    ({ spec }) => `${spec.method} /api/v1${spec.path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(described.sort()).toEqual(mounted.sort())
  for (const row of described) {
    const [method = '', path = ''] = row.split(' ')
    const { status } = await fetch(world.url + path.replace(/\{\w+\}/g, 'x'), { method })
    const statuses = row === 'GET /api/v1/receipts/key' ? [200] : [401, 415, 422]
    expect([row, statuses.includes(status)]).toEqual([row, true])
  }
})

test('operations have names of their own, and every schema is one', async () => {
  await using world = await restWorld()
  const document = await (await fetch(`${world.url}/openapi.json`)).json()
  const { paths } = document as Document
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const schemas = JSON.stringify(document).match(/"schema":\{/g) ?? []
  expect(schemas.length).toBeGreaterThan(30)
  for (const schema of findSchemas(document)) {
    expect(ajv.validateSchema(schema)).toBe(true)
  }
})

function findSchemas(value: unknown): object[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'schema' ? [inner as object] : findSchemas(inner),
  )
}
