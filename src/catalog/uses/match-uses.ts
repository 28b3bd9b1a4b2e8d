import type { ToolDetail } from '../records/tool.ts'
import { packageKey, type Use } from './use.ts'

export type UsedTool = { use: Use; tool: UsableTool }
export type UsableTool = Omit<
  ToolDetail,
  'reviews' | 'notKnown' | 'notable' | 'details' | 'breakdown'
>

export type MatchedUses = {
  matches: UsedTool[]
  /** Packages and servers that no record names, or several. */
  unmatched: Use[]
}

// Where models.dev keeps the model that a record was read from.
const MODEL_FILE = /\/providers\/([^/]+)\/models\/(.+)\.toml$/

/**
 * Finds the records of what a repository uses: by registry and name of a package, address, and id of
 * a model; never by the name of a tool. What two records have identifies neither.
 */
export function matchUses(tools: readonly UsableTool[], uses: readonly Use[]): MatchedUses {
  const byKey = new Map<string, Set<UsableTool>>()
  for (const tool of tools) {
    for (const key of keysOf(tool)) byKey.set(key, (byKey.get(key) ?? new Set()).add(tool))
  }
  const result: MatchedUses = { matches: [], unmatched: [] }
  for (const use of uses) {
    const candidates = [...(byKey.get(keyOf(use)) ?? [])]
    const [tool] = candidates
    if (tool && candidates.length === 1) result.matches.push({ use, tool })
    else if (use.kind === 'package' || use.kind === 'address') result.unmatched.push(use)
  }
  return result
}

function keysOf(tool: UsableTool): string[] {
  const { packages, remoteUrl, live, kind, connect, provenance } = tool
  const sources = provenance.sources ?? []
  const read = sources.flatMap(({ url }) => {
    const [, provider, id] = MODEL_FILE.exec(url) ?? []
    return provider && id ? [{ provider, id }] : []
  })
  // An id with a slash is the one of a reseller; without its provider it may be any of them.
  const own = [...Object.keys(live.models ?? {}), ...read.map(({ id }) => id)]
  const models = [
    ...own.filter((id) => !id.includes('/')),
    ...read.map(({ provider, id }) => `${provider}/${id}`),
  ]
  const variables = [...(connect.config ?? '').matchAll(/"([A-Z][A-Z0-9_]{2,})"\s*:/g)]
  return [
    ...packages.map(({ registry, name }) => packageKey(registry, name)),
    ...(remoteUrl ? [`address ${addressKey(remoteUrl)}`] : []),
    // An API that serves a model does not end with it.
    ...(kind === 'model' ? models.map((id) => `model ${id}`) : []),
    ...variables.map(([, name]) => `variable ${name}`),
  ]
}

function keyOf(use: Use): string {
  if (use.kind === 'package') return packageKey(use.registry, use.name)
  if (use.kind === 'address') return `address ${addressKey(use.url)}`
  if (use.kind === 'model') return `model ${use.id}`
  return `variable ${use.name}`
}

function addressKey(url: string): string {
  const { host, pathname } = URL.parse(url) ?? {}
  return host === undefined ? url : `${host}${(pathname ?? '').replace(/\/+$/, '')}`
}
