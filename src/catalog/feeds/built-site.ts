import { runInSteps } from '../../platform/run-in-steps.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { type Document, documentOf, type InPieces } from './document.ts'
import { createDocumentCache, type DocumentCache } from './document-cache.ts'

type Body = string | Uint8Array

/** A whole document of the catalog, as served to a request without parameters. */
export type BuiltDocument = {
  /** Without query, like `/api/v1/tools.json`; one of the module's addresses. */
  path: string
  /** The media type, with its charset where it is text. */
  type: string
  /** A function is called on the first request; for documents that exist once for each tool. */
  body: Body | (() => Body) | InPieces
  /** Headers in addition to those of every document; `cache-control` may be overridden. */
  headers?: Readonly<Record<string, string>>
}

/** The reply to a request with parameters. */
export type QueryReply = Omit<BuiltDocument, 'path' | 'body'> & { body: Body; status?: number }

/** An address that takes parameters, or that has no whole document. */
export type QueryRoute = {
  /** The exact path, like `/api/v1/tools.json`. */
  path: string
  /** Throws `Failure` for invalid parameters. */
  reply(snapshot: CatalogSnapshot, query: URLSearchParams): QueryReply
}

/** A part of the catalog that is served; `feed-modules.ts` lists them all, with their addresses. */
export type FeedModule = {
  /**
   * Yields every document of a snapshot, always with the same bytes. `undefined` lets other work of
   * the server run.
   */
  build(snapshot: CatalogSnapshot): Iterable<BuiltDocument | undefined>
  asks?: readonly QueryRoute[]
}

/** A part with its addresses, `:name` for one segment. */
export type LoadedModule = FeedModule & { routes: readonly string[] }

/** Addresses answered from more than the snapshot, with a document that may take a moment. */
export type DynamicRoutes = {
  routes: readonly string[]
  /** The paths that take parameters. */
  asks: ReadonlySet<string>
  /** Undefined if nothing is there; throws `Failure`. */
  answer(site: BuiltSite, path: string, search: string): Promise<Document | undefined>
}

/** A snapshot with every document built from it. */
export type BuiltSite = {
  snapshot: CatalogSnapshot
  documents: ReadonlyMap<string, Document>
}

// The limit for documents that are made on request.
const CACHE_BYTES = 48 * 1024 * 1024

/** Builds every document and compresses the large ones; ready to serve when it resolves. */
export async function buildSite(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
  cacheBytes = CACHE_BYTES,
): Promise<BuiltSite> {
  const { documents } = await buildQuickSite(snapshot, modules, cacheBytes)
  for (const document of documents.values()) {
    if (document.isLarge) await document.compressAll()
  }
  return { snapshot, documents }
}

/** The same without compressing anything in advance, for few readers. */
export async function buildQuickSite(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
  cacheBytes = CACHE_BYTES,
): Promise<BuiltSite> {
  const cache = createDocumentCache(cacheBytes)
  return { snapshot, documents: await runInSteps(documentSteps(snapshot, modules, cache)) }
}

function* documentSteps(
  snapshot: CatalogSnapshot,
  modules: readonly FeedModule[],
  cache: DocumentCache,
): Generator<undefined, Map<string, Document>> {
  const documents = new Map<string, Document>()
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
