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
  /** What was measured; the same map while there is nothing new. */
  live(): Promise<LiveBySlug>
  report(error: unknown): void
}

/** What is served now. */
export type CurrentSite = AsyncDisposable & {
  /** Undefined until the first one is built. */
  site(): BuiltSite | undefined
  /** Resolves once there is a site; throws what kept the first one from being built. */
  ready(): Promise<BuiltSite>
  /** Looks now, instead of in a moment. */
  look(): Promise<void>
}

// A publish is seen within this time; looking costs one read of one row.
const LOOK_EVERY_MS = 2_000
// Measurements come all the time; documents follow in steps.
const LIVE_EVERY_MS = 15 * 60_000
// What could not be built is not tried over and over; something new is, at once.
const TRY_AGAIN_MS = 60_000

/**
 * Keeps a site for what was published last: another publish, another day or new measurements make a
 * new one beside the old, which is served until the new one is whole.
 */
export function keepSiteCurrent(deps: CurrentDeps): CurrentSite {
  const { db, clock, modules, report } = deps
  let site: BuiltSite | undefined
  let built: { name: string; live: LiveBySlug } | undefined
  let measuredAt: number | undefined
  let failed: { name: string; at: number } | undefined
  const first = Promise.withResolvers<BuiltSite>()
  first.promise.catch(() => {})

  // One after the other: a slow look must not put an older site over a newer one.
  let looked: Promise<void> = Promise.resolve()
  function look(): Promise<void> {
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
      const snapshot = await deps.snapshotOf(await readPublished(db.read), live, today)
      site = await buildSite(snapshot, modules)
      built = { name, live }
      failed = undefined
      first.resolve(site)
    } catch (error) {
      failed = { name, at: now }
      first.reject(error)
      throw error
    }
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, look, report)
  return {
    site: () => site,
    ready: async () => site ?? (await first.promise),
    look,
    [Symbol.asyncDispose]: () => looking[Symbol.asyncDispose](),
  }
}
