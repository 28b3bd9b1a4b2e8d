import { isIP } from 'node:net'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { byText } from '../feeds/listing-order.ts'
import type { ToolDetail } from '../records/tool.ts'

// Valid in the registry, and beginning and ending with a letter or digit, so that `..` is not a
// name.
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i
const NAME_MAX = 200
const LABEL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/
// The namespace for hosts without a DNS name, such as an IP address.
const NO_DOMAIN = 'local.catalog'
// Leaves room for a slug (64) in a name.
const NAMESPACE_MAX = 130

/** `https://catalog.example.com` → `com.example.catalog`: the catalog's own namespace. */
export function namespaceOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  const labels = hostname.toLowerCase().split('.').reverse()
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && labels.every(isLabel)
  const namespace = labels.join('.')
  return isName && namespace.length <= NAMESPACE_MAX ? namespace : NO_DOMAIN
}

function isLabel(label: string): boolean {
  return LABEL.test(label)
}

/**
 * The name of each MCP server by slug: its name in the official registry, or else `NAMESPACE/SLUG`
 * in the catalog's namespace, which claims nothing of the vendor's. If two claim the same name,
 * ignoring case, the first slug keeps it.
 */
export function serverNames(snapshot: CatalogSnapshot): ReadonlyMap<string, string> {
  const namespace = namespaceOf(snapshot.baseUrl)
  const servers = snapshot.tools.filter(isServer).toSorted((a, b) => byText(a.slug, b.slug))
  // A record must not take the derived name of another.
  const taken = new Set(servers.map(({ slug }) => `${namespace}/${slug}`))
  return new Map(
    servers.map(({ slug, registryName = '' }) => {
      const fits = NAME.test(registryName) && registryName.length <= NAME_MAX
      const lower = registryName.toLowerCase()
      if (!fits || taken.has(lower)) return [slug, `${namespace}/${slug}`]
      taken.add(lower)
      return [slug, registryName]
    }),
  )
}

export function isServer({ kind }: ToolDetail): boolean {
  return kind === 'mcp'
}
