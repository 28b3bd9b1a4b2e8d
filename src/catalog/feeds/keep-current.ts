import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { type PublishedCatalog, readPublished } from '../publishing/read-published.ts'
import { latestRevision } from '../publishing/store.ts'
import type { LiveBySlug } from '../records/live.ts'
import { type BuiltSite, buildSite, type FeedModule } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { dayOf } from './make-snapshot.ts'

export type CurrentDeps = {
  db: Db
  clock: Clock
  modules: readonly FeedModule[]
  /** Undefined while nothing was published. */
  snapshotOf(
    published: PublishedCatalog | undefined,
    live: LiveBySlug,
    today: string,
  ): Promise<CatalogSnapshot>
  /** True in a server; false in an export, which reads each document once, from one site. */
  serves: boolean
  /** The measurements; the same map while nothing in it is new. */
  live(): Promise<LiveBySlug>
  report(error: unknown): void
}

/** The site that is served. */
export type CurrentSite = AsyncDisposable & {
  /** Undefined until the first one is built. */
  site(): BuiltSite | undefined
  /** Resolves once there is a site; throws the reason if the first build fails. */
  ready(): Promise<BuiltSite>
  /** Looks now instead of at the next interval. */
  look(): Promise<void>
}

// A publish is noticed within this time; looking costs one read of one row.
const LOOK_EVERY_MS = 2_000
// Measurements arrive all the time; documents are rebuilt at this interval.
const LIVE_EVERY_MS = 15 * 60_000
// A failed build is tried again after this time; a new publish is built at once.
const TRY_AGAIN_MS = 60_000

/**
 * Keeps the built site current. A publish, a new day or new measurements build a new site, and the
 * old one is served until it is complete.
 */
export function keepSiteCurrent(deps: CurrentDeps): CurrentSite {
  const { db, clock, modules, report } = deps
  let site: BuiltSite | undefined
  let built: { name: string; live: LiveBySlug } | undefined
  let measuredAt: number | undefined
  let published: PublishedCatalog | undefined
  let failed: { name: string; at: number } | undefined
  const first = Promise.withResolvers<BuiltSite>()
  first.promise.catch(() => {})

  // One look at a time: a slow one must not replace a newer site with an older one.
  let looked: Promise<void> = Promise.resolve()
  function refresh(): Promise<void> {
    looked = looked.catch(() => {}).then(lookOnce)
    return looked
  }

  async function lookOnce(): Promise<void> {
    const now = clock.now()
    const today = dayOf(now)
    const name = `${(await latestRevision(db.read))?.sequence ?? 0} ${today}`
    const isTick = measuredAt === undefined || now - measuredAt >= LIVE_EVERY_MS
    if (built?.name === name && !isTick) return
    if (failed?.name === name && now - failed.at < TRY_AGAIN_MS) return
    try {
      const live = await deps.live()
      measuredAt = now
      if (built?.name === name && built.live === live) return
      published = await readPublished(db.read, published)
      const snapshot = await deps.snapshotOf(published, live, today)
      site = await buildSite(snapshot, modules, deps.serves ? undefined : 0)
      built = { name, live }
      failed = undefined
      first.resolve(site)
    } catch (error) {
      failed = { name, at: now }
      first.reject(error)
      throw error
    }
  }

  const looking = deps.serves
    ? repeatEvery(clock, LOOK_EVERY_MS, refresh, report)
    : doneAtOnce(refresh())
  return {
    site: () => site,
    ready: async () => site ?? (await first.promise),
    look: refresh,
    [Symbol.asyncDispose]: () => looking[Symbol.asyncDispose](),
  }
}

function doneAtOnce(work: Promise<void>): AsyncDisposable {
  work.catch(() => {})
  return { [Symbol.asyncDispose]: () => work.catch(() => {}) }
}
