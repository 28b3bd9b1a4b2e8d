import { describe, expect, test } from 'bun:test'
import { createEndpoint } from '../../../src/ask/mcp/endpoint.ts'
import { createExchanges } from '../../../src/ask/mcp/exchange.ts'
import { createFace, type Mcp } from '../../../src/ask/mcp/route.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { CONFORMANCE_LIMIT_MS, conformance, SERVER_SCENARIOS } from '../../support/conformance.ts'
import { mcpWorld, TOKEN } from '../../support/mcp-world.ts'
import { FIXTURES } from './conformance/fixture-toolbox.ts'

const HERE = `${import.meta.dir}/conformance`

/** Serves `mcp` on a port of its own; the runner knows no tokens, so each request gets one. */
function serve(mcp: Mcp) {
  const server = Bun.serve({
    hostname: 'localhost',
    port: 0,
    fetch(request, bun) {
      request.headers.set('authorization', `Bearer ${TOKEN}`)
      return mcp.fetch(request, bun)
    },
  })
  return { url: `${server.url.origin}/mcp`, [Symbol.asyncDispose]: () => server.stop(true) }
}

const NOBODY_HELD = { add() {}, remove() {}, [Symbol.dispose]() {} }

function fixtureFace(): Mcp {
  const deps = {
    exchanges: createExchanges({ clock: systemClock, log: silentLog, held: NOBODY_HELD }),
    clock: systemClock,
    log: silentLog,
    info: { name: 'fixtures', title: 'Fixtures', version: '1.0.0' },
    baseUrl: 'http://localhost',
    allowedOrigins: [],
    callLimit: { take() {} },
    agentFrom: async () =>
      ({ tokenId: 'key_1', tokenName: 'runner', workspaceId: 'ws_1', test: true }) as const,
  }
  const endpoint = createEndpoint(deps, FIXTURES)
  return createFace(deps, () => endpoint)
}

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

describe('the official runner finds nothing that is not expected', () => {
  test.each(['2026-07-28', '2025-11-25'])(
    'of its own tools on our transport, revision %s',
    async (revision) => {
      await using server = serve(fixtureFace())
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

  test.each(SERVER_SCENARIOS)(
    'of Beckon itself, %s at %s',
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
})
