import { expect, test } from 'bun:test'
import {
  CONFORMANCE_LIMIT_MS,
  conformance,
  SERVER_SCENARIOS,
  taskScenario,
} from '../../support/conformance.ts'
import { mcpWorld } from '../../support/mcp-world.ts'
import { fixtureMcp, serve } from './conformance/fixture-server.ts'

const HERE = `${import.meta.dir}/conformance`

const WITHOUT_EXCUSE: Record<string, string[]> = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'json-schema-2020-12',
    'input-required-result-basic-elicitation',
    'input-required-result-multi-round',
    'input-required-result-tampered-state',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'dns-rebinding-protection',
    'json-schema-2020-12',
  ],
}

test.each(['2026-07-28', '2025-11-25'])(
  'the official runner finds nothing that is not expected of its own tools on our transport, revision %s',
  async (revision) => {
    await using server = serve(fixtureMcp())
    const baseline = `${HERE}/expected-failures-${revision}.yml`
    const args = ['--requirements', revision, '--expected-failures', baseline]
    const { code, text, scenarios } = await conformance(server.url, ...args)
    expect(code, text).toBe(0)
    for (const name of WITHOUT_EXCUSE[revision] ?? []) {
      expect(`${name} ${scenarios.get(name)}`).toMatch(/ ✓ [1-9]\d* passed, 0 failed$/)
    }
  },
  CONFORMANCE_LIMIT_MS,
)

// The other scenarios of the extension are in test/long.
test.each(['tasks-capability-negotiation', 'tasks-dispatch-and-envelope'])(
  'the official runner finds nothing that is not expected of tasks on our transport, %s',
  async (scenario) => {
    await using server = serve(fixtureMcp())
    const { code, text } = await conformance(server.url, ...taskScenario(scenario))
    expect(code, text).toBe(0)
    expect(text).toMatch(/Passed: [1-9]/)
  },
  CONFORMANCE_LIMIT_MS,
)

test.each(SERVER_SCENARIOS)(
  'the official runner finds nothing that is not expected of Beckon itself, %s at %s',
  async (scenario, version) => {
    await using here = await mcpWorld()
    await using server = serve(here.mcp)
    const baseline = `${HERE}/expected-failures-beckon.yml`
    const args = [
      '--scenario',
      scenario,
      '--spec-version',
      version,
      '--expected-failures',
      baseline,
    ]
    const { code, text } = await conformance(server.url, ...args)
    expect(code, text).toBe(0)
    expect(text).toMatch(/Passed: [1-9]/)
  },
  CONFORMANCE_LIMIT_MS,
)
