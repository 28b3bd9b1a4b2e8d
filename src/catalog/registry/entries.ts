import { isIP } from 'node:net'
import { cutText } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool } from '../feeds/changes-by-tool.ts'
import { byText } from '../feeds/listing-order.ts'
import { shownLine } from '../feeds/markdown/shown-text.ts'
import { feedMeta } from '../feeds/meta.ts'
import type { ChangeItem } from '../records/change.ts'
import { OFFICIAL, type RegistryGrade, type RegistryState } from '../records/registry-documents.ts'
import type { ToolDetail } from '../records/tool.ts'
import { foldText } from '../search/match.ts'
import { toServer, versionOf } from './to-server.ts'

/** A server of the catalog with the fields that queries use. */
export type ServerEntry = {
  name: string
  version: string
  /** Milliseconds since 1970; 0 if unknown. */
  updatedAt: number
  /** Folded name, title and description. */
  searched: string
  /** The JSON of the entry, as every list contains it. */
  json: string
}

const cache = new WeakMap<CatalogSnapshot, readonly ServerEntry[]>()
// Some milliseconds of work.
const AT_ONCE = 50
const MESSAGE_MAX = 500

/** The servers by name, computed once for each snapshot, in steps. */
export function* entrySteps(
  snapshot: CatalogSnapshot,
): Generator<undefined, readonly ServerEntry[]> {
  const cached = cache.get(snapshot)
  if (cached) return cached
  const names = serverNames(snapshot)
  const changes = changesByTool(snapshot)
  const key = `${namespaceOf(snapshot.baseUrl)}/catalog`
  const entries: ServerEntry[] = []
  for (const tool of snapshot.tools.filter(isServer)) {
    const own = changes.get(tool.slug) ?? []
    entries.push(entryOf(snapshot, tool, names.get(tool.slug) ?? tool.slug, own, key))
    if (entries.length % AT_ONCE === 0) yield
  }
  entries.sort((a, b) => byText(a.name, b.name))
  cache.set(snapshot, entries)
  return entries
}

/** The same for a request; quick, because they were computed for the documents. */
export function entriesOf(snapshot: CatalogSnapshot): readonly ServerEntry[] {
  const steps = entrySteps(snapshot)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function entryOf(
  snapshot: CatalogSnapshot,
  tool: ToolDetail,
  name: string,
  changes: readonly ChangeItem[],
  key: string,
): ServerEntry {
  const server = toServer(tool, name)
  const seenAt = Date.parse(versionOf(tool)?.seenAt ?? '') || 0
  const updatedAt = Math.max(snapshot.changedAt.get(tool.slug) ?? 0, seenAt)
  const _meta = { [OFFICIAL]: stateOf(changes, updatedAt), [key]: gradeOf(snapshot, tool) }
  return {
    name,
    updatedAt,
    version: server.version,
    searched: foldText(`${name}\n${server.title ?? ''}\n${shownLine(tool.summary)}`),
    json: JSON.stringify({ server, _meta }),
  }
}

/** Only what this catalog knows; it does not know when a server was first published. */
function stateOf(changes: readonly ChangeItem[], updatedAt: number): RegistryState {
  const end = changes.find(({ kind, status }) => kind === 'shutdown' && status !== 'withdrawn')
  return {
    status: end ? 'deprecated' : 'active',
    ...(end ? { statusMessage: messageOf(end) } : {}),
    ...(updatedAt > 0 ? { updatedAt: new Date(updatedAt).toISOString() } : {}),
    isLatest: true,
  }
}

function messageOf({ date, what }: ChangeItem): string {
  return cutText(`Shuts down on ${date}: ${shownLine(what)}`, MESSAGE_MAX)
}

function gradeOf(snapshot: CatalogSnapshot, { catalog, ...tool }: ToolDetail): RegistryGrade {
  const { preview, license, attribution } = feedMeta(snapshot)
  const { graded, grade, score, agentReady, rank, rankOf, methodology, run } = catalog
  return {
    slug: tool.slug,
    url: tool.url,
    jsonUrl: tool.jsonUrl,
    graded,
    grade,
    score,
    agentReady,
    rank,
    rankOf,
    confidence: catalog.assessment.confidence,
    methodology,
    run,
    auth: tool.auth,
    pricing: tool.pricing,
    ...(tool.x402 ? { x402: tool.x402.level } : {}),
    preview,
    license,
    attribution,
  }
}

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
  const names = new Set(servers.map(({ slug }) => `${namespace}/${slug}`))
  return new Map(
    servers.map(({ slug, registryName = '' }) => {
      const fits = NAME.test(registryName) && registryName.length <= NAME_MAX
      const lower = registryName.toLowerCase()
      if (!fits || names.has(lower)) return [slug, `${namespace}/${slug}`]
      names.add(lower)
      return [slug, registryName]
    }),
  )
}

function isServer({ kind }: ToolDetail): boolean {
  return kind === 'mcp'
}
