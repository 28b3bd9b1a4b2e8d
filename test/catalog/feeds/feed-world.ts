import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { exportSite } from '../../../src/catalog/export/export-site.ts'
import type { ExportSummary } from '../../../src/catalog/export/site-files.ts'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { createCatalog } from '../../../src/catalog/routes.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { openListener } from '../../../src/platform/http/listener.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The catalog behind a real port, over a database of its own. */
export type FeedWorld = AsyncDisposable & {
  url: string
  clock: FakeClock
  /** Lets days go by, without what would have happened meanwhile. */
  pass(days: number): void
  /** Publishes and waits until it is served. */
  publish(source: CatalogSource): Promise<void>
  /** What is published, as files. */
  export(folder: string): Promise<ExportSummary & { paths: string[] }>
  /** Waits until what there is now is served. */
  look(): Promise<void>
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
  json<T = Record<string, unknown>>(path: string): Promise<T>
}

export async function feedWorld(
  how: { limited?: boolean; baseUrl?: string } = {},
): Promise<FeedWorld> {
  const folder = tempFolder()
  const ticking = fakeClock(Date.UTC(2026, 10, 21, 12))
  let days = 0
  const clock = { ...ticking, now: () => ticking.now() + days * 86_400_000 }
  const db = openSqlite(migratedDatabase(folder.path))
  const baseUrl = how.baseUrl ?? 'https://catalog.example'
  const listener = openListener({ host: '127.0.0.1', port: 0, baseUrl, log: silentLog })
  const catalog = createCatalog({
    modules: await loadFeedModules(),
    ...{ db, clock, log: silentLog, baseUrl, limited: how.limited ?? false },
    addressOf: (request) => request.headers.get('x-from') ?? '192.0.2.1',
  })
  listener.answerWith((request) => catalog.answer(request) ?? new Response('house'))
  const { url } = listener

  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    return await fetch(`${url}${path}`, { method, headers, redirect: 'manual', decompress: false })
  }

  return {
    url,
    clock,
    get,
    pass(more) {
      days += more
    },
    async publish(source) {
      await publish({ db, clock }, source)
      await catalog.look()
    },
    async export(to) {
      const { documents, snapshot } = await catalog.ready()
      const paths = [...documents.keys()]
      const { removed } = snapshot
      const { answer } = catalog
      const sign = (await catalog.canSign()) ? { sign: catalog.sign } : {}
      const request = {
        answer,
        paths,
        removed,
        baseUrl: snapshot.baseUrl,
        now: clock.now(),
        ...sign,
      }
      return { ...(await exportSite(to, request)), paths }
    },
    look: () => catalog.look(),
    async json(path) {
      const response = await get(path)
      const body = await response.json()
      if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
      return body
    },
    async [Symbol.asyncDispose]() {
      await catalog[Symbol.asyncDispose]()
      await listener.stop(0)
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export const DECODE: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
