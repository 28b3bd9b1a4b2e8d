import { runInSteps } from '../../platform/run-in-steps.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { type Document, documentOf } from './document.ts'
import { createDocumentCache } from './document-cache.ts'

type Body = string | Uint8Array

/** One document of the catalog, whole: what a request without parameters gets. */
export type BuiltDocument = {
  /** Without query, like `/api/v1/tools.json`; one of the module's addresses. */
  path: string
  /** The media type, with its charset where it is text. */
  type: string
  /** A function is called with the first request: right for what there is one of for each tool. */
  body: Body | (() => Body)
  /** Beside what every document says; `cache-control` may be another here. */
  headers?: Readonly<Record<string, string>>
}

/** What one request with parameters gets. */
export type QueryReply = Omit<BuiltDocument, 'path' | 'body'> & { body: Body; status?: number }

/** An address that answers parameters, or has no whole document at all. */
export type QueryRoute = {
  /** Exactly, like `/api/v1/tools.json`. */
  path: string
  /** Throws `Failure` for parameters that cannot be. */
  reply(snapshot: CatalogSnapshot, query: URLSearchParams): QueryReply
}

/** A part of the catalog that is served; `feed-modules.ts` lists them all, with their addresses. */
export type FeedModule = {
  /**
   * Every document for this snapshot: the same snapshot, the same bytes. `undefined` among them is a good
   * place to let other work of the server go first.
   */
  build(snapshot: CatalogSnapshot): Iterable<BuiltDocument | undefined>
  asks?: readonly QueryRoute[]
}

/** Addresses that are answered from more than the snapshot alone, with a document that may take a moment. */
export type DynamicRoutes = {
  routes: readonly string[]
  /** Those that take parameters. */
  asks: ReadonlySet<string>
  /** Undefined where there is nothing; throws `Failure`. */
  answer(site: BuiltSite, path: string, search: string): Promise<Document | undefined>
}

/** Everything that is served for one snapshot of the catalog. */
export type BuiltSite = {
  snapshot: CatalogSnapshot
  documents: ReadonlyMap<string, Document>
}

// What is smaller is compressed when somebody first asks for it.
const LARGE_BYTES = 64 * 1024
// What is made on request is kept up to here.
const CACHE_BYTES = 48 * 1024 * 1024

/** Builds every document and compresses the large ones; ready to serve when it resolves. */
export async function buildSite(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
): Promise<BuiltSite> {
  const { documents } = await buildQuickSite(snapshot, modules)
  for (const document of documents.values()) {
    if (document.size >= LARGE_BYTES) await document.compressAll()
  }
  return { snapshot, documents }
}

/** The same for few readers: what nobody asks for is not compressed. */
export async function buildQuickSite(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
): Promise<BuiltSite> {
  return { snapshot, documents: await runInSteps(documentSteps(snapshot, modules)) }
}

function* documentSteps(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
): Generator<undefined, Map<string, Document>> {
  const documents = new Map<string, Document>()
  const cache = createDocumentCache(CACHE_BYTES)
  for (const module of modules) {
    for (const built of module.build(snapshot)) {
      if (built) {
        if (documents.has(built.path)) throw new Error(`two documents at ${built.path}`)
        documents.set(built.path, documentOf(built, cache))
      }
      yield
    }
  }
  return documents
}
