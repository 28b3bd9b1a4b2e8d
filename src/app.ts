import { newestInTrail } from './ask/audit/model/store.ts'
import { CHANNELS } from './ask/channels/channels.ts'
import { requireEntrance } from './ask/company/change-providers.ts'
import { type ChannelModule, connectable } from './ask/delivery/channel-module.ts'
import { absolute, decidePath } from './ask/delivery/model/links.ts'
import type { Feature } from './ask/feature.ts'
import { clockTolerance, warnOfClock } from './ask/health/time-check.ts'
import { oauthFor } from './ask/oauth/switched-on.ts'
import { openSetUp, setUpUrl } from './ask/sign-in/set-up.ts'
import { PROBING } from './catalog/probing/lease.ts'
import { type Features, featuresOf, type Platform } from './features.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, type HttpsConfig, onPort } from './platform/config/config.ts'
import { openAgreedTime } from './platform/db/agreed-time.ts'
import { isKnownFolder } from './platform/db/data-folder.ts'
import type { OpenDb } from './platform/db/database.ts'
import { dropLeases } from './platform/db/lease-store.ts'
import { serveAlone } from './platform/db/only-server.ts'
import { openDatabase } from './platform/db/open-database.ts'
import { reportTo } from './platform/db/report-background.ts'
import type { Secrets } from './platform/db/secrets.ts'
import { loadSecrets } from './platform/db/settings-store.ts'
import { unlessUnavailable } from './platform/db/storage-failure.ts'
import { sweepDataFolder } from './platform/db/sweep-data-folder.ts'
import { closeToOthers } from './platform/db/tighten-folder.ts'
import { clientAddress, fromThisMachine, proxiesAt } from './platform/http/caller-address.ts'
import { withCors } from './platform/http/cors.ts'
import { createLimits } from './platform/http/limits.ts'
import type { Answer, Listener } from './platform/http/listener.ts'
import type { MountedRoute } from './platform/http/server.ts'
import { readAuthority } from './platform/https/read-authority.ts'
import { randomText } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { loadOnce } from './platform/once.ts'
import { createGuardedFetch } from './platform/outgoing/guarded-fetch.ts'
import { VERSION } from './platform/program.ts'
import { countRequests, measureProcess } from './platform/server-metrics.ts'

/** A running server. */
export type App = {
  /** The address it listens on. */
  url: string
  /** The address that people and agents use. */
  baseUrl: string
  /** The one-time link that makes its bearer the owner; undefined once there is a person. */
  setUpLink: string | undefined
  /** Why https does not answer yet although it is set up. */
  tlsProblem(): string | undefined
  db: OpenDb
  secrets: Secrets
  /** Every route, for tests that try each. */
  routes(): Promise<readonly MountedRoute[]>
  /** Reports that it is not ready any more, and goes on until `stop`. */
  leave(): void
  /** Ends waits as pending, lets open requests finish, flushes and closes. */
  stop(): Promise<void>
}

export type AppOptions = {
  log: Log
  clock?: Clock
  listener: Listener
  channels?: readonly ChannelModule[]
  /** Further features besides those of the product. */
  more?: readonly Feature[]
  /** False for a server that only answers, without background jobs. */
  jobs?: boolean
  /** Called once pages and routes are loaded. */
  onLoaded?: () => void
}

// How long open requests may take to finish. With callbacks (1 s) and pushes (2 s), which are cut
// off after it, a whole stop stays below the 9.5 s after which the process would end itself.
const GRACE_MS = 5_000
// Pages and routes are slow to load, so they are loaded with the first request, or after a moment
// without one.
const LOAD_AFTER_MS = 250

/** Loads the code that answers requests. */
async function mount(platform: Platform, listener: Listener, built: Features) {
  const { config, secrets, clock, log, metrics, limits } = platform
  const { features, authentication, hide, propose, countOpen } = built
  const { loadParts, mountParts } = await import('./ask/mount.ts')
  const { createCatalogFeature } = await import('./catalog/feature.ts')
  const { answerFor } = await import('./platform/http/server.ts')
  const parts = await loadParts(features)
  const catalog = createCatalogFeature({ ...platform, fetch: platform.outside.fetch })
  const { entry, recordOf, openApi: more, openApiSender: sender } = catalog
  const vapidPublicKey = secrets.vapid.publicKey
  const { http, services } = mountParts(parts, {
    log,
    isTls: config.https !== undefined,
    rest: {
      callers: {
        ...{ clock, limits, authentication, hide },
        propose: async (change) => absolute(config.baseUrl, decidePath(await propose(change))),
      },
      baseUrl: config.baseUrl,
      more,
      sender,
    },
    visitors: {
      clock,
      authentication,
      hide,
      propose,
      countOpen,
      vapidPublicKey,
      catalog: entry,
      recordOf,
    },
    beside: [catalog.agents()],
  })
  const routes = http.routes.map(({ method, path }) => ({ method, path }))
  const count = countRequests(metrics, routes, [
    ...services,
    { face: 'catalog', routes: catalog.routes },
  ])
  const ask = withCors(config.allowedOrigins, answerFor(listener, http))
  // The catalog knows its own addresses. Its documents are ready in memory: as routes of Elysia
  // each would cost 13 to 18 % more processor time.
  // The first request for a large catalog waits until that is signed or packed.
  const answerCatalog = (request: Request) => {
    const response = catalog.answer(request)
    return response instanceof Promise ? listener.holdOpen(request, response) : response
  }
  const answer: Answer = (request) => {
    const response = answerCatalog(request) ?? ask(request)
    // A response that is ready is sent without a turn of the event loop.
    return response instanceof Promise
      ? response.then((response) => count(request, response))
      : count(request, response)
  }
  return { answer, routes: [...routes, ...catalog.routes], catalog }
}

