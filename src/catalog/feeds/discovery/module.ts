import type { FeedModule } from '../built-site.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { robotsText, sitemapXml } from './sitemap.ts'
import {
  API_CATALOG_PATH,
  apiCatalog,
  LINKSET_TYPE,
  SECURITY_PATH,
  securityText,
} from './well-known.ts'
import { buildX402Resources, X402_ASKS } from './x402-resources.ts'

const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Tells machines that a catalog is here, and how to read it. */
export const DISCOVERY: FeedModule = {
  asks: X402_ASKS,
  *build(snapshot) {
    yield { path: '/llms.txt', type: TEXT_TYPE, body: llmsText(snapshot) }
    yield { path: '/llms-full.txt', type: TEXT_TYPE, body: () => llmsFullText(snapshot) }
    const xml = 'application/xml; charset=utf-8'
    yield { path: '/sitemap.xml', type: xml, body: () => sitemapXml(snapshot) }
    yield { path: '/robots.txt', type: TEXT_TYPE, body: robotsText(snapshot) }
    yield {
      path: API_CATALOG_PATH,
      type: LINKSET_TYPE,
      body: apiCatalog(snapshot),
      // RFC 9727, 2: a HEAD request finds the catalog by this header, too.
      headers: { link: `<${API_CATALOG_PATH}>; rel="api-catalog"` },
    }
    yield* buildX402Resources(snapshot)
    const contact = securityText(snapshot)
    if (contact) yield { path: SECURITY_PATH, type: TEXT_TYPE, body: contact }
  },
}
