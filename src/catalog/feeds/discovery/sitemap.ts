import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { xmlLine } from '../markdown/shown-text.ts'
import { isPreview } from '../meta.ts'

// The limit of a sitemap (sitemaps.org); a catalog has far fewer.
const URLS_MAX = 50_000
const PAGES = ['/tools', '/x402', '/changes', '/methodology'] as const

/** `/sitemap.xml`: the pages for people, with the day on which each last changed. */
export function sitemapXml(snapshot: CatalogSnapshot): string {
  const pages = PAGES.map(
    (path) => `<url><loc>${xmlLine(`${snapshot.baseUrl}${path}`)}</loc></url>`,
  )
  const tools = snapshot.tools.map(({ url, updated }) => {
    const changed = updated === undefined ? '' : `<lastmod>${xmlLine(updated)}</lastmod>`
    return `<url><loc>${xmlLine(url)}</loc>${changed}</url>`
  })
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...pages, ...tools].slice(0, URLS_MAX),
    '</urlset>',
  ].join('\n')}\n`
}

// Only the catalog; the pages of the question service are private.
const OPEN = [
  '/tools',
  '/x402',
  '/changes',
  '/methodology',
  '/sunsets.ics',
  '/llms',
  '/api/v1/',
  '/openapi.json',
  '/sitemap.xml',
  '/.well-known/',
  '/v0.1/',
  '/discovery/',
]
// Queries: endless combinations of the same records.
const ENDLESS = ['/tools?', '/api/v1/tools.json?']

/** `/robots.txt` (RFC 9309): the catalog is open, except while it is a preview. */
export function robotsText(snapshot: CatalogSnapshot): string {
  if (isPreview(snapshot)) return 'User-agent: *\nDisallow: /\n'
  return `${[
    'User-agent: *',
    'Disallow: /',
    ...OPEN.map((path) => `Allow: ${path}`),
    ...ENDLESS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${snapshot.baseUrl}/sitemap.xml`,
  ].join('\n')}\n`
}
