import { cutText } from '../../platform/text.ts'
import { shownAddress, shownLine } from '../feeds/markdown/shown-text.ts'
import type { RegistryServer } from '../records/registry-documents.ts'
import type { ToolDetail } from '../records/tool.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const TEXT_MAX = 100
// Lower than every release, so that the publisher's own entry is newer.
const NOT_KNOWN = '0.0.0-unknown'

// The types of the official registry.
const REGISTRY_TYPES: ReadonlyMap<string, string> = new Map([
  ...['npm', 'pypi', 'nuget', 'oci'].map((name) => [name, name] as const),
  ['crates', 'cargo'],
])
const FORGES: ReadonlyMap<string, string> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
])

/** The record as a `server.json`, without unknown fields. */
export function toServer(tool: ToolDetail, name: string): RegistryServer {
  const title = cut(tool.name)
  const websiteUrl = shownAddress(tool.docsUrl) ?? shownAddress(tool.vendorUrl)
  const packages = packagesOf(tool)
  const remotes = remotesOf(tool)
  return {
    $schema: SCHEMA,
    name,
    ...(title ? { title } : {}),
    description: cut(tool.summary) || title || tool.slug,
    version: versionOf(tool)?.version ?? NOT_KNOWN,
    ...(websiteUrl ? { websiteUrl } : {}),
    ...repositoryOf(tool),
    ...(packages.length > 0 ? { packages } : {}),
    ...(remotes.length > 0 ? { remotes } : {}),
  }
}

/** The newest measured version of the first package that has one. */
export function versionOf({ packages, live }: ToolDetail) {
  return packages
    .map(({ registry, name }) =>
      live.versions.find((one) => one.registry === registry && one.name === name),
    )
    .find((one) => one !== undefined && isVersion(one.version))
}

// Ranges and `latest` are not versions (registry API: version).
function isVersion(text: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}$/.test(text) && text !== 'latest'
}

function packagesOf(tool: ToolDetail): NonNullable<RegistryServer['packages']> {
  // Clients start a package themselves; the record does not say how else to reach it.
  if (!tool.transports.includes('stdio')) return []
  return tool.packages.flatMap(({ registry, name }) => {
    const registryType = REGISTRY_TYPES.get(registry)
    if (!registryType) return []
    const { version } =
      tool.live.versions.find((one) => one.registry === registry && one.name === name) ?? {}
    const measured = version !== undefined && isVersion(version) ? { version } : {}
    return [{ registryType, identifier: name, ...measured, transport: { type: 'stdio' as const } }]
  })
}

function remotesOf({ remoteUrl, transports }: ToolDetail): RegistryServer['remotes'] & object {
  const url = shownAddress(remoteUrl)
  if (url === undefined) return []
  // MCP over plain HTTP is streamable HTTP.
  const http = transports.includes('streamable-http') || transports.includes('http')
  return [
    ...(http ? [{ type: 'streamable-http', url }] : []),
    ...(transports.includes('sse') ? [{ type: 'sse', url }] : []),
  ]
}

function repositoryOf({ repo }: ToolDetail): Pick<RegistryServer, 'repository'> {
  const url = shownAddress(repo)
  if (url === undefined) return {}
  const { hostname } = new URL(url)
  return { repository: { url, source: FORGES.get(hostname) ?? hostname } }
}

/** One line of at most 100 characters. */
function cut(text: string): string {
  const line = shownLine(text)
  const prefix = cutText(line, TEXT_MAX)
  return prefix === line ? line : `${cutText(line, TEXT_MAX - 1).trimEnd()}…`
}
