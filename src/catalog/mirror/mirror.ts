import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { requestAddress } from '../../platform/http/request-address.ts'
import { randomText } from '../../platform/ids.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { LoadedModule } from '../feed-modules.ts'
import { ownership } from '../feeds/addresses.ts'
import { OPEN_TO_ALL } from '../feeds/document.ts'
import { REVISIONS_PATH } from '../feeds/manifest-paths.ts'
import { createServe, type Serve } from '../feeds/serve.ts'
import { isStale, mirrorFeeds } from './mirror-feeds.ts'
import { type MirroredSite, readMirroredSite } from './mirrored-site.ts'
import { type MirrorState, readMirror } from './store.ts'
import { type Synced, syncMirror } from './sync.ts'

export type MirrorDeps = {
  db: Db
  clock: Clock
  /** Without it nothing is asked of the source. */
  fetch: GuardedFetch['fetch'] | undefined
  userAgent: string
  modules: readonly LoadedModule[]
  addressOf(request: Request): string
  limited: boolean
  /** From 0 to below 1. */
  random(): number
  /** A sync that changed something or failed. */
  synced(result: Synced): void
  report(error: unknown): void
}

/** Another catalog in the place of the own one, as long as the data folder says so. */
export type Mirror = AsyncDisposable & {
  /** The catalog's answer as long as this is a mirror, else that of `own`. */
  answer(own: Serve): Serve
  /** What is mirrored; undefined while the own catalog is served. */
  site(): MirroredSite | undefined
  /** Where it comes from and how fresh it is; undefined while the own catalog is served. */
  state(): MirrorState | undefined
  /** Looks now, instead of in a moment. */
  look(): Promise<void>
}

const LOOK_EVERY_MS = 2_000
const LEASE = 'catalog_mirror'
// Much longer than a fetch of what changed; after a crash the next hour comes anyway.
const LEASE_MS = 5 * 60_000
const AFTER_A_FAULT_MS = 5 * 60_000

/**
 * Serves what was mirrored, byte for byte, and asks its source every hour
 * (docs/catalog/mirrors.md). What is expired goes on being served, and says so.
 */
export function keepMirror(deps: MirrorDeps): Mirror {
  const { db, clock, modules } = deps
  const holder = randomText(16)
  const closing = new AbortController()
  const first = Promise.withResolvers<void>()
  let hasLooked = false
  let current: { state: MirrorState; site: MirroredSite } | undefined
  let syncing: Promise<void> = Promise.resolve()
  let isSyncing = false
  let notBefore = 0

  async function look(): Promise<void> {
    const state = await readMirror(db.read)
    if (!state?.manifest) current = undefined
    else if (current?.state.manifest === state.manifest) current = { ...current, state }
    else current = { state, site: await readMirroredSite(db.read, state) }
    hasLooked = true
    first.resolve()
    const { fetch } = deps
    const isDue = state && Math.max(state.nextAt, notBefore) <= clock.now()
    if (fetch && isDue && !isSyncing) {
      isSyncing = true
      syncing = sync(fetch)
        .catch((error) => {
          // A storage that refuses cannot be told when to be asked again.
          notBefore = clock.now() + AFTER_A_FAULT_MS
          deps.report(error)
        })
        .finally(() => {
          isSyncing = false
        })
    }
  }

  async function sync(fetch: GuardedFetch['fetch']): Promise<void> {
    const now = clock.now()
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    if (!(await db.write((tx) => takeLease(tx, lease)))) return
    try {
      const result = await syncMirror({ ...deps, fetch, signal: closing.signal })
      if (result.outcome !== 'unchanged') deps.synced(result)
    } finally {
      await leaveLease(db, LEASE, holder)
    }
  }

  const feeds = mirrorFeeds({ read: db.read, clock, current: () => current })
  const routes = modules.flatMap((module) => module.routes)
  const asked = modules.flatMap((module) => module.asks ?? []).map(({ path }) => path)
  const asks = new Set([...asked, REVISIONS_PATH])
  const owns = ownership([...routes, ...feeds.routes, ...asks, '/api/v1'])
  const serve = createServe({
    clock,
    modules: [{ routes, build: () => [] }],
    dynamic: feeds,
    limited: deps.limited,
    addressOf: deps.addressOf,
    report: deps.report,
    site: () => current?.site,
    ready: async () => {
      if (current) return current.site
      throw new Error('this is no mirror any more')
    },
  })

  function mirrored(request: Request, { state, site }: NonNullable<typeof current>) {
    const { path, search } = requestAddress(request.url)
    const asksOrigin = asks.has(path) && (search !== '' || !site.documents.has(path))
    const address = search === '' ? path : `${path}?${search}`
    const made = asksOrigin ? toOrigin(site, address) : serve(request)
    const said = (response: Response) => withState(response, { state, site }, path, clock.now())
    return made instanceof Promise ? made.then(said) : made && said(made)
  }

  function answerOver(own: Serve): Serve {
    const decide: Serve = (request) => (current ? mirrored(request, current) : own(request))
    return (request) => {
      if (hasLooked || !owns(requestAddress(request.url).path)) return decide(request)
      return first.promise.then(() => decide(request) ?? new Response(null, { status: 404 }))
    }
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, look, (error) => {
    // Nobody waits for what cannot be read; the own catalog says what it can.
    hasLooked = true
    first.resolve()
    deps.report(error)
  })
  return {
    answer: answerOver,
    site: () => current?.site,
    state: () => current?.state,
    look,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await looking[Symbol.asyncDispose]()
      await syncing
    },
  }
}

/** What has to be worked out for one reader is the origin's to say. */
function toOrigin({ snapshot }: MirroredSite, address: string): Response {
  const headers = { location: `${snapshot.baseUrl}${address}`, 'cache-control': 'no-store' }
  return new Response(null, { status: 307, headers: { ...headers, ...OPEN } })
}

const { 'access-control-expose-headers': ALWAYS_EXPOSED, ...OPEN } = OPEN_TO_ALL
const EXPOSED = `${ALWAYS_EXPOSED}, Catalog-Mirror`

/** Whose it is, and how fresh. */
function withState(
  response: Response,
  { state, site }: { state: MirrorState; site: MirroredSite },
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
