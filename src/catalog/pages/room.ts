import type { Asked, Room } from '../feeds/site.ts'
import { assetRoute, buildAssets } from './assets.ts'
import { changesPage } from './changes.tsx'
import { comparePage } from './compare.tsx'
import { directoryPage } from './directory.tsx'
import { methodologyPage } from './methodology.tsx'
import { href, paths } from './paths.ts'
import { HTML, PAGE_HEADERS } from './render.ts'
import { toolPage } from './tool.tsx'
import { x402Page } from './x402.tsx'

const page = (path: string, body: string | (() => string)) => ({
  path,
  body,
  type: HTML,
  headers: PAGE_HEADERS,
})

const asks = (path: string, write: typeof directoryPage): Asked => ({
  path,
  reply: (view, query) => ({ type: HTML, headers: PAGE_HEADERS, body: write(view, query) }),
})

/** The pages of the catalog: whole ones are built once, those with a question when it is asked. */
export const PAGES: Room = {
  routes: [...Object.values(paths), assetRoute],
  *build(view) {
    yield* buildAssets()
    yield page(paths.tools, () => directoryPage(view))
    yield page(paths.compare, () => comparePage(view))
    yield page(paths.x402, () => x402Page(view))
    yield page(paths.changes, () => changesPage(view))
    yield page(paths.methodology, () => methodologyPage(view))
    for (const tool of view.tools) {
      yield page(href.tool(tool.slug), () => toolPage(view, tool))
    }
  },
  asks: [
    asks(paths.tools, directoryPage),
    asks(paths.compare, comparePage),
    asks(paths.changes, changesPage),
  ],
}
