import { createAgents } from './ask/accounts/agents.ts'
import { openSetUp, setUpUrl } from './ask/accounts/set-up.ts'
import { CHANNELS } from './ask/delivery/channels/channels.ts'
import type { ChannelModule } from './ask/delivery/channels/module.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, onPort } from './platform/config/config.ts'
import { VERSION } from './platform/config/version.ts'
import { openDataFolder } from './platform/db/data-folder.ts'
import { serveAlone } from './platform/db/only-server.ts'
import type { Secrets } from './platform/db/secrets.ts'
import { loadSecrets } from './platform/db/settings-store.ts'
import type { SqliteDb } from './platform/db/sqlite.ts'
import { closeToOthers } from './platform/db/tighten-folder.ts'
import type { MountedRoute } from './platform/http/allowed-methods.ts'
import type { Listener } from './platform/http/listener.ts'
import { loadOnce } from './platform/load-once.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { measureProcess } from './platform/process-metrics.ts'
import { createFlows } from './verbs.ts'

/** The whole server at work. */
export type App = {
  /** The address it listens on. */
  url: string
  /** The address that people and agents use. */
  baseUrl: string
  /** The one-time link that makes its bearer the owner; undefined once there is a person. */
  setUpLink: string | undefined
  db: SqliteDb
  secrets: Secrets
  /** Every route of every face, for tests that try each. */
  routes(): Promise<readonly MountedRoute[]>
  /** Ends waits as pending, lets what is open finish, flushes and closes. */
  stop(): Promise<void>
}

export type AppOptions = {
  log: Log
  clock?: Clock
  listener: Listener
  channels?: readonly ChannelModule[]
}

// What is under way may finish in this time. With callbacks (1 s) and pushes (2 s) that are cut after
// it, a whole stop stays below the 9.5 s after which the process would end itself.
const GRACE_MS = 5_000
// The faces are slow to load: with the first request, or when nobody has come for a moment.
const LOAD_AFTER_MS = 250

/**
 * Builds everything from `given` and serves at `listener`, which it owns from now on. Throws a
 * `Failure` that says in a sentence why not.
 */
export async function startApp(given: Config, options: AppOptions): Promise<App> {
  const { log, clock = systemClock, listener, channels = CHANNELS } = options
  const config = onPort(given, listener.port)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => listener.stop(0))
  // Begins the thread that makes outgoing requests. Left to the first of them, it ends the process
  // when just then every file descriptor is taken.
  fetch.preconnect(listener.url)
  opened.use(serveAlone(config.dataFolder))
  const db = opened.use(openDataFolder(config.dataFolder))
  const secrets = await loadSecrets(db, clock)
  const closing = new AbortController()
  const agents = opened.use(createAgents({ db, clock }))
  const metrics = createMetrics()
  opened.use(measureProcess(metrics, VERSION))
  const app = { config, db, secrets, clock, log, metrics }
  const flows = createFlows(app, channels, opened)
  const faces = loadOnce(async () => {
    const { createFaces } = await import('./faces.ts')
    const made = createFaces({
      ...app,
      agents,
      flows,
      tools: await flows.tools(),
      channelPages: await flows.channelPages(),
      listener,
      closing: closing.signal,
    })
    listener.answerWith(made.answer)
    return made
  })
  listener.answerWith(async (request) => (await faces()).answer(request))
  opened.defer(clock.after(LOAD_AFTER_MS, () => void faces().catch(() => {})))
  const code = await openSetUp({ db, clock })
  // Not before: of a start that fails one sentence is enough.
  closeToOthers(config.dataFolder, log)
  // Not before: work that fails beside a start that fails would be told in the log, too.
  flows.begin()
  const owned = opened.move()
  return {
    url: listener.url,
    baseUrl: config.baseUrl,
    setUpLink: code && setUpUrl(config.baseUrl, code),
    db,
    secrets,
    routes: async () => (await faces()).routes,
    async stop() {
      const stopped = listener.stop(GRACE_MS)
      closing.abort()
      flows.deps.waiters.close()
      // What could not be loaded has nothing open.
      const open = await faces().catch(() => undefined)
      await open?.close()
      await stopped
      await owned.disposeAsync()
    },
  }
}
