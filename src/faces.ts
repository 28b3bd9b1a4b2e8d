import type { Agents } from './ask/accounts/agents.ts'
import { authRoutes } from './ask/accounts/auth-routes.ts'
import { createAuthentication } from './ask/accounts/authentication.ts'
import { accountPages } from './ask/accounts/pages/pages.ts'
import { accountRoutes } from './ask/accounts/rest.ts'
import { activityPages } from './ask/audit/pages/activity.tsx'
import { auditRoutes } from './ask/audit/rest.ts'
import { callbackPages } from './ask/callbacks/pages/callbacks.tsx'
import { callbackRoutes } from './ask/callbacks/rest.ts'
import { deliveryRoutes } from './ask/delivery/rest.ts'
import { devicePages } from './ask/devices/pages/pages.ts'
import { deviceRoutes } from './ask/devices/rest.ts'
import { createHealth } from './ask/health/health.ts'
import { healthPages } from './ask/health/pages/health.tsx'
import { healthRoutes, metricsRoutes } from './ask/health/probes-rest.ts'
import { mirrorRoutes } from './ask/health/reflect-request.ts'
import { checkRoutes } from './ask/health/rest.ts'
import { createEventHub } from './ask/home/event-hub.ts'
import { eventRoutes } from './ask/home/events.ts'
import { homePages } from './ask/home/pages/pages.ts'
import { createMcp, mcpRoute } from './ask/mcp/route.ts'
import type { Tool } from './ask/mcp/tool.ts'
import { notificationPages } from './ask/notifications/pages/pages.ts'
import { notificationRoutes } from './ask/notifications/rest.ts'
import { errorPage, mountPages } from './ask/pages/mount-pages.ts'
import type { Page } from './ask/pages/page.ts'
import { policyPages } from './ask/policy/pages/pages.ts'
import { policyRoutes } from './ask/policy/rest.ts'
import { questionPages } from './ask/questions/pages/pages.ts'
import { countInbox } from './ask/questions/read-questions.ts'
import { questionRoutes } from './ask/questions/rest.ts'
import { mountRest } from './ask/rest/mount-rest.ts'
import { scopeRoutes } from './ask/scopes/rest.ts'
import { sessionPages } from './ask/sessions/pages/sessions.tsx'
import { sessionRoutes } from './ask/sessions/rest.ts'
import { AGENTS_PATH } from './catalog/agents/address.ts'
import { createCatalogFeature } from './catalog/feature.ts'
import type { MountedRoute } from './platform/http/allowed-methods.ts'
import { clientAddress, fromThisMachine } from './platform/http/client-address.ts'
import { withCors } from './platform/http/cors.ts'
import { createLimits } from './platform/http/limits.ts'
import type { Answer, Listener } from './platform/http/listener.ts'
import { countRequests } from './platform/http/request-metrics.ts'
import { answerFor, createHttp } from './platform/http/server.ts'
import type { WorkspaceId } from './platform/ids.ts'
import type { AppContext, Flows } from './verbs.ts'

export type FacesContext = AppContext & {
  agents: Agents
  flows: Flows
  tools: readonly Tool[]
  channelPages: readonly Page[]
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

export function createFaces(app: FacesContext): Faces {
  const { config, db, secrets, clock, log, metrics, agents, listener, closing } = app
  const { flows, tools, channelPages } = app
  const { baseUrl, allowedOrigins } = config
  const addressOf = (request: Request) =>
    clientAddress(request, listener.peerOf(request), config.trustProxy)
  const limits = createLimits(clock)
  const { authSecret, quickAnswerSecret, vapid } = secrets
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl,
    authSecret,
    addressOf,
  })
  const called = metrics.counter({
    name: 'beckon_mcp_calls_total',
    help: 'Calls of tools, by tool and outcome: ok, or the code of what went wrong.',
    labels: ['tool', 'outcome'],
  })
  const mcp = createMcp({
    clock,
    log,
    baseUrl,
    allowedOrigins,
    tools,
    agentFrom: authentication.agentFrom,
    held: agents.held,
    clientNames: agents.clientNames,
    callLimit: limits.token,
    called,
  })
  const { fetch } = flows.deps.outside
  const health = createHealth({
    config,
    db,
    clock,
    authSecret,
    fetch,
    channels: flows.deps.channels,
  })
  const events = createEventHub({ db, clock })
  metrics.figure({
    name: 'beckon_event_streams',
    kind: 'gauge',
    help: 'Pages and programs that follow what happens (server-sent events) now.',
    read: events.watching,
  })
  const rest = {
    ...flows.deps,
    health,
    limits,
    closing,
    authentication,
    events,
    quickAnswerSecret,
    vapidPublicKey: vapid.publicKey,
  }
  const catalog = createCatalogFeature({ config, db, clock, log, metrics, fetch, addressOf })
  const pages = {
    ...flows.deps,
    health,
    authentication,
    quickAnswerSecret,
    vapidPublicKey: vapid.publicKey,
  }
  const visitors = {
    clock,
    authentication,
    vapidPublicKey: vapid.publicKey,
    catalog: catalog.entry,
    countOpen: (id: WorkspaceId) => countInbox({ db, clock }, id),
  }
  const routes = [
    authRoutes({ authentication, limits, addressOf, trail: { db, clock } }),
    healthRoutes({ db, clock, closing }),
    metricsRoutes({
      metrics,
      authentication,
      limits,
      isLocal: (request) => fromThisMachine(request, listener.peerOf(request), config.trustProxy),
    }),
    mirrorRoutes({ clock, authSecret, trustProxy: config.trustProxy }),
    mcpRoute(mcp),
    mcpRoute({ fetch: catalog.agents }, AGENTS_PATH),
    ...flows.channelRoutes.map(({ routes }) => routes),
    mountRest(
      [
        ...accountRoutes(rest),
        ...auditRoutes(rest),
        ...callbackRoutes(rest),
        ...deliveryRoutes(rest),
        ...deviceRoutes(rest),
        ...checkRoutes(rest),
        ...notificationRoutes(rest),
        ...policyRoutes(rest),
        ...questionRoutes(rest),
        ...scopeRoutes(rest),
        ...sessionRoutes(rest),
        ...eventRoutes(rest),
      ],
      { callers: rest, baseUrl, more: catalog.openApi },
    ),
    mountPages(
      [
        ...homePages(pages),
        ...questionPages(pages),
        ...notificationPages(pages),
        ...policyPages(pages),
        ...accountPages(pages),
        ...devicePages(pages),
        ...activityPages(pages),
        ...sessionPages(pages),
        ...healthPages(pages),
        ...callbackPages(pages),
        ...channelPages,
      ],
      visitors,
    ),
  ]
  const calledByChannels = flows.channelRoutes.map(({ name, routes }) => ({
    face: name,
    routes: routes.routes,
  }))
  const http = createHttp({
    log,
    routes,
    errorPage: errorPage(visitors),
    programPaths: calledByChannels.flatMap(({ routes }) => routes.map(({ path }) => path)),
  })
  const mounted = http.routes.map(({ method, path }) => ({ method, path }))
  const count = countRequests(metrics, mounted, [
    ...calledByChannels,
    { face: 'catalog', routes: catalog.routes },
  ])
  const house = withCors(allowedOrigins, answerFor(listener, http))
  return {
    // The catalog knows its own addresses. Its documents lie ready: as routes of Elysia each cost
    // 13 to 18 % more time of the processor.
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
      await catalog[Symbol.asyncDispose]()
    },
  }
}
