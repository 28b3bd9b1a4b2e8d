import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createEndpoint } from '../../src/mcp/endpoint.ts'
import { createExchanges } from '../../src/mcp/exchange.ts'
import { createFace, type Mcp } from '../../src/mcp/face.ts'
import { mcpWorld, TOKEN } from '../support/mcp-world.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { FIXTURES } from './conformance/fixture-toolbox.ts'

const RUNNER = Bun.resolveSync('@modelcontextprotocol/conformance/dist/index.js', import.meta.dir)
const HERE = `${import.meta.dir}/conformance`
const LIMIT_MS = 60_000

/** What the runner said, by scenario: `✓` or `✗` with its counts. */
type Outcome = { code: number; text: string; scenarios: Map<string, string> }

/** Runs the official runner as a process of its own against `url`. */
async function conformance(url: string, ...args: string[]): Promise<Outcome> {
  using folder = tempFolder()
  const child = Bun.spawn([process.execPath, RUNNER, 'server', '--url', url, ...args], {
    cwd: folder.path,
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LIMIT_MS,
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const lines = out.matchAll(/^([✓✗~]) (\S+): (\d+ passed, \d+ failed)/gmu)
  const scenarios = new Map(
    [...lines].map(([, mark, name, counts]) => [`${name}`, `${mark} ${counts}`]),
  )
  return { code, text: out + err, scenarios }
}

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
    LIMIT_MS,
  )

  test.each([
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['tools-list', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['server-stateless', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
  ])(
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
    LIMIT_MS,
  )
})
