import { createToolDispatcher } from '../../../../src/ask/mcp/endpoint.ts'
import { createExchanges } from '../../../../src/ask/mcp/exchange.ts'
import { createMcpEndpoint, type Mcp } from '../../../../src/ask/mcp/route.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { silentLog } from '../../../../src/platform/log.ts'
import { TOKEN } from '../../../support/mcp-world.ts'
import { FIXTURES } from './fixture-toolbox.ts'

/** Serves `mcp` on a port of its own; the runner knows no tokens, so each request gets one. */
export function serve(mcp: Mcp) {
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

/** The runner's own tools on our transport. */
export function fixtureMcp(): Mcp {
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
  const endpoint = createToolDispatcher(deps, FIXTURES)
  return createMcpEndpoint(deps, () => endpoint)
}
