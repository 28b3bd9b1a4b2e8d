import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { GuardedFetch } from '../platform/outgoing/guarded-fetch.ts'
import { runInSteps } from '../platform/run-in-steps.ts'
import type { BuiltSite, LoadedModule } from './feeds/built-site.ts'
import type { CatalogSnapshot } from './feeds/catalog-snapshot.ts'
import { latestIssued } from './feeds/issue-manifest.ts'
import { keepSiteCurrent } from './feeds/keep-current.ts'
import { keepManifests } from './feeds/keep-manifest.ts'
import { snapshotSteps } from './feeds/make-snapshot.ts'
import { manifestFeeds } from './feeds/manifest-feeds.ts'
import { nothingPublished } from './feeds/nothing-published.ts'
import { type PublishedNews, readPublishedNews } from './feeds/published-news.ts'
import { createServe, type Serve } from './feeds/serve.ts'
import { defaultMethodology } from './grading/default-methodology.ts'
import { gradingSteps } from './grading/grade.ts'
import { readHistory } from './measured/read-history.ts'
import { liveReader } from './measured/read-live.ts'
import { readSpeeds } from './measured/read-speeds.ts'
import { keepMirror } from './mirror/mirror.ts'
import { mirrorAgent } from './mirror/origin.ts'
import type { Synced } from './mirror/sync.ts'
import { pagePaths } from './page-paths.ts'
import { problemPage } from './pages/problem-page.tsx'
import type { PublishedCatalog } from './publishing/read-published.ts'
import type { LiveBySlug } from './records/live.ts'
import type { ManifestFile } from './signing/manifest.ts'
import { checkReviews, trustedReviews } from './signing/review.ts'

export type CatalogDeps = {
  modules: readonly LoadedModule[]
  db: Db
  clock: Clock
  log: Log
  /** The server's address; that of `catalog.yaml` wins. */
  baseUrl: string
  /** Overrides the address of `catalog.yaml`. */
  fixedBaseUrl?: string
  addressOf(request: Request): string
  limited: boolean
  /**
   * True without it: documents are kept, a new publish is noticed, and manifests are issued before
   * somebody asks. An export does none of this.
   */
  serves?: boolean
  /** Reaches the source of a mirror; without it the mirror is not updated. */
  fetch?: GuardedFetch['fetch']
}

export type Catalog = AsyncDisposable & {
  answer: Serve
  /** The path of the directory; undefined while it is empty. */
  entry(): string | undefined
  /** The news of the served site; undefined while it has no tools. */
  news(): Promise<PublishedNews | undefined>
  /** Figures of the served site, and for a mirror its times; undefined until a site is built. */
  figures(): CatalogFigures | undefined
  /** The built site, once it is ready; throws the reason if the build fails. */
  ready(): Promise<BuiltSite>
  /** True if manifests have this catalog's address; another one must not enter their chain. */
  canSign(): Promise<boolean>
  /**
   * Issues the manifest for documents that were hashed already, so that none is made again. Others
   * than those of the site are left out; a mirror has its manifest.
   */
  sign(files: readonly ManifestFile[]): Promise<void>
  /** Looks for a publish now instead of at the next interval. */
  look(): Promise<void>
}

/** Instants in milliseconds. */
export type CatalogFigures = {
  tools: number
  sequence: number
  mirror: { fetchedAt: number; expiresAt: number } | undefined
}

