import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdLease, leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { requestAddress } from '../../platform/http/request.ts'
import { randomText } from '../../platform/ids.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { ownership } from '../feeds/addresses.ts'
import type { LoadedModule } from '../feeds/built-site.ts'
import { OPEN_TO_ALL } from '../feeds/document.ts'
import { MINISIGN_PATHS, REVISIONS_PATH } from '../feeds/manifest-paths.ts'
import { createServe, type Serve } from '../feeds/serve.ts'
import { isStale, mirrorFeeds } from './mirror-feeds.ts'
import { type MirroredSite, readMirroredSite } from './mirrored-site.ts'
import { type MirrorState, readMirror } from './store.ts'
import { type Synced, syncMirror } from './sync.ts'

export type MirrorDeps = {
  db: Db
  clock: Clock
  /** If it is undefined, the source is not asked. */
  fetch: GuardedFetch['fetch'] | undefined
  userAgent: string
  modules: readonly LoadedModule[]
  addressOf(request: Request): string
  limited: boolean
  /** From 0 to below 1. */
  random(): number
  /** Called after a sync that changed something or failed. */
  synced(result: Synced): void
  report(error: unknown): void
}

/** Another catalog, served in place of this server's own as long as the data folder says so. */
export type Mirror = AsyncDisposable & {
  /** The answer of the mirrored catalog, or that of `own` if this is not a mirror. */
  answer(own: Serve): Serve
  /** The mirrored site; undefined while the own catalog is served. */
  site(): MirroredSite | undefined
  /** Where it comes from and how fresh it is; undefined while the own catalog is served. */
  state(): MirrorState | undefined
  /** Looks now instead of at the next interval. */
  look(): Promise<void>
}

const LOOK_EVERY_MS = 2_000
const LEASE = 'catalog_mirror'
// After a crash the next sync is an hour away anyway.
const LEASE_MS = 5 * 60_000
const AFTER_A_FAULT_MS = 5 * 60_000

type Current = { state: MirrorState; site: MirroredSite }

/**
 * Serves what was mirrored, byte for byte, and asks its source every hour
 * (docs/catalog/mirrors.md). An expired mirror is still served, and says that it has expired.
 */
export function keepMirror(deps: MirrorDeps): Mirror {
  const { db, clock } = deps
  const first = Promise.withResolvers<void>()
  let hasLooked = false
  let current: Current | undefined
  const syncer = createSyncer(deps)
  const server = createMirrorServer(deps, () => current)

  async function refresh(): Promise<void> {
    const state = await readMirror(db.read)
    if (!state?.manifest) current = undefined
    else if (current?.state.manifest === state.manifest) current = { ...current, state }
    else current = { state, site: await readMirroredSite(db.read, state) }
    hasLooked = true
    first.resolve()
    if (state) syncer.start(state)
  }

  function answerOver(own: Serve): Serve {
    const decide: Serve = (request) => (current ? server.answer(request, current) : own(request))
    return (request) => {
      if (hasLooked || !server.owns(requestAddress(request.url).path)) return decide(request)
      return first.promise.then(() => decide(request) ?? new Response(null, { status: 404 }))
    }
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, refresh, (error) => {
    // Requests must not wait for a mirror that cannot be read, so this server's own catalog answers
    // them.
    hasLooked = true
    first.resolve()
    deps.report(error)
  })
  return {
    answer: answerOver,
    site: () => current?.site,
    state: () => current?.state,
    look: refresh,
    async [Symbol.asyncDispose]() {
      syncer.abort()
      await looking[Symbol.asyncDispose]()
      await syncer.done()
      server[Symbol.dispose]()
    },
  }
}

