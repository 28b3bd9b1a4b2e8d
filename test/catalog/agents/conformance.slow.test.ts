import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AGENTS_PATH } from '../../../src/catalog/agents/address.ts'
import { CONFORMANCE_LIMIT_MS, conformance, SERVER_SCENARIOS } from '../../support/conformance.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { type PublishedCatalog, publishedCatalog } from '../../support/published-catalog.ts'

const BASELINE = `${import.meta.dir}/../../ask/mcp/conformance/expected-failures-beckon.yml`

let world: PublishedCatalog
beforeAll(async () => {
  world = await publishedCatalog(await exampleCatalog())
})
afterAll(() => world[Symbol.asyncDispose]())

test.each(SERVER_SCENARIOS)(
  'the official runner passes the address of the catalog: %s at %s',
  async (scenario, version) => {
    const { code, text } = await conformance(
      new URL(AGENTS_PATH, world.url).href,
      '--scenario',
      scenario,
      '--spec-version',
      version,
      '--expected-failures',
      BASELINE,
    )
    expect(code, text).toBe(0)
    expect(text).toMatch(/Passed: [1-9]/)
  },
  CONFORMANCE_LIMIT_MS,
)
