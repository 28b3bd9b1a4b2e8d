import type { AnyElysia } from 'elysia'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { AgreedTime } from '../platform/db/agreed-time.ts'
import type { Db } from '../platform/db/database.ts'
import { Failure } from '../platform/failure.ts'
import { requestAddress } from '../platform/http/request.ts'
import { randomText } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { mcpRoute } from '../platform/mcp/http-handler.ts'
import type { Metrics } from '../platform/metrics.ts'
import { loadOnce } from '../platform/once.ts'
import type { GuardedFetch } from '../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../platform/repeat.ts'
import { AGENTS_PATH } from './agents/address.ts'
import { CATALOG_PATHS, loadFeedModules } from './feed-modules.ts'
import { normalPath, ownership } from './feeds/addresses.ts'
import type { PublishedNews } from './feeds/published-news.ts'
import type { Serve } from './feeds/serve.ts'
import { readMirror } from './mirror/store.ts'
import { pageHref } from './page-paths.ts'
import { latestRevision } from './publishing/store.ts'
import type { Catalog, CatalogFigures } from './routes.ts'
import { recordOfServer } from './uses/server-record.ts'

export type FeatureDeps = {
  config: Pick<Config, 'baseUrl' | 'allowedOrigins' | 'catalog'>
  db: Db
  clock: Clock
  agreedTime: AgreedTime
  log: Log
  metrics: Metrics
  /** The guarded fetch. */
  fetch: GuardedFetch['fetch']
  /** The address that limits count by. */
  addressOf(request: Request): string
}

type ServerRecord = { name: string; path: string; grade: string | undefined }

/** The parts of the catalog that a server mounts. */
export type CatalogFeature = AsyncDisposable & {
  /** Undefined for an address that is not the catalog's. */
  answer: Serve
  routes: ReadonlyArray<{ method: string; path: string }>
  /** The path of the directory; undefined while it is empty. */
  entry(): string | undefined
  /**
   * The record of the MCP server with this command line or URL, by its package or address; undefined if
   * no catalog is served, or if it is not certain.
   */
  recordOf(server: string): Promise<ServerRecord | undefined>
  /** What is new in the catalog that is served; undefined if none is. */
  news(): Promise<PublishedNews | undefined>
  /** For agents, over MCP. */
  agents(): AnyElysia
  /** The description for `/openapi.json`. */
  openApi(): Promise<Record<'paths' | 'schemas' | 'headers', Record<string, unknown>>>
  /** Prepares the whole of `/openapi.json` to be sent as feeds are. */
  openApiSender(description: string): Promise<(request: Request) => Promise<Response>>
}

// A first publish is noticed within this time; looking costs one read of two small tables.
const LOOK_EVERY_MS = 2_000
const NO_FIGURES: CatalogFigures = { tools: 0, sequence: 0, mirror: undefined }

/**
 * The catalog. It is loaded once something is published or mirrored, or on the first request for
 * one of its addresses, so that a server without a catalog does not spend memory on it. Requests
 * wait while it loads.
 */