/** Fetches from the source, one sync at a time, while this process has the lease. */
function createSyncer(deps: MirrorDeps) {
  const { db, clock, fetch } = deps
  const holder = randomText(16)
  const closing = new AbortController()
  let syncing: Promise<void> = Promise.resolve()
  let isSyncing = false
  let notBefore = 0

  async function sync(guarded: GuardedFetch['fetch']): Promise<void> {
    const now = clock.now()
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    if (!(await db.write((tx) => takeLease(tx, lease)))) return
    try {
      const result = await holdLease(deps, { name: LEASE, holder, forMs: LEASE_MS }, () =>
        syncMirror({ ...deps, fetch: guarded, signal: closing.signal }),
      )
      if (result.outcome !== 'unchanged') deps.synced(result)
    } finally {
      await leaveLease(db, LEASE, holder)
    }
  }

  return {
    /** Starts a sync if one is due. */
    start({ nextAt }: MirrorState): void {
      if (!fetch || isSyncing || Math.max(nextAt, notBefore) > clock.now()) return
      isSyncing = true
      syncing = sync(fetch)
        .catch((error) => {
          // The database may be the fault, so the next time cannot be stored there.
          notBefore = clock.now() + AFTER_A_FAULT_MS
          deps.report(error)
        })
        .finally(() => {
          isSyncing = false
        })
    },
    abort: () => closing.abort(),
    done: () => syncing,
  }
}

function createMirrorServer(deps: MirrorDeps, current: () => Current | undefined) {
  const { clock, db, modules } = deps
  const feeds = mirrorFeeds({ read: db.read, clock, current })
  const routes = modules.flatMap((module) => module.routes)
  const paths = modules.flatMap((module) => module.asks ?? []).map(({ path }) => path)
  const asks = new Set([...paths, REVISIONS_PATH, ...MINISIGN_PATHS])
  const serve = createServe({
    clock,
    modules: [{ routes, build: () => [] }],
    dynamic: feeds,
    limited: deps.limited,
    addressOf: deps.addressOf,
    report: deps.report,
    site: () => current()?.site,
    ready: async () => {
      const now = current()
      if (now) return now.site
      throw new Error('this is not a mirror any more')
    },
  })
  return {
    owns: ownership([...routes, ...feeds.routes, ...asks, '/api/v1']),
    answer(request: Request, now: Current): ReturnType<Serve> {
      const { path, search } = requestAddress(request.url)
      const asksOrigin = asks.has(path) && (search !== '' || !now.site.documents.has(path))
      const address = search === '' ? path : `${path}?${search}`
      const response = asksOrigin ? toOrigin(now.site, address) : serve(request)
      const marked = (response: Response) => withState(response, now, path, clock.now())
      return response instanceof Promise ? response.then(marked) : response && marked(response)
    },
    [Symbol.dispose]: () => feeds[Symbol.dispose](),
  }
}

/** Queries go to the origin: a mirror has only whole documents. */
function toOrigin({ snapshot }: MirroredSite, address: string): Response {
  const headers = { location: `${snapshot.baseUrl}${address}`, 'cache-control': 'no-store' }
  return new Response(null, { status: 307, headers: { ...headers, ...OPEN } })
}

const { 'access-control-expose-headers': ALWAYS_EXPOSED, ...OPEN } = OPEN_TO_ALL
const EXPOSED = `${ALWAYS_EXPOSED}, Catalog-Mirror`

/** Adds the source of the mirror and how fresh it is. */
function withState(
  response: Response,
  { state, site }: Current,
  path: string,
  now: number,
): Response {
  const { headers } = response
  const { source, sequence, fetchedAt, expiresAt } = state
  const days = `fetched=@${Math.floor(fetchedAt / 1000)}, expires=@${Math.floor(expiresAt / 1000)}`
  const stale = `stale=${isStale(state, now) ? '?1' : '?0'}`
  headers.set('catalog-mirror', `from="${source}", sequence=${sequence}, ${days}, ${stale}`)
  headers.set('access-control-expose-headers', EXPOSED)
  const isThere = response.status === 200 || response.status === 304
  if (isThere && site.documents.has(path)) {
    headers.set('link', `<${site.snapshot.baseUrl}${path}>; rel="canonical"`)
  }
  return response
}
