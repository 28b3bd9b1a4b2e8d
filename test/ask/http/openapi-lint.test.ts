import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type StartedApp, startedApp } from '../../support/started-app.ts'

let started: StartedApp
let served: string
beforeAll(async () => {
  started = await startedApp({ env: { BECKON_BASE_URL: 'https://beckon.test' } })
  served = await (await fetch(`${started.app.url}/openapi.json`)).text()
})
afterAll(() => started[Symbol.asyncDispose]())

/** What a published linter says of a description, with the rules that it recommends. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ severity, ruleId, message, location: [at] }) =>
    [severity, ruleId, message, at?.pointer].join(' · '),
  )
}

test('a published linter finds nothing in the description that is served', async () => {
  expect(JSON.parse(served).paths).toContainKeys(['/api/v1/tools.json', '/api/v1/questions'])
  expect(JSON.parse(served).paths['/api/mcp/catalog']).toHaveProperty('post.operationId')
  expect(await lint(served)).toEqual([])
})

test('the lint of the description reports a fault that is put in', async () => {
  const description = JSON.parse(served)
  const { get } = description.paths['/api/v1/tools.json']
  get.responses[200].content = { 'application/json': { schema: { $ref: '#/components/none' } } }
  get.parameters.push({ name: 'kind', in: 'nowhere' })
  description.paths['/tools/{slug}.md'].get.parameters = []
  const problems = (await lint(JSON.stringify(description))).join('\n')
  for (const rule of ['no-unresolved-refs', 'struct', 'path-parameters-defined']) {
    expect(problems).toContain(`error · ${rule} · `)
  }
})
