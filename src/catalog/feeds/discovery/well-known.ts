import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { feedMeta } from '../meta.ts'

export const API_CATALOG_PATH = '/.well-known/api-catalog'
export const SECURITY_PATH = '/.well-known/security.txt'
export const LINKSET_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

// RFC 9116, 2.5.5 asks for less than a year.
const MONTHS_VALID = 11

/** `/.well-known/api-catalog`: where the feeds are described (RFC 9727, RFC 9264). */
export function apiCatalog(snapshot: CatalogSnapshot): string {
  const { baseUrl } = snapshot
  const meta = feedMeta(snapshot)
  const index = { href: `${baseUrl}/api/v1/index.json`, type: 'application/json' }
  const linkset = [
    { anchor: `${baseUrl}${API_CATALOG_PATH}`, item: [index] },
    {
      anchor: `${baseUrl}/api/v1/`,
      'service-desc': [{ href: meta.openapi, type: 'application/json' }],
      'service-doc': [{ href: meta.docs, type: 'text/html' }],
      'service-meta': [index, { href: `${baseUrl}/llms.txt`, type: 'text/plain' }],
    },
    {
      anchor: `${baseUrl}/api/mcp/catalog`,
      'service-doc': [{ href: `${baseUrl}/llms.txt`, type: 'text/plain' }],
    },
    {
      anchor: `${baseUrl}/v0.1/servers`,
      'service-desc': [{ href: meta.openapi, type: 'application/json' }],
    },
  ]
  return `${JSON.stringify({ linkset })}\n`
}

/**
 * `/.well-known/security.txt` (RFC 9116), which changes once a month; undefined without a contact
 * in the settings, as it would not be valid.
 */
export function securityText(snapshot: CatalogSnapshot): string | undefined {
  const { contact } = snapshot.settings
  if (contact === undefined || !URL.canParse(contact)) return undefined
  const expires = new Date(`${snapshot.today.slice(0, 7)}-01T00:00:00Z`)
  expires.setUTCMonth(expires.getUTCMonth() + MONTHS_VALID)
  return `${[
    `Contact: ${new URL(contact).href}`,
    `Expires: ${expires.toISOString().slice(0, 19)}Z`,
    'Preferred-Languages: en',
    `Canonical: ${snapshot.baseUrl}${SECURITY_PATH}`,
  ].join('\n')}\n`
}
