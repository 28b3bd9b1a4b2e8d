import { createAgents } from './accounts/agents.ts'
import type { Config } from './config/config.ts'
import { openDataFolder } from './db/data-folder.ts'
import { loadSecrets } from './db/settings-store.ts'
import type { SqliteDb } from './db/sqlite.ts'
import { createPost } from './delivery/fan-out.ts'
import { keepExpiring } from './flows/expire-questions.ts'
import { keepRetrying } from './flows/retry-deliveries.ts'
import { openSetUp, setUpUrl } from './flows/set-up.ts'
import { createAuthentication } from './http/auth.ts'
import { authRoutes } from './http/auth-routes.ts'
import { clientAddress } from './http/client-address.ts'
import { createEventHub } from './http/event-hub.ts'
import { healthRoutes } from './http/health.ts'
import { createLimits } from './http/limits.ts'
import { restRoutes } from './http/rest-routes.ts'
import { type RunningServer, startServer } from './http/server.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { randomText } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import { createWaiting } from './questions/waiting.ts'

/** The whole server at work. */
export type App = {
  /** The address it listens on. */
  url: string
  port: number
  /** The one-time link that makes its bearer the owner; undefined once there is a person. */
  setUpLink: string | undefined
  db: SqliteDb
  /** Ends waits as pending, lets what is open finish, flushes and closes (design: Shutdown). */
  stop(): Promise<void>
}

// What is under way may finish in this time; with flushing, the whole stop stays below 10 s.
const GRACE_MS = 7_000

/** Builds everything from `config` and serves. Throws a `Failure` in one sentence. */
export async function startApp(
  config: Config,
  { log, clock = systemClock }: { log: Log; clock?: Clock },
): Promise<App> {
  await using onFailure = new AsyncDisposableStack()
  const db = onFailure.use(openDataFolder(config.dataFolder))
  const secrets = await loadSecrets(db, clock)
  const closing = new AbortController()
  const holder = randomText(16)
  const baseUrl = config.baseUrl

  let server: RunningServer | undefined
  const addressOf = (request: Request) =>
    clientAddress(request, server?.peerOf(request), config.trustProxy)

  const limits = createLimits(clock)
  const agents = onFailure.use(createAgents({ db, clock }))
  const waiting = createWaiting(db.bell, clock)
  const post = onFailure.use(createPost({ db, clock, log, holder, channels: [] }))
  const events = createEventHub({ db, clock })
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl,
    authSecret: secrets.authSecret,
    addressOf,
  })
  const flowDeps = { db, clock, waiting, post, baseUrl, announce() {} }

  server = startServer({
    host: config.host,
    port: config.port,
    https: baseUrl.startsWith('https:'),
    log,
    routes: [
      authRoutes({ authentication, limits, addressOf }),
      healthRoutes({ db, closing: closing.signal }),
      restRoutes({
        ...flowDeps,
        limits,
        events,
        trustProxy: config.trustProxy,
        closing: closing.signal,
        agentFrom: async () => ({}) as never,
        personFrom: authentication.personFrom,
        sameOrigin: authentication.sameOrigin,
        quickAnswerer: async () => '' as never,
      }),
    ],
  })
  const report = (error: unknown) => log.error('work in the background failed', { error })
  onFailure.use(keepExpiring(flowDeps, report))
  onFailure.use(keepRetrying({ db, clock, post, holder }, report))
  const code = await openSetUp({ db, clock })
  const owned = onFailure.move()
  const { url, port } = server

  return {
    url,
    port,
    db,
    setUpLink: code && setUpUrl(baseUrl, code),
    async stop() {
      closing.abort()
      waiting.close()
      await server.stop(GRACE_MS)
      await owned.disposeAsync()
    },
  }
}
