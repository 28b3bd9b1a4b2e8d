import type { FeedModule, QueryRoute } from '../feeds/built-site.ts'
import { pageHref, pagePaths } from '../page-paths.ts'
import { buildAssets } from './assets.ts'
import { changesPage } from './changes.tsx'
import { comparePage } from './compare/page.tsx'
import { countPages, directoryPage } from './directory.tsx'
import { historyPage } from './history/page.tsx'
import { methodologyPage } from './methodology.tsx'
import { modelsPage } from './models/page.tsx'
import { HTML, PAGE_HEADERS } from './render.ts'
import { searchIndex } from './search-index.ts'
import { toolPage } from './tool.tsx'
import { x402Page } from './x402.tsx'

const page = (path: string, body: string | (() => string)) => ({
  path,
  body,
  type: HTML,
  headers: PAGE_HEADERS,
})

const asks = (path: string, write: typeof directoryPage): QueryRoute => ({
  path,
  reply: (snapshot, query) => ({ type: HTML, headers: PAGE_HEADERS, body: write(snapshot, query) }),
})

/** The pages of the catalog: whole pages are built once, those with a query on request. */
export const CATALOG_PAGES: FeedModule = {
  *build(snapshot) {
    yield* buildAssets()
    yield page(pagePaths.tools, () => directoryPage(snapshot))
    for (let number = 2; number <= countPages(snapshot.tools); number++) {
      yield page(pageHref.part(number), () => directoryPage(snapshot, undefined, number))
    }
    yield searchIndex(snapshot)
    yield page(pagePaths.models, () => modelsPage(snapshot))
    yield page(pagePaths.compare, () => comparePage(snapshot))
    yield page(pagePaths.x402, () => x402Page(snapshot))
    yield page(pagePaths.changes, () => changesPage(snapshot))
    yield page(pagePaths.methodology, () => methodologyPage(snapshot))
    for (const tool of snapshot.tools) {
      yield page(pageHref.tool(tool.slug), () => toolPage(snapshot, tool))
      yield page(pageHref.history(tool.slug), () => historyPage(snapshot, tool))
    }
  },
  asks: [
    asks(pagePaths.tools, directoryPage),
    asks(pagePaths.models, modelsPage),
    asks(pagePaths.compare, comparePage),
    asks(pagePaths.changes, changesPage),
  ],
}