/** Serves the published catalog at all of its addresses. */
export function createCatalog(deps: CatalogDeps): Catalog {
  const { db, clock, log, modules, fixedBaseUrl, addressOf, limited, serves = true } = deps
  const current = siteOf(deps)
  const { site, ready } = current
  const unsigned = (error: unknown) => log.error('the catalog could not be signed', { error })
  const manifests = keepManifests({
    db,
    clock,
    site,
    report: unsigned,
    byItself: serves && fixedBaseUrl === undefined,
  })
  const dynamic = manifestFeeds({ read: db.read, manifests })
  const failed = (error: unknown) => log.error('a request to the catalog failed', { error })
  const asking = { addressOf, limited, report: failed, problemPage }
  const own = createServe({ clock, modules, dynamic, site, ready, ...asking })
  const mirror = mirrorOf(deps)
  const answer = mirror.answer(own)
  return {
    answer,
    entry() {
      const hasTools =
        mirror.site()?.documents.has(pagePaths.tools) || site()?.snapshot.tools.length
      return hasTools ? pagePaths.tools : undefined
    },
    async news() {
      await mirror.look()
      const served = mirror.site() ?? site()
      return served && this.entry() ? await readPublishedNews(served) : undefined
    },
    figures() {
      const served = mirror.site() ?? site()
      if (!served) return undefined
      const { tools, sequence } = served.snapshot
      const state = mirror.site() && mirror.state()
      return { tools: tools.length, sequence, mirror: state }
    },
    async ready() {
      await mirror.look()
      return mirror.site() ?? (await ready())
    },
    async canSign() {
      await mirror.look()
      if (mirror.site()) return true
      const { snapshot } = await ready()
      if (fixedBaseUrl === undefined && snapshot.settings.baseUrl !== undefined) return true
      const issued = await latestIssued(db.read)
      return issued === undefined || issued.manifest.baseUrl === snapshot.baseUrl
    },
    async sign(files) {
      if (mirror.site()) return
      const { documents } = await ready()
      await manifests.sign(files.filter(({ path }) => documents.has(path)))
    },
    async look() {
      await current.look()
      await manifests.look()
      await mirror.look()
    },
    async [Symbol.asyncDispose]() {
      await mirror[Symbol.asyncDispose]()
      await manifests[Symbol.asyncDispose]()
      await current[Symbol.asyncDispose]()
    },
  }
}

function siteOf({ db, clock, log, modules, baseUrl, fixedBaseUrl, serves = true }: CatalogDeps) {
  return keepSiteCurrent({
    db,
    clock,
    modules,
    report: (error) => log.error('the catalog could not be built', { error }),
    serves,
    live: liveReader({ db, clock }),
    snapshotOf: async (published, live, today) => ({
      ...(await snapshotOf(published, live, today, baseUrl, fixedBaseUrl)),
      ...(await readPast(db, today)),
    }),
  })
}

/** What the server measured so far. */
async function readPast({ read }: Db, today: string) {
  return { speeds: await readSpeeds(read, today), history: await readHistory(read) }
}

/** The mirror of another catalog, if the data folder has one. */
function mirrorOf(deps: CatalogDeps) {
  const { db, clock, log, modules, addressOf, limited, fetch, baseUrl } = deps
  return keepMirror({
    db,
    clock,
    modules,
    addressOf,
    limited,
    fetch,
    random: Math.random,
    userAgent: mirrorAgent(baseUrl),
    synced: (result) => logSync(log, result),
    report: (error) => log.error('the mirror could not be read', { error }),
  })
}

function logSync(log: Log, { outcome, why, state, fetched }: Synced): void {
  const about = { from: state?.source, sequence: state?.sequence, ...fetched }
  if (outcome === 'updated') log.info('the mirror was updated', about)
  else log.warn('the mirror could not be updated', { ...about, outcome, why })
}

/** The snapshot of a publish, or of an empty catalog without one. */
export async function snapshotOf(
  published: PublishedCatalog | undefined,
  live: LiveBySlug,
  today: string,
  baseUrl: string,
  fixedBaseUrl?: string,
): Promise<CatalogSnapshot> {
  const catalogSource = published?.source ?? nothingPublished(today, defaultMethodology())
  const settings = { ...catalogSource.settings, ...(fixedBaseUrl ? { baseUrl: fixedBaseUrl } : {}) }
  const source = { ...catalogSource, settings }
  const { updatedAt = new Map(), history = new Map(), changeTimes } = published ?? {}
  const { revision = '', sequence = 0 } = published?.revision ?? {}
  const states = await checkReviews(source)
  const counted = { ...source, reviews: trustedReviews(source.reviews, states) }
  const gradings = await runInSteps(gradingSteps(counted, live, today, history))
  const steps = snapshotSteps({
    states,
    published: { source, updatedAt, ...(changeTimes ? { changeTimes } : {}) },
    revision: { revision, sequence },
    gradings,
    live,
    today,
    baseUrl,
  })
  return await runInSteps(steps)
}
