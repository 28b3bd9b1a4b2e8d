import type { Agents } from './accounts/agents.ts'
import { AGENTS_PATH, createAgents } from './catalog/agents/endpoint.ts'
import { measureCatalog } from './catalog/measure-catalog.ts'
import { agentsOpenApi } from './catalog/openapi/agents.ts'
import { catalogOpenApi } from './catalog/openapi/description.ts'
import { ALL_PROBES } from './catalog/probes/all-probes.ts'
import { keepProbing } from './catalog/probes/schedule.ts'
import { createCatalog } from './catalog/routes.ts'
import { createHealth } from './flows/doctor/health.ts'
import type { MountedRoute } from './http/allowed-methods.ts'
import { createAuthentication } from './http/auth.ts'
import { authRoutes } from './http/auth-routes.ts'
import { clientAddress, fromThisMachine } from './http/client-address.ts'
import { withCors } from './http/cors.ts'
import { createEventHub } from './http/event-hub.ts'
import { healthRoutes } from './http/health.ts'
import { createLimits } from './http/limits.ts'
import type { Answer, Listener } from './http/listener.ts'
import { metricsRoutes } from './http/metrics.ts'
import { mirrorRoutes } from './http/mirror.ts'
import { countRequests } from './http/request-metrics.ts'
import { restRoutes } from './http/rest-routes.ts'
import { answerFor, createHttp } from './http/server.ts'
import { slackRoutes } from './http/slack.ts'
import { randomText } from './kernel/ids.ts'
import { createMcp, mcpRoute } from './mcp/route.ts'
import { errorPage, pageRoutes } from './pages/pages.tsx'
import type { Flows, Ground } from './verbs.ts'

export type FaceGround = Ground & {
  agents: Agents
  flows: Flows
  listener: Listener
  closing: AbortSignal
}

/** Every face over the same flows, and how what they have open is brought to an end. */
export type Faces = {
  answer: Answer
  /** Everything that is mounted, as the router has it. */
  routes: readonly MountedRoute[]
  close(): Promise<void>
}

/** What the server has beside its REST routes, with the endpoint for agents. */
function description() {
  const [feeds, agents] = [catalogOpenApi(), agentsOpenApi()]
  return {
    ...feeds,
    paths: { ...feeds.paths, ...agents.paths },
    schemas: { ...feeds.schemas, ...agents.schemas },
  }
}

export function createFaces(ground: FaceGround): Faces {
  const { config, db, secrets, clock, log, metrics, agents, flows, listener, closing } = ground
  const { baseUrl, allowedOrigins } = config
  const addressOf = (request: Request) =>
    clientAddress(request, listener.peerOf(request), config.trustProxy)
  const limits = createLimits(clock)
  const { authSecret, quickAnswerSecret, vapid } = secrets
  const authentication = createAuthentication({
    ...{ db, clock, log, agents, limits, baseUrl, authSecret, addressOf },
  })
  const called = metrics.counter({
    name: 'beckon_mcp_calls_total',
    help: 'Calls of tools, by tool and outcome: ok, or the code of what went wrong.',
    labels: ['tool', 'outcome'],
  })
  const mcp = createMcp({
    ...{ clock, log, baseUrl, allowedOrigins, tools: flows.tools },
    agentFrom: authentication.agentFrom,
    held: agents.held,
    clientNames: agents.clientNames,
    callLimit: limits.token,
    called,
  })
  const { fetch } = flows.deps.outside
  const health = createHealth({ config, db, clock, authSecret, fetch })
  const events = createEventHub({ db, clock })
  metrics.figure({
    ...{ name: 'beckon_event_streams', kind: 'gauge' },
    help: 'Pages and programs that follow what happens (server-sent events) now.',
    read: events.watching,
  })
  const rest = {
    ...flows.deps,
    health,
    ...{ limits, closing, authentication, events },
    quickAnswerSecret,
    vapidPublicKey: vapid.publicKey,
  }
  const catalog = createCatalog({
    ...{ db, clock, log, baseUrl, addressOf, limited: config.catalogRateLimit, fetch },
  })
  const probed = measureCatalog(metrics, catalog)
  const probing =
    config.catalogProbes &&
    keepProbing({
      ...{ db, clock, log, fetch, baseUrl, holder: randomText(16), probes: ALL_PROBES },
      ...{ canary: config.catalogCanary, random: Math.random, probed },
    })
  const catalogMcp = createAgents({
    ...{ clock, log, baseUrl, allowedOrigins, addressOf, limited: config.catalogRateLimit },
    view: async () => (await catalog.ready()).view,
  })
  const pages = {
    ...flows.deps,
    health,
    authentication,
    quickAnswerSecret,
    vapidPublicKey: vapid.publicKey,
    catalog: catalog.entry,
  }
  const routes = [
    authRoutes({ authentication, limits, addressOf, trail: { db, clock } }),
    healthRoutes({ db, clock, closing }),
    metricsRoutes({
      ...{ metrics, authentication, limits },
      isLocal: (request) => fromThisMachine(request, listener.peerOf(request), config.trustProxy),
    }),
    mirrorRoutes({ clock, authSecret, trustProxy: config.trustProxy }),
    mcpRoute(mcp),
    mcpRoute({ fetch: catalogMcp }, AGENTS_PATH),
    slackRoutes({ ...flows.deps, log }),
    restRoutes(rest, description()),
    pageRoutes(pages),
  ]
  const http = createHttp({ log, routes, errorPage: errorPage(pages) })
  const mounted = http.routes.map(({ method, path }) => ({ method, path }))
  const count = countRequests(metrics, mounted, catalog.routes)
  const house = withCors(allowedOrigins, answerFor(listener, http))
  return {
    // The catalog knows its own addresses; everything else is the other product's.
    answer(request) {
      const made = catalog.answer(request) ?? house(request)
      // What is at hand is sent without a turn of the event loop.
      return made instanceof Promise
        ? made.then((response) => count(request, response))
        : count(request, made)
    },
    routes: [...mounted, ...catalog.routes],
    async close() {
      await mcp.close()
      if (probing) await probing[Symbol.asyncDispose]()
      await catalog[Symbol.asyncDispose]()
    },
  }
}
