import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { ImportedRecord } from './importer.ts'
import { vendorOf } from './vendor-of.ts'

type Known = Pick<AuthoredTool, 'slug' | 'name' | 'kind' | 'vendor'> & Partial<AuthoredTool>

/**
 * Finds the catalog's record for an imported one. The first match wins: the same source address,
 * the same name in the MCP registry, the same package of the same registry, or the same slug with
 * the same repository or domain (an MCP server only matches one).
 */
export function createMatcher(source: CatalogSource) {
  const byAddress = new Map<string, string | null>()
  const byRegistryName = new Map<string, string | null>()
  const byPackage = new Map<string, string | null>()
  const bySlug = new Map<string, Known>()
  const domains = new Map(
    source.vendors.map(({ id, url, domain }) => [id, domain ?? domainOf(url)]),
  )

  function add(tool: Known) {
    bySlug.set(tool.slug, tool)
    for (const { url } of tool.sources ?? []) put(byAddress, url, tool.slug)
    if (tool.registryName) put(byRegistryName, tool.registryName.toLowerCase(), tool.slug)
    for (const it of tool.packages ?? []) put(byPackage, packageKey(it), tool.slug)
  }

  function addVendor(id: string, url: string) {
    domains.set(id, domainOf(url))
  }

  function find({ slug, tool, from, match, vendor }: ImportedRecord): string | undefined {
    const packages = [...(tool.packages ?? []), ...(match?.packages ?? [])]
    const found =
      byAddress.get(from.url) ??
      byRegistryName.get(tool.registryName?.toLowerCase() ?? '') ??
      packages.map((it) => byPackage.get(packageKey(it))).find((it) => it != null)
    if (found) return found
    const same = bySlug.get(slug)
    if (!same) return undefined
    if ((same.kind === 'mcp') !== (tool.kind === 'mcp')) return undefined
    const repo = repoKey(match?.repo ?? tool.repo)
    if (repo && repo === repoKey(same.repo)) return slug
    const theirs = [domainOf(tool.homepage), vendor?.domain, domainOf(vendor?.url)].filter(Boolean)
    const ours = [domainOf(same.homepage), domains.get(same.vendor ?? '')]
    return theirs.some((it) => ours.includes(it)) ? slug : undefined
  }

  for (const tool of source.tools) add(tool)
  return { find, add, addVendor, tool: (slug: string) => bySlug.get(slug) }
}

/** A key of two records matches neither. */
function put(map: Map<string, string | null>, key: string, slug: string) {
  const known = map.get(key)
  map.set(key, known === undefined || known === slug ? slug : null)
}

function packageKey({ registry, name }: { registry: string; name: string }): string {
  return `${registry}:${name}`.toLowerCase()
}

/** `https://GitHub.com/Ada/thing.git` → `github.com/ada/thing` */
export function repoKey(repo: string | undefined): string | undefined {
  const url = repo === undefined ? null : URL.parse(repo)
  if (!url) return undefined
  const path = url.pathname.replace(/\.git$|\/+$/g, '')
  return `${url.hostname}${path}`.toLowerCase().replace(/^www\./, '')
}

/** Undefined for a host that many owners share. */
function domainOf(address: string | undefined): string | undefined {
  return vendorOf(address)?.domain
}
