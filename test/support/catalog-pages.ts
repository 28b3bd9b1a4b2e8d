import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { loadFeedModules } from '../../src/catalog/feed-modules.ts'
import { buildSite } from '../../src/catalog/feeds/built-site.ts'
import type { CatalogSnapshot } from '../../src/catalog/feeds/catalog-snapshot.ts'
import { snapshotSteps } from '../../src/catalog/feeds/make-snapshot.ts'
import { createServe } from '../../src/catalog/feeds/serve.ts'
import { gradeAll } from '../../src/catalog/grading/grade.ts'
import { pagePaths } from '../../src/catalog/page-paths.ts'
import { problemPage } from '../../src/catalog/pages/problem-page.tsx'
import type { Live, LiveBySlug } from '../../src/catalog/records/live.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { runAtOnce } from '../../src/platform/run-in-steps.ts'
import { generatedCatalog } from './generated-catalog.ts'

const FEED_MODULES = await loadFeedModules()

const TODAY = '2026-11-21'

/** The snapshot that this folder would be served as, on a day that stands still. */
export function aCatalogView(
  source: CatalogSource = generatedCatalog(48),
  live: LiveBySlug = new Map(),
  today = TODAY,
): CatalogSnapshot {
  const gradings = gradeAll(source, live, today, new Map())
  return runAtOnce(
    snapshotSteps({
      states: new Map(),
      ...{ published: { source, updatedAt: new Map() }, gradings, live, today },
      revision: { revision: 'r1', sequence: 1 },
      baseUrl: 'https://catalog.example',
    }),
  )
}

/** What was measured of a tool that had one bad day and one bad hour. */
export function measured(slug: string, changes: Partial<NonNullable<Live['probe']>> = {}): Live {
  const end = Date.parse(TODAY)
  const days = Array.from({ length: 80 }, (_, i) => ({
    date: new Date(end - (79 - i) * 86_400_000).toISOString().slice(0, 10),
    probes: 96,
    ok: 96 - (i === 40 ? 96 : 0) - (i === 60 ? 4 : 0),
  }))
  return {
    slug,
    versions: [{ registry: 'npm', name: slug, version: '4.2.1', seenAt: '2026-11-20T08:00:00Z' }],
    pages: [],
    updatedAt: '2026-11-21T08:00:00Z',
    probe: {
      target: 'https://api.example.com',
      method: 'GET',
      lastAt: '2026-11-21T08:00:00Z',
      lastOk: true,
      lastStatus: 401,
      lastMs: 141,
      authRequired: true,
      uptime24h: 100,
      uptime30d: 99.954,
      p50ms24h: 132,
      p95ms24h: 1_840,
      samples24h: 96,
      samples30d: 2_876,
      days,
      ...changes,
    },
  }
}

export type CatalogSite = AsyncDisposable & {
  url: string
  cookie: string
  snapshot: CatalogSnapshot
  /**
   * An address of each page of `pagePaths` that `visited` has none of. Throws for a page with a
   * parameter that this catalog has no document for.
   */
  pagesToVisit(visited?: readonly string[]): string[]
}

/** The catalog by itself, served as the server serves it. */
export async function catalogSite(
  snapshot: CatalogSnapshot = aCatalogView(),
): Promise<CatalogSite> {
  const site = await buildSite(snapshot, FEED_MODULES)
  const answer = createServe({
    ...{ clock: systemClock, modules: FEED_MODULES, limited: false },
    site: () => site,
    ready: async () => site,
    addressOf: () => '127.0.0.1',
    problemPage,
    report: (error) => {
      throw error
    },
  })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => (await answer(request)) ?? new Response(null, { status: 404 }),
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    cookie: '',
    snapshot,
    pagesToVisit(visited = []) {
      const addresses = visited.map((address) => address.split('?')[0] ?? '')
      return Object.values(pagePaths).flatMap((path) => {
        const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
        if (addresses.some((address) => pattern.test(address))) return []
        if (!path.includes(':')) return [path]
        const page = [...site.documents].find(
          ([address, { type }]) => pattern.test(address) && type.startsWith('text/html'),
        )
        if (page) return [page[0]]
        throw new Error(`No document is at ${path}: give generatedCatalog what fills that page.`)
      })
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop(true)
    },
  }
}