/** Only once the data folder is ours alone: two servers would both request a certificate. */
async function openHttps(
  { baseUrl, dataFolder }: Config,
  https: HttpsConfig,
  more: { authority: string | undefined; log: Log; clock: Clock; listener: Listener },
) {
  const { serveHttps } = await import('./platform/https/serve-https.ts')
  return serveHttps({ https, baseUrl, dataFolder, ...more })
}

/**
 * Opens the data folder and everything else that the features are built from; `opened` closes it.
 */
async function openPlatform(
  opened: AsyncDisposableStack,
  config: Config,
  { log, clock = systemClock, listener, channels = CHANNELS }: AppOptions,
): Promise<Omit<Platform, 'publishedNews'>> {
  const { dataFolder, allowPrivateHosts } = config
  const isProxy = proxiesAt(config.trustProxy)
  // Read before anything is made: a wrong setting leaves no data folder behind.
  const authority = config.https?.caFile && readAuthority(config.https.caFile)
  // Also before anything is made in the folder.
  if (!config.database) isKnownFolder(dataFolder)
  // Servers that share PostgreSQL may share the folder, but its certificates are for one of them.
  const isAlone = !config.database || config.https !== undefined
  const alone = isAlone ? opened.use(serveAlone(dataFolder)) : undefined
  if (!config.database) sweepDataFolder(dataFolder)
  const db = opened.use(await openDatabase(config, { warn: (sentence) => log.warn(sentence) }))
  const agreedTime = await openAgreedTime(
    { db, clock, toleranceMs: clockTolerance(config), warn: (ahead) => warnOfClock(log, ahead) },
    newestInTrail,
  )
  // The folder is ours alone, so that nobody works on what a lease in it says. Leases that cannot be
  // dropped end by themselves.
  if (!config.database) await unlessUnavailable(dropLeases(db, PROBING))
  const oauth = await oauthFor(
    { db, clock },
    { oauth: config.oauth.signIn, baseUrl: config.baseUrl },
  )
  await requireEntrance(db, config.company)
  const secrets = await loadSecrets(db, clock)
  const keeper =
    config.https && (await openHttps(config, config.https, { authority, log, clock, listener }))
  if (keeper) opened.use(keeper)
  const metrics = createMetrics()
  opened.use(measureProcess(metrics, VERSION))
  return {
    config,
    db,
    secrets,
    clock,
    agreedTime,
    log,
    metrics,
    limits: createLimits({ db, clock }),
    oauth,
    outside: createGuardedFetch({ allowPrivateHosts }),
    channels: channels.map((one) => connectable(one, config)),
    holder: randomText(16),
    announce: () => alone?.announce(config),
    leaving: new AbortController(),
    closing: new AbortController(),
    tlsProblem: () => keeper?.problem(),
    isProxy,
    peerOf: listener.peerOf,
    addressOf: (request) => clientAddress(request, listener.peerOf(request), isProxy),
    isLocal: (request) => fromThisMachine(request, listener.peerOf(request), isProxy),
  }
}

/**
 * Builds everything from `given` and serves at `listener`, which it owns from now on. Throws a
 * `Failure` whose sentence says why it could not.
 */
export async function startApp(initialConfig: Config, options: AppOptions): Promise<App> {
  const { listener, more = [], jobs: works = true, onLoaded } = options
  const config = onPort(initialConfig, listener.port)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => listener.stop(0))
  // Starts the thread for outgoing requests, which is waited for below. If the first outgoing request
  // started it while every file descriptor is taken, the process would end. A connection without a
  // request, as `fetch.preconnect` makes, would delay a stop for its whole grace period.
  const outgoing = fetch(`${listener.url}/healthz`, { keepalive: false }).catch(() => {})
  const platform: Platform = {
    ...(await openPlatform(opened, config, options)),
    publishedNews: async () => (await mounted()).catalog.news(),
  }
  const { db, secrets, clock, log, leaving, closing } = platform
  const built = featuresOf(platform, more)
  const { features, waiters } = built
  for (const one of features.flatMap(({ owns = [] }) => owns)) opened.use(one)
  const mounted = loadOnce(async () => {
    const application = await mount(platform, listener, built)
    listener.answerWith(application.answer)
    return application
  })
  listener.answerWith(async (request) => (await mounted()).answer(request))
  opened.defer(clock.after(LOAD_AFTER_MS, () => void mounted().then(onLoaded, () => {})))
  const code = await openSetUp({ db, clock }, { others: config.database !== undefined })
  // Logged only now, because a start that fails should report one sentence only.
  closeToOthers(config.dataFolder, log)
  // Jobs begin only now, because their errors would also be logged beside a start that fails.
  const report = reportTo(log, clock)
  const jobs = works ? features.flatMap((feature) => feature.jobs ?? []) : []
  for (const begin of jobs) opened.use(begin(report))
  platform.announce()
  await outgoing
  const owned = opened.move()
  return {
    url: listener.url,
    baseUrl: config.baseUrl,
    setUpLink: code && setUpUrl(config.baseUrl, code),
    tlsProblem: platform.tlsProblem,
    db,
    secrets,
    routes: async () => (await mounted()).routes,
    leave() {
      leaving.abort()
      listener.leave()
    },
    async stop() {
      leaving.abort()
      const stopped = listener.stop(GRACE_MS)
      closing.abort()
      waiters.close()
      // If loading failed, there is nothing open.
      const open = await mounted().catch(() => undefined)
      for (const feature of features) await feature.close?.()
      await open?.catalog[Symbol.asyncDispose]()
      await stopped
      await owned.disposeAsync()
    },
  }
}
