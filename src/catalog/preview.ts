import { basename } from 'node:path'
import { type Clock, systemClock } from '../platform/clock.ts'
import { onPort, type PreviewConfig } from '../platform/config/config.ts'
import type { Listener } from '../platform/http/listener.ts'
import { randomText } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { runInSteps } from '../platform/run-in-steps.ts'
import type { CatalogSource } from './authoring/catalog-source.ts'
import type { FileCache } from './authoring/file-cache.ts'
import { loadFolder } from './authoring/load-folder.ts'
import { folderStamp, watchFolder } from './authoring/watch-folder.ts'
import { loadFeedModules } from './feed-modules.ts'
import { type BuiltSite, buildQuickSite } from './feeds/built-site.ts'
import type { CatalogSnapshot } from './feeds/catalog-snapshot.ts'
import { dayOf, snapshotSteps } from './feeds/make-snapshot.ts'
import { nothingPublished } from './feeds/nothing-published.ts'
import { createServe, type Serve } from './feeds/serve.ts'
import { defaultMethodology } from './grading/default-methodology.ts'
import { gradingSteps } from './grading/grade.ts'
import { descriptionSender } from './openapi/send-description.ts'
import { pagePaths } from './page-paths.ts'
import { problemPage } from './pages/problem-page.tsx'
import type { LiveBySlug } from './records/live.ts'
import type { FileProblem } from './records/problem.ts'
import { checkReviews, trustedReviews } from './signing/review.ts'

/** The state of the folder; `source` only if nothing is wrong. */
export type FolderState = { source?: CatalogSource; problems: FileProblem[] }

type PreviewDeps = {
  folder: string
  clock: Clock
  log: Log
  /** The address of the preview; every link leads there, whatever `catalog.yaml` says. */
  baseUrl: string
  /** Called with each state of the folder. */
  onLooked(state: FolderState): void
}

type CatalogPreview = AsyncDisposable & { answer: Serve }

const NOT_MEASURED: LiveBySlug = new Map()
/** Open pages ask here whether something changed. */
const STATE_PATH = '/preview-state'

/**
 * Serves a folder as it is on disk at all addresses of the catalog; nothing is published or stored.
 * While something in it is wrong, the last valid state is shown, and each page lists the problems.
 */
async function createPreview(deps: PreviewDeps): Promise<CatalogPreview> {
  const modules = await loadFeedModules()
  const { folder, clock, log } = deps
  const cache: FileCache = new Map()
  const first = Promise.withResolvers<BuiltSite>()
  first.promise.catch(() => {})
  const report = (error: unknown) => log.error('the preview could not be built', { error })
  const life = randomText(8)
  let good: CatalogSource | undefined
  let site: BuiltSite | undefined
  let count = 0

  async function build() {
    try {
      const { source, problems } = await loadFolder(folder, { cache })
      deps.onLooked({ ...(source ? { source } : {}), problems })
      good = source ?? good
      const stale = source === undefined && good !== undefined
      const draft = { folder: basename(folder), problems, stale, state: `${life}-${++count}` }
      site = await buildQuickSite(await viewOf(good, draft, deps), modules)
      first.resolve(site)
    } catch (error) {
      first.reject(error)
      throw error
    }
  }

  const watching = watchFolder({
    dir: folder,
    clock,
    report,
    changed: build,
    stamp: async () => `${dayOf(clock.now())} ${await folderStamp(folder)}`,
  })
  const serve = createServe({
    clock,
    modules,
    problemPage,
    limited: false,
    site: () => site,
    ready: () => first.promise,
    addressOf: () => '',
    report: (error) => log.error('a request to the preview failed', { error }),
  })
  return {
    answer(request) {
      if (new URL(request.url).pathname === STATE_PATH) return stateReply(site)
      const response = serve(request)
      return response instanceof Promise ? response.then(asDraft) : response && asDraft(response)
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  }
}

/** The files may change at any moment, and search engines should not list them. */
function asDraft(response: Response): Response {
  const { headers } = response
  if (!headers.get('cache-control')?.includes('immutable')) headers.set('cache-control', 'no-cache')
  headers.set('x-robots-tag', 'noindex')
  return response
}

function stateReply(site: BuiltSite | undefined): Response {
  const state = site?.snapshot.draft?.state ?? ''
  return Response.json({ state }, { headers: { 'cache-control': 'no-store' } })
}

async function viewOf(
  good: CatalogSource | undefined,
  draft: NonNullable<CatalogSnapshot['draft']>,
  { clock, baseUrl }: PreviewDeps,
): Promise<CatalogSnapshot> {
  const today = dayOf(clock.now())
  const read = good ?? { ...nothingPublished(today, defaultMethodology()) }
  const { baseUrl: published, name, ...settings } = read.settings
  const source = { ...read, settings: { ...settings, name: `${name} (preview)` } }
  const states = await checkReviews(source)
  const counted = { ...source, reviews: trustedReviews(source.reviews, states) }
  const gradings = await runInSteps(gradingSteps(counted, NOT_MEASURED, today, new Map()))
  const steps = snapshotSteps({
    states,
    published: { source, updatedAt: new Map() },
    revision: { revision: '', sequence: 0 },
    gradings,
    live: NOT_MEASURED,
    today,
    baseUrl,
  })
  return { ...(await runInSteps(steps)), draft }
}

/** The first page of a preview. */
const ENTRY = pagePaths.tools

export type PreviewOptions = {
  log: Log
  folder: string
  onLooked(state: FolderState): void
  listener: Listener
  /** Returns what `/openapi.json` says about the catalog that is served at an address. */
  describe(baseUrl: string): object
  clock?: Clock
}

// Nobody can lose anything here but the rest of a page.
const GRACE_MS = 500

/** Shows a folder as it is on `listener`, which it owns from now on; no data folder is opened. */
export async function startPreview(config: PreviewConfig, options: PreviewOptions) {
  const { log, folder, onLooked, listener, describe, clock = systemClock } = options
  const { baseUrl } = onPort(config, listener.port)
  const preview = await createPreview({ folder, clock, log, baseUrl, onLooked })
  const sendDescription = descriptionSender(JSON.stringify(describe(baseUrl)))
  listener.answerWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/openapi.json') return sendDescription(request).then(asDraft)
    return preview.answer(request) ?? besides(pathname)
  })
  return {
    url: listener.url,
    baseUrl,
    async stop() {
      await preview[Symbol.asyncDispose]()
      await listener.stop(GRACE_MS)
    },
  }
}

/** Links of the catalog's pages to another part of a whole server. */
function besides(path: string): Response {
  if (path === '/') return new Response(null, { status: 302, headers: { location: ENTRY } })
  const text = `Nothing is here: a preview has the pages and feeds of a catalog alone. See ${ENTRY}\n`
  return new Response(text, { status: 404, headers: { 'content-type': 'text/plain' } })
}
