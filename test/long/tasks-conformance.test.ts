import { expect, test } from 'bun:test'
import { fixtureMcp, serve } from '../ask/mcp/conformance/fixture-server.ts'
import {
  CONFORMANCE_LIMIT_MS,
  conformance,
  TASK_SCENARIOS,
  taskScenario,
} from '../support/conformance.ts'

test.each(TASK_SCENARIOS)(
  'the official runner finds nothing in %s',
  async (scenario) => {
    await using server = serve(fixtureMcp())
    const { code, text } = await conformance(server.url, ...taskScenario(scenario))
    expect(code, text).toBe(0)
    expect(text).toMatch(/Passed: [1-9]/)
  },
  CONFORMANCE_LIMIT_MS,
)
