import type { FeedModule, LoadedModule } from './feeds/built-site.ts'
import { MANIFEST_ROUTES, MIRROR_STATE_PATH } from './feeds/manifest-paths.ts'
import { pagePaths, SEARCH_INDEX_PATH } from './page-paths.ts'

/** A part of the catalog: its addresses, known before the code that answers them is loaded. */
type ListedModule = Pick<LoadedModule, 'routes'> & { load(): Promise<FeedModule> }

/**
 * Every address of the catalog, by the module that builds its documents. A server without a catalog
 * reads this list alone, so it imports no module.
 */
const FEED_MODULES: readonly ListedModule[] = [
  {
    routes: [
      '/api/v1/index.json',
      '/api/v1/tools.json',
      '/api/v1/tools/:file',
      '/tools/:file',
      '/api/v1/x402.json',
      '/api/v1/changes.json',
      '/api/v1/live.json',
      '/api/v1/categories.json',
      '/api/v1/capabilities.json',
      '/api/v1/methodology.json',
    ],
    load: async () => (await import('./feeds/json-feeds.ts')).JSON_FEEDS,
  },
  {
    routes: ['/api/v1/checks.json', '/api/v1/checks/:file'],
    load: async () => (await import('./feeds/check-feeds.ts')).CHECK_FEEDS,
  },
  {
    routes: ['/api/v1/tools/:slug/history.json'],
    load: async () => (await import('./feeds/history.ts')).HISTORY_FEED,
  },
  {
    routes: ['/api/v1/catalog.sqlite'],
    load: async () => (await import('./feeds/database/module.ts')).DATABASE_FILE,
  },
  {
    routes: ['/tools/:file'],
    load: async () => (await import('./feeds/markdown/module.ts')).MARKDOWN_VERSIONS,
  },
  {
    routes: ['/tools/:file'],
    load: async () => (await import('./feeds/badges.ts')).BADGES,
  },
  {
    routes: ['/tools.png', '/tools/:file', '/categories/:file'],
    load: async () => (await import('./feeds/pictures/module.ts')).PICTURES,
  },
  {
    routes: ['/sunsets.ics', '/changes.atom', '/changes.feed.json'],
    load: async () => (await import('./feeds/calendar/module.ts')).CALENDAR_FEEDS,
  },
  {
    routes: ['/api/v1/news.json', '/tools/:file', '/categories/:file', '/capabilities/:file'],
    load: async () => (await import('./feeds/news/module.ts')).NEWS_FEEDS,
  },
  {
    routes: [
      '/llms.txt',
      '/llms-full.txt',
      '/sitemap.xml',
      '/robots.txt',
      '/.well-known/api-catalog',
      '/.well-known/security.txt',
      '/discovery/resources',
      '/discovery/search',
    ],
    load: async () => (await import('./feeds/discovery/module.ts')).DISCOVERY,
  },
  {
    routes: [
      '/v0.1/servers',
      '/v0.1/servers/:serverName/versions',
      '/v0.1/servers/:serverName/versions/:version',
    ],
    load: async () => (await import('./registry/module.ts')).REGISTRY,
  },
  {
    routes: [...Object.values(pagePaths), SEARCH_INDEX_PATH, '/tools-assets/:file'],
    load: async () => (await import('./pages/module.ts')).CATALOG_PAGES,
  },
]

/** Every address of the catalog, once. */
export const CATALOG_PATHS: readonly string[] = [
  ...new Set([
    '/api/v1',
    ...FEED_MODULES.flatMap(({ routes }) => routes),
    ...MANIFEST_ROUTES,
    MIRROR_STATE_PATH,
  ]),
]

/** Loads every module, in the order of the list. */
export function loadFeedModules(): Promise<LoadedModule[]> {
  return Promise.all(FEED_MODULES.map(async ({ routes, load }) => ({ routes, ...(await load()) })))
}
