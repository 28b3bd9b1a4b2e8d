import { isIP } from 'node:net'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { byText } from '../feeds/listing-order.ts'
import type { ToolDetail } from '../records/tool.ts'

// As the registry takes them, beginning and ending in a letter or digit: `..` is nobody's name.
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i
const NAME_MAX = 200
const LABEL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/
// Of hosts that are no name of the DNS, such as an address of a home network.
const NO_DOMAIN = 'local.catalog'
// Leaves room for a slug (64) in a name.
const NAMESPACE_MAX = 130

/** `https://catalog.example.com` → `com.example.catalog`: what is ours to name things in. */
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
 * What each MCP server of the catalog is called, by slug: its name in the official registry, or
 * else `NAMESPACE/SLUG` in the namespace of the catalog, which claims nothing of its vendor's. Of
 * two that say the same name, whatever its capitals, the first slug keeps it.
 */
export function serverNames(snapshot: CatalogSnapshot): ReadonlyMap<string, string> {
  const namespace = namespaceOf(snapshot.baseUrl)
  const servers = snapshot.tools.filter(isServer).toSorted((a, b) => byText(a.slug, b.slug))
  // Nobody may take the name that another record has by rule.
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
