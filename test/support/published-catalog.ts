import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { loadFolder } from '../../src/catalog/authoring/load-folder.ts'
import type { CatalogSnapshot } from '../../src/catalog/feeds/catalog-snapshot.ts'
import { dayOf } from '../../src/catalog/feeds/make-snapshot.ts'
import { publish } from '../../src/catalog/publishing/publish.ts'
import { readPublished } from '../../src/catalog/publishing/read-published.ts'
import { snapshotOf } from '../../src/catalog/routes.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { writeCatalog } from './generated-catalog.ts'
import { startedApp } from './started-app.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

/** The whole server with a catalog that was published into it. */
export type PublishedCatalog = AsyncDisposable & {
  url: string
  /** What it serves. */
  snapshot: CatalogSnapshot
  /** `/openapi.json` as it is served. */
  description: Description
  get(path: string, init?: Init): Promise<Response>
}

type Init = { method?: string; headers?: Record<string, string> }

export type DescribedResponse = {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: object }>
}
export type Parameter = { name: string; in: string; schema: Record<string, unknown> }
export type Description = {
  paths: Record<
    string,
    {
      get?: {
        tags: string[]
        parameters: Parameter[]
        responses: Record<string, DescribedResponse>
      }
    }
  >
  components: {
    schemas: Record<string, object>
    headers: Record<string, { required?: boolean; schema: Record<string, unknown> }>
  }
}

/** Starts the server, publishes `source` and waits until it is served; empty without one. */
export async function publishedCatalog(
  source?: CatalogSource,
  env: Record<string, string> = { BECKON_CATALOG_RATE_LIMIT: 'off' },
): Promise<PublishedCatalog> {
  const started = await startedApp({ env })
  const { db, url, baseUrl } = started.app
  const get = (path: string, init: Init = {}) =>
    fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      // What is compressed the most takes the longest, and is looked at elsewhere.
      headers: { 'accept-encoding': 'identity', ...init.headers },
    })
  const { revision = '' } = source ? await publish({ db, clock: systemClock }, source) : {}
  await until(async () => (await (await get('/api/v1/index.json')).json()).revision === revision)
  const today = dayOf(systemClock.now())
  return {
    ...{ url, get },
    snapshot: await snapshotOf(await readPublished(db.read), new Map(), today, baseUrl),
    description: await (await get('/openapi.json')).json(),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** The same after a way through files, as it is with everything that is published. */
export async function asFiles(source: CatalogSource): Promise<CatalogSource> {
  using folder = tempFolder()
  writeCatalog(folder.path, source)
  const loaded = await loadFolder(folder.path)
  if (!loaded.source) throw new Error(JSON.stringify(loaded.problems.slice(0, 5)))
  return loaded.source
}
