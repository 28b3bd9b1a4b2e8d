import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { ImportedRecord } from './importer.ts'
import { vendorOf } from './vendor-of.ts'

/**
 * Names that belong to one thing only, the surest first: its id in the source, its name in the MCP
 * registry, a model of a provider, a package of a registry, the address of an API with its path, a
 * provider by its folder and domain together, a repository. Never a slug, a title or a domain alone.
 */
const CLASSES = ['source', 'registry', 'model', 'package', 'api', 'provider', 'repo'] as const
type Class = (typeof CLASSES)[number]
export type Identity = Readonly<Partial<Record<Class, readonly string[]>>>

type MatchableTool = Pick<AuthoredTool, 'slug' | 'name' | 'kind' | 'vendor'> & Partial<AuthoredTool>

/**
 * True if two things are the same: the surest class of name that both have decides.
 */
function isSame(a: Identity, b: Identity): boolean {
  for (const one of CLASSES) {
    const [ours, theirs] = [a[one], b[one]]
    if (!ours?.length || !theirs?.length) continue
    if (one === 'source' && !sharesImporter(ours, theirs)) continue
    return ours.some((it) => theirs.includes(it))
  }
  return false
}

/** Ids of different sources cannot be compared. */
function sharesImporter(ours: readonly string[], theirs: readonly string[]): boolean {
  const importerOf = (id: string) => id.slice(0, id.indexOf(':'))
  return ours.some((it) => theirs.some((other) => importerOf(it) === importerOf(other)))
}

/** The names of an imported record; `vendor` is the id that the catalog gives its maker. */
export function identityOfRecord(
  { tool, from, match, vendor: maker }: ImportedRecord,
  vendor: string | undefined,
): Identity {
  const packages = [...(tool.packages ?? []), ...(match?.packages ?? [])]
  const model = match?.model === undefined ? [] : [`${vendor ?? ''}/${match.model}`]
  const domain = maker?.domain ?? domainOf(maker?.url)
  return {
    source: [from.id],
    ...sortedOut(tool.kind, {
      registry: [tool.registryName?.toLowerCase()],
      model,
      package: packages.map(packageKey),
      api: [apiKey(tool.remoteUrl ?? match?.api)],
      provider: [match?.provider && domain ? `${match.provider}@${domain}` : undefined],
      repo: [repoKey(match?.repo ?? tool.repo)],
    }),
  }
}

/** The names of a record of the catalog; `domain` is that of its vendor. */
function identityOfTool(tool: MatchableTool, domain: string | undefined): Identity {
  const { kind, slug, sources = [], packages = [], models = {}, vendor } = tool
  const ids = Object.keys(models)
  return {
    source: sources.flatMap(({ id, imported }) => (id && imported ? [id] : [])),
    ...sortedOut(kind, {
      registry: [tool.registryName?.toLowerCase()],
      model: kind === 'model' && vendor && ids.length === 1 ? [`${vendor}/${ids[0]}`] : [],
      package: packages.map(packageKey),
      api: [apiKey(tool.remoteUrl)],
      provider: kind === 'http-api' && domain ? [`${slug}@${domain}`] : [],
      repo: [repoKey(tool.repo)],
    }),
  }
}

type Names = Record<Exclude<Class, 'source'>, ReadonlyArray<string | undefined>>

/** An MCP server is not the API or the program whose address or repository it shares. */
function sortedOut(kind: string | undefined, names: Names): Identity {
  const side = kind === 'mcp' ? 'mcp ' : ''
  const nonEmpty = (list: ReadonlyArray<string | undefined>) =>
    list.filter((it): it is string => Boolean(it))
  return {
    registry: nonEmpty(names.registry),
    model: nonEmpty(names.model),
    package: nonEmpty(names.package),
    api: nonEmpty(names.api).map((it) => side + it),
    provider: nonEmpty(names.provider),
    repo: nonEmpty(names.repo).map((it) => side + it),
  }
}

/**
 * Finds the catalog's record for an imported one. A name that two records have identifies neither:
 * two of the catalog, or two of `incoming`.
 */
export function createMatcher(source: CatalogSource, incoming: readonly Identity[]) {
  const ambiguous = sharedNames(incoming)
  const domains = new Map(
    source.vendors.map(({ id, url, domain }) => [id, domain ?? domainOf(url)]),
  )
  const tools = new Map<string, { tool: MatchableTool; identity: Identity }>()
  const byName = new Map<string, Set<string>>()
  const byAddress = new Map<string, Set<string>>()

  function add(tool: MatchableTool) {
    const identity = identityOfTool(tool, domains.get(tool.vendor ?? ''))
    tools.set(tool.slug, { tool, identity })
    for (const name of namesIn(identity)) put(byName, name, tool.slug)
    // Imports of before ids were kept are found by the address.
    for (const { url, id, imported } of tool.sources ?? []) {
      if (imported && !id) put(byAddress, url, tool.slug)
    }
  }

  function find(identity: Identity, from: ImportedRecord['from']): string | undefined {
    const old = [...(byAddress.get(from.formerly ?? from.url) ?? [])]
    if (old.length === 1) return old[0]
    for (const name of namesIn(identity)) {
      const there = byName.get(name) ?? new Set()
      const [slug] = there
      if (slug === undefined || there.size > 1 || ambiguous.has(name)) continue
      if (isSame(identity, tools.get(slug)?.identity ?? {})) return slug
    }
    return undefined
  }

  /** The record of one model that a vendor with one of these domains serves. */
  function findModel(model: string, owners: ReadonlySet<string>): string | undefined {
    const matches = [...tools.values()].filter(({ tool }) => {
      const domain = domains.get(tool.vendor ?? '')
      const ids = Object.keys(tool.models ?? {})
      const isIt = tool.kind === 'model' && ids.length === 1 && ids[0] === model
      return isIt && domain !== undefined && owners.has(domain)
    })
    return matches.length === 1 ? matches[0]?.tool.slug : undefined
  }

  for (const tool of source.tools) add(tool)
  return {
    find,
    findModel,
    add,
    addVendor: (id: string, url: string) => domains.set(id, domainOf(url)),
    tool: (slug: string) => tools.get(slug)?.tool,
  }
}

function put(map: Map<string, Set<string>>, key: string, slug: string) {
  map.set(key, (map.get(key) ?? new Set()).add(slug))
}

/** Each name with its class in front, the surest first. */
function namesIn(identity: Identity): string[] {
  return CLASSES.flatMap((one) => (identity[one] ?? []).map((name) => `${one} ${name}`))
}

function sharedNames(all: readonly Identity[]): Set<string> {
  const counts = new Map<string, number>()
  for (const identity of all) {
    for (const name of new Set(namesIn(identity))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])))
}

function packageKey({ registry, name }: { registry: string; name: string }): string {
  return `${registry}:${name}`.toLowerCase()
}

/** `HTTPS://API.acme.dev/v1/` → `api.acme.dev/v1` */
export function apiKey(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return `${url.host}${url.pathname.replace(/\/+$/, '')}`
}

/** `https://GitHub.com/Ada/thing.git` → `github.com/ada/thing` */
export function repoKey(repo: string | undefined): string | undefined {
  const url = repo === undefined ? null : URL.parse(repo)
  if (!url) return undefined
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return `${url.hostname}${path}`.toLowerCase().replace(/^www\./, '')
}

/** Undefined for a host that many owners share. */
function domainOf(address: string | undefined): string | undefined {
  return vendorOf(address)?.domain
}
