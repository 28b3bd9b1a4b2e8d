import type { AnyElysia } from 'elysia'
import { type Agents, createAgents } from './accounts/agents.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { openDataFolder } from './db/data-folder.ts'
import { loadSecrets } from './db/settings-store.ts'
import type { SqliteDb } from './db/sqlite.ts'
import { createPost } from './delivery/fan-out.ts'
import { createWebPush } from './delivery/web-push/channel.ts'
import { announceOutcome } from './flows/announce-outcome.ts'
import { askUser } from './flows/ask-user.ts'
import { cancelQuestion } from './flows/cancel-question.ts'
import { keepExpiring } from './flows/expire-questions.ts'
import { proposeScope } from './flows/propose-scope.ts'
import { keepRetrying } from './flows/retry-deliveries.ts'
import { sendNotification } from './flows/send-notification.ts'
import { openSetUp, setUpUrl } from './flows/set-up.ts'
import { waitForAnswer } from './flows/wait-for-answer.ts'
import { createAuthentication } from './http/auth.ts'
import { authRoutes } from './http/auth-routes.ts'
import { clientAddress } from './http/client-address.ts'
import { createEventHub } from './http/event-hub.ts'
import { healthRoutes } from './http/health.ts'
import { createLimits } from './http/limits.ts'
import { restRoutes } from './http/rest-routes.ts'
import { type RunningServer, startServer } from './http/server.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { createGuardedFetch } from './kernel/guarded-fetch.ts'
import { randomText } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import type { McpFlows } from './mcp/flows.ts'
import { createMcp, mcpRoute } from './mcp/route.ts'
import { errorPage, pageRoutes } from './pages/pages.tsx'
import type { Question } from './questions/question.ts'
import { createWaiting } from './questions/waiting.ts'

/** The whole server at work. */
export type App = {
  /** The address it listens on. */
  url: string
  /** The one-time link that makes its bearer the owner; undefined once there is a person. */
  setUpLink: string | undefined
  db: SqliteDb
  secrets: Secrets
  /** Ends waits as pending, lets what is open finish, flushes and closes (design: Shutdown). */
  stop(): Promise<void>
}

export type AppOptions = { log: Log; clock?: Clock }

// What is under way may finish in this time; with flushing, a whole stop stays below 10 s.
const GRACE_MS = 6_000

/** Builds everything from `config` and serves. Throws a `Failure` that says in a sentence why not. */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const { log, clock = systemClock } = options
  await using opened = new AsyncDisposableStack()
  const db = opened.use(openDataFolder(config.dataFolder))
  const secrets = await loadSecrets(db, clock)
  const closing = new AbortController()
  const agents = opened.use(createAgents({ db, clock }))
  const flows = createFlows(config, { db, secrets, clock, log, opened })
  const faces = createFaces(config, {
    db,
    secrets,
    clock,
    log,
    agents,
    flows,
    closing: closing.signal,
  })
  const server = startServer({
    host: config.host,
    port: config.port,
    https: config.baseUrl.startsWith('https:'),
    log,
    routes: faces.routes,
    errorPage: faces.errorPage,
  })
  faces.listen(server)
  flows.begin()
  const code = await openSetUp({ db, clock })
  const owned = opened.move()
  return {
    url: server.url,
    setUpLink: code && setUpUrl(config.baseUrl, code),
    db,
    secrets,
    async stop() {
      closing.abort()
      flows.deps.waiting.close()
      await faces.mcp.close()
      await server.stop(GRACE_MS)
      await owned.disposeAsync()
    },
  }
}

type Ground = { db: SqliteDb; secrets: Secrets; clock: Clock; log: Log }

/** The verbs with what they need in hand, and the loops that go on by themselves. */
function createFlows(config: Config, ground: Ground & { opened: AsyncDisposableStack }) {
  const { db, secrets, clock, log, opened } = ground
  const { baseUrl, vapidSubject, allowPrivateHosts } = config
  const { vapid, quickAnswerSecret } = secrets
  const outside = createGuardedFetch({ allowPrivateHosts })
  const { fetch } = outside
  const webPush = createWebPush({ fetch, clock, vapid, vapidSubject, baseUrl, quickAnswerSecret })
  const holder = randomText(16)
  const post = opened.use(createPost({ db, clock, log, holder, channels: [webPush] }))
  const waiting = createWaiting(db.bell, clock)
  const report = (error: unknown) => log.error('work in the background failed', { error })
  const announce = (question: Question) =>
    void announceOutcome({ db, clock, post }, question).catch(report)
  const deps = { db, clock, waiting, post, baseUrl, announce }
  const tools: McpFlows = {
    askUser: (input, call) => askUser(deps, input, call),
    waitForAnswer: (input, call) => waitForAnswer(deps, input, call),
    cancelQuestion: (input, call) => cancelQuestion(deps, input, call),
    sendNotification: (input, call) => sendNotification(deps, input, call),
    proposeScope: (input, call) => proposeScope(deps, input, call),
  }
  return {
    deps,
    outside,
    tools,
    begin() {
      opened.use(keepExpiring(deps, report))
      opened.use(keepRetrying({ db, clock, post, holder }, report))
    },
  }
}

type FaceGround = Ground & {
  agents: Agents
  flows: ReturnType<typeof createFlows>
  closing: AbortSignal
}

/** Every face over the same flows. */
function createFaces(config: Config, ground: FaceGround) {
  const { db, secrets, clock, log, agents, flows, closing } = ground
  const { baseUrl } = config
  let server: RunningServer | undefined
  const addressOf = (request: Request) =>
    clientAddress(request, server?.peerOf(request), config.trustProxy)

  const limits = createLimits(clock)
  const { authSecret } = secrets
  const authentication = createAuthentication({
    ...{ db, clock, log, agents, limits, baseUrl, authSecret, addressOf },
  })
  const mcp = createMcp({
    ...{ clock, log, baseUrl, allowedOrigins: [], tools: flows.tools },
    agentFrom: authentication.agentFrom,
  })
  const rest = {
    ...flows.deps,
    ...{ limits, closing, authentication, events: createEventHub({ db, clock }) },
    ...{ outside: flows.outside, quickAnswerSecret: secrets.quickAnswerSecret },
  }
  const pages = {
    ...flows.deps,
    authentication,
    vapidPublicKey: secrets.vapid.publicKey,
  }
  const routes: AnyElysia[] = [
    authRoutes({ authentication, limits, addressOf }),
    healthRoutes({ db, closing }),
    mcpRoute(mcp),
    restRoutes(rest),
    pageRoutes(pages),
  ]
  return {
    routes,
    errorPage: errorPage(pages),
    mcp,
    listen(running: RunningServer) {
      server = running
    },
  }
}
