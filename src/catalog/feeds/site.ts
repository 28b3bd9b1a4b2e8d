import { runInSteps } from '../../platform/run-in-steps.ts'
import type { CatalogView } from './catalog-view.ts'
import { type Document, documentOf } from './document.ts'
import { createShelf } from './shelf.ts'

type Body = string | Uint8Array

/** One document of the catalog, whole: what a request without parameters gets. */
export type Built = {
  /** Without query, like `/api/v1/tools.json`; covered by one of the room's `routes`. */
  path: string
  /** The media type, with its charset where it is text. */
  type: string
  /** A function is called with the first request: right for what there is one of for each tool. */
  body: Body | (() => Body)
  /** Beside what every document says; `cache-control` may be another here. */
  headers?: Readonly<Record<string, string>>
}

/** What one request with parameters gets. */
export type Reply = Omit<Built, 'path' | 'body'> & { body: Body; status?: number }

/** An address that answers parameters, or has no whole document at all. */
export type Asked = {
  /** Exactly, like `/api/v1/tools.json`. */
  path: string
  /** Throws `Failure` for parameters that cannot be. */
  reply(view: CatalogView, query: URLSearchParams): Reply
}

/** A part of the catalog that is served: `routes.ts` lists them all. */
export type Room = {
  /** Every address of its documents, with `:name` for one segment; known before there is a view. */
  routes: readonly string[]
  /**
   * Every document for this view: the same view, the same bytes. `undefined` among them is a good
   * place to let other work of the server go first.
   */
  build(view: CatalogView): Iterable<Built | undefined>
  asks?: readonly Asked[]
}

/** Addresses that are answered from more than the view alone, with a document that may take a moment. */
export type Beside = {
  routes: readonly string[]
  /** Those that take parameters. */
  asks: ReadonlySet<string>
  /** Undefined where there is nothing; throws `Failure`. */
  answer(site: Site, path: string, search: string): Promise<Document | undefined>
}

/** Everything that is served for one view of the catalog. */
export type Site = {
  view: CatalogView
  documents: ReadonlyMap<string, Document>
}

// What is smaller is compressed when somebody first asks for it.
const LARGE_BYTES = 64 * 1024
// What is made on request is kept up to here.
const SHELF_BYTES = 48 * 1024 * 1024

/** Builds every document and compresses the large ones; ready to serve when it resolves. */
export async function buildSite(view: CatalogView, rooms: readonly Room[]): Promise<Site> {
  const { documents } = await buildQuickSite(view, rooms)
  for (const document of documents.values()) {
    if (document.size >= LARGE_BYTES) await document.compressAll()
  }
  return { view, documents }
}

/** The same for few readers: what nobody asks for is not compressed. */
export async function buildQuickSite(view: CatalogView, rooms: readonly Room[]): Promise<Site> {
  return { view, documents: await runInSteps(documentSteps(view, rooms)) }
}

function* documentSteps(
  view: CatalogView,
  rooms: readonly Room[],
): Generator<undefined, Map<string, Document>> {
  const documents = new Map<string, Document>()
  const shelf = createShelf(SHELF_BYTES)
  for (const room of rooms) {
    for (const built of room.build(view)) {
      if (built) {
        if (documents.has(built.path)) throw new Error(`two documents at ${built.path}`)
        documents.set(built.path, documentOf(built, shelf))
      }
      yield
    }
  }
  return documents
}