export function createCatalogFeature(deps: FeatureDeps): CatalogFeature {
  const { config, db, clock, log, fetch, addressOf } = deps
  const { baseUrl, allowedOrigins } = config
  const limited = config.catalog.rateLimit
  const owns = ownership(CATALOG_PATHS)
  let catalog: Catalog | undefined
  let probing: AsyncDisposable | undefined
  let isKnownEmpty = false
  let isClosed = false

  const load = loadOnce(async () => {
    const [{ createCatalog }, modules] = await Promise.all([
      import('./routes.ts'),
      loadFeedModules(),
    ])
    if (isClosed) throw new Failure('unavailable', 'The server is stopping.')
    catalog = createCatalog({ modules, db, clock, log, baseUrl, addressOf, limited, fetch })
    return catalog
  })
  const figures = () => (catalog ? catalog.figures() : isKnownEmpty ? NO_FIGURES : undefined)
  const probed = measureCatalog(deps.metrics, figures)

  async function refresh(): Promise<void> {
    const mayProbe = config.catalog.probes && !probing
    if (catalog && !mayProbe) return
    const isPublished = (await latestRevision(db.read)) !== undefined
    const isWanted = isPublished || (await readMirror(db.read)) !== undefined
    isKnownEmpty = !isWanted
    if (isWanted) await load()
    if (isPublished && mayProbe) probing = await beginProbing(deps, probed)
  }

  const agents = loadOnce(async () => {
    const { createCatalogMcp } = await import('./agents/endpoint.ts')
    const snapshot = async () => (await (await load()).ready()).snapshot
    return createCatalogMcp({ clock, log, baseUrl, allowedOrigins, addressOf, limited, snapshot })
  })
  const looking = repeatEvery(clock, LOOK_EVERY_MS, refresh, (error) =>
    log.error('the catalog could not be read', { error }),
  )
  return {
    answer(request) {
      if (catalog) return catalog.answer(request)
      if (!owns(normalPath(requestAddress(request.url).path))) return undefined
      return load().then((loaded) => loaded.answer(request) ?? new Response(null, { status: 404 }))
    },
    routes: CATALOG_PATHS.map((path) => ({ method: 'GET', path })),
    entry: () => catalog?.entry(),
    news: async () => await catalog?.news(),
    async recordOf(server) {
      if (!catalog?.entry()) return undefined
      const { tools } = (await catalog.ready()).snapshot
      return summaryOf(recordOfServer(tools, server))
    },
    agents: () =>
      mcpRoute(AGENTS_PATH, {
        fetch: async (request, server) => (await agents())(request, server),
      }),
    openApi,
    openApiSender,
    async [Symbol.asyncDispose]() {
      isClosed = true
      await looking[Symbol.asyncDispose]()
      await probing?.[Symbol.asyncDispose]()
      await catalog?.[Symbol.asyncDispose]()
    },
  }
}

function summaryOf(tool: ReturnType<typeof recordOfServer>): ServerRecord | undefined {
  if (!tool) return undefined
  const { name, slug, catalog } = tool
  return { name, path: pageHref.tool(slug), grade: catalog.grade ?? undefined }
}

async function beginProbing(deps: FeatureDeps, probed: (outcome: string) => void) {
  const { keepProbing } = await import('./probing/schedule.ts')
  const { ALL_PROBES } = await import('./facts/facts.ts')
  const { db, clock, agreedTime, log, fetch, config } = deps
  return keepProbing({
    db,
    clock,
    agreedTime,
    log,
    fetch,
    baseUrl: config.baseUrl,
    holder: randomText(16),
    probes: ALL_PROBES,
    canary: config.catalog.canary,
    random: Math.random,
    probed,
  })
}

async function openApi() {
  const { catalogOpenApi } = await import('./openapi/description.ts')
  const { agentsOpenApi } = await import('./openapi/agents.ts')
  const feeds = catalogOpenApi()
  const agents = agentsOpenApi()
  return {
    headers: feeds.headers,
    paths: { ...feeds.paths, ...agents.paths },
    schemas: { ...feeds.schemas, ...agents.schemas },
  }
}

async function openApiSender(description: string) {
  const { descriptionSender } = await import('./openapi/send-description.ts')
  return descriptionSender(description)
}

/** Adds the catalog's figures to `/metrics`; returns a counter of probes by outcome. */
function measureCatalog(
  metrics: Metrics,
  figures: () => CatalogFigures | undefined,
): (outcome: string) => void {
  metrics.figure({
    name: 'beckon_catalog_tools',
    kind: 'gauge',
    help: 'Tools in the catalog that is served.',
    read: () => figures()?.tools,
  })
  metrics.figure({
    name: 'beckon_catalog_sequence',
    kind: 'gauge',
    help: 'Sequence number of the revision that is served; 0 when nothing was published.',
    read: () => figures()?.sequence,
  })
  metrics.figure({
    name: 'beckon_catalog_mirror_fetched_timestamp_seconds',
    kind: 'gauge',
    help: 'When the source of a mirror last answered, in seconds since 1970.',
    read: () => inSeconds(figures()?.mirror?.fetchedAt),
  })
  metrics.figure({
    name: 'beckon_catalog_mirror_expires_timestamp_seconds',
    kind: 'gauge',
    help: 'When the mirrored manifest expires, in seconds since 1970.',
    read: () => inSeconds(figures()?.mirror?.expiresAt),
  })
  return metrics.counter({
    name: 'beckon_catalog_probes_total',
    help: 'Tries to reach a tool, by outcome; discarded when this server itself was cut off.',
    labels: ['outcome'],
  })
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000
}
