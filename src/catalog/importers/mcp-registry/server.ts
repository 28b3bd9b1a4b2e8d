import { cutText } from '../../../platform/text.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import { isDay } from '../../records/words.ts'
import { fieldReader, isObject, namedIn, scalarText } from '../fields.ts'
import type { ImportedChange, ImportedRecord, Item, ToolFacts } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { addressOfNamespace, vendorOf } from '../vendor-of.ts'

export const PUBLIC_BASE = 'https://registry.modelcontextprotocol.io'
const LICENCE = 'registry data: CC0-1.0'
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/

type Where = { file: string; record: string; base: string; day: string }

/** Reads an entry in any of its shapes; wrong fields are reported, and the rest is used. */
export function* readServer(entry: unknown, where: Where): Generator<Item> {
  const wrong: Item[] = []
  const place = { file: where.file, record: where.record }
  const tell = (it: Item) => wrong.push(it)
  if (!isObject(entry)) {
    return yield { wrong: { ...place, field: '', expected: 'a mapping', found: typeof entry } }
  }
  const server = isObject(entry.server) ? entry.server : entry
  const read = fieldReader(place, server, tell)
  const name = read.text('name')
  const status = statusOf(entry, server)
  if (status.updatedAt) yield { until: status.updatedAt }
  if (!name || !NAME.test(name)) {
    read.wrong('name', 'a name such as io.github.ada/thing', server.name)
    return yield* wrong
  }
  if (!status.isLatest) return yield { skipped: name, why: 'it is an older version' }
  const { wrong: _, ...reader } = read
  const tool = toolOf(name, reader, server, read)
  const url = `${where.base}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`
  const vendor = vendorOf(addressOfNamespace(name))
  const day = status.updatedAt?.slice(0, 10) ?? ''
  const changes = isDay(day) ? statusChange(status, { name, url, day }) : []
  yield* wrong
  if (status.released && !tool.lastRelease) tool.lastRelease = status.released
  const folder = folderOf(server.repository)
  const item: ImportedRecord = {
    slug: slugOf(name),
    tool,
    ...(vendor ? { vendor } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    from: { url, id: name, read: where.day, licence: LICENCE, facts: Object.keys(tool) },
    ...(folder ? { match: { repo: folder } } : {}),
    // A tool of another kind that has a server keeps its kind.
    acrossKinds: Object.keys(tool).filter((field) => field !== 'kind'),
    ...(status.status === 'deleted' ? { stub: 'never' as const } : {}),
  }
  yield item
}

type Reader = ReturnType<typeof fieldReader>

function toolOf(
  name: string,
  read: Pick<Reader, 'text'>,
  server: Record<string, unknown>,
  { list, wrong, object }: Reader,
): ToolFacts {
  const packages = packagesOf(list('packages'), wrong)
  const remotes = remotesOf(list('remotes'))
  const repository = object('repository')
  const repo = httpsOf(repository?.url)
  const homepage = httpsOf(server.websiteUrl ?? server.website_url)
  const transports = [...new Set([...packages.transports, ...remotes.transports])]
  const local = packages.count > 0
  const summary = read.text('description')
  // With one address this follows from the record.
  const isMore = remotes.all.length > 1 || (remotes.all.length === 1 && !remotes.url)
  return {
    name: read.text('title') ?? name.slice(name.indexOf('/') + 1),
    kind: 'mcp',
    ...(summary ? { summary } : {}),
    ...(homepage ? { homepage } : {}),
    ...(repo ? { repo } : {}),
    ...(remotes.url ? { remoteUrl: remotes.url } : {}),
    registryName: name,
    ...(transports.length > 0 ? { transports } : {}),
    ...(packages.list.length > 0 ? { packages: packages.list } : {}),
    ...(packages.secret || remotes.secret ? { auth: 'api-key' } : {}),
    ...(isMore ? { connect: { config: configOf(slugOf(name), remotes.all) } } : {}),
    ...(remotes.url ? { where: local ? 'both' : 'hosted' } : local ? { where: 'library' } : {}),
  }
}

function httpsOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^https:\/\//.test(value) ? value : undefined
}

/** The folder of a server in a repository of several. */
function folderOf(repository: unknown): string | undefined {
  if (!isObject(repository)) return undefined
  const [repo, folder] = [httpsOf(repository.url), scalarText(repository.subfolder)]
  return repo && folder ? `${repo}/tree/HEAD/${folder}` : undefined
}

/** The part after the slash; a generic name gets the account in front of it. */
function slugOf(name: string): string {
  const [space = '', ...rest] = name.split('/')
  const own = slugFrom(rest.join('-'))
  const account = slugFrom(space.split('.').at(-1) ?? '')
  if (/^(mcp|mcp-server|server|mcp-servers)$/.test(own)) return slugFrom(`${account}-${own}`)
  return own || account
}

type Status = {
  status: string
  isLatest: boolean
  updatedAt?: string
  released?: string
  message?: string
}

function statusOf(entry: Record<string, unknown>, server: Record<string, unknown>): Status {
  const meta = [entry._meta, server._meta].find(isObject)?.[OFFICIAL]
  const said = isObject(meta) ? meta : {}
  const old = isObject(server.version_detail) ? server.version_detail : {}
  const published = instant(said.publishedAt ?? said.published_at)
  const seeded = scalarText(old.version).endsWith('-seed')
  const released = (published ?? (seeded ? undefined : instant(old.release_date)))?.slice(0, 10)
  const updatedAt = instant(said.statusChangedAt ?? said.updatedAt ?? said.updated_at)
  const latest = said.isLatest ?? said.is_latest ?? old.is_latest ?? true
  const message = said.statusMessage
  return {
    status: scalarText(said.status ?? server.status) || 'active',
    isLatest: latest !== false,
    ...(updatedAt ? { updatedAt } : {}),
    ...(released && isDay(released) ? { released } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

function instant(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function statusChange(
  { status, message }: Status,
  { name, url, day }: { name: string; url: string; day: string },
): ImportedChange[] {
  const said = message ? ` It says: ${cutText(message, 1000)}` : ''
  const common = { date: day, source: url, status: 'confirmed' }
  if (status === 'deprecated') {
    const what = `The MCP registry lists ${name} as deprecated.${said}`
    return [{ key: 'registry-deprecated', kind: 'notice', what, ...common }]
  }
  if (status !== 'deleted') return []
  const what = `${name} was taken out of the MCP registry.${said}`
  return [{ key: 'registry-deleted', kind: 'removal', what, ...common }]
}

type Packages = NonNullable<AuthoredTool['packages']>

const REGISTRIES: Record<string, string> = {
  npm: 'npm',
  pypi: 'pypi',
  go: 'go',
  oci: 'oci',
  docker: 'oci',
  nuget: 'nuget',
  cargo: 'crates',
  crates: 'crates',
  maven: 'maven',
  rubygems: 'rubygems',
}
const NPM_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const TRANSPORTS: Record<string, string> = {
  stdio: 'stdio',
  sse: 'sse',
  http: 'http',
  streamable: 'streamable-http',
  'streamable-http': 'streamable-http',
}

type Tell = (field: string, expected: string, found: unknown) => void

/** Packages that start the server locally, and whether they need a secret. */
function packagesOf(list: readonly unknown[], tell: Tell) {
  const found: Packages = []
  const transports = new Set<string>()
  let secret = false
  for (const [i, it] of list.entries()) {
    if (!isObject(it)) {
      tell(`packages[${i}]`, 'a mapping', it)
      continue
    }
    const registry = namedIn(REGISTRIES, it.registryType ?? it.registry_type ?? it.registry_name)
    const name = it.identifier ?? it.name
    // An old list names the repository where it knew no package.
    if (registry === 'npm' && typeof name === 'string' && !NPM_NAME.test(name)) {
      tell(`packages[${i}].name`, 'the name of an npm package', name)
    } else if (registry && typeof name === 'string') found.push({ registry, name })
    transports.add(transportOf(it.transport) ?? 'stdio')
    secret ||= asksForSecret(it)
  }
  return { list: found, transports: [...transports], secret, count: list.length }
}

/**
 * The remote addresses of a server: the best one for the record, and all of them for client
 * configurations. An address with placeholders goes only into the latter.
 */
function remotesOf(list: readonly unknown[]) {
  const transports = new Set<string>()
  const all: Remote[] = []
  let url: string | undefined
  let first: string | undefined
  let secret = false
  for (const it of list) {
    if (!isObject(it) || typeof it.url !== 'string' || !/^https:\/\/\S+$/.test(it.url)) continue
    const transport = transportOf(it)
    secret ||= asksForSecret(it)
    all.push({ type: transport === 'sse' ? 'sse' : 'http', url: it.url })
    if (/[{}]/.test(it.url)) continue
    if (transport) transports.add(transport)
    // The older transport is the second choice.
    const isBetter = transport === 'streamable-http' && first !== 'streamable-http'
    if (!url || isBetter) [url, first] = [it.url, transport]
  }
  return { url, all, transports: [...transports], secret }
}

type Remote = { type: 'http' | 'sse'; url: string }

/** An entry of a client's configuration for each address. */
function configOf(name: string, remotes: readonly Remote[]): string {
  const entries = remotes.map(({ type, url }, i) => {
    const key = i === 0 ? name : `${name}-${i + 1}`
    return [key, { type, url }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)
}

function transportOf(value: unknown): string | undefined {
  const type = isObject(value) ? (value.type ?? value.transport_type) : value
  return namedIn(TRANSPORTS, type)
}

// The inputs of a package or remote, in the spelling of each version of the format.
const INPUTS = [
  'environmentVariables',
  'environment_variables',
  'headers',
  'variables',
  'packageArguments',
  'package_arguments',
  'runtimeArguments',
  'runtime_arguments',
]
const DEPTH_MAX = 4

/** Whether one of its inputs, or a variable inside one, is a secret. */
function asksForSecret(value: unknown, depth = 0): boolean {
  if (!isObject(value) || depth > DEPTH_MAX) return false
  if (value.isSecret === true || value.is_secret === true) return true
  return INPUTS.some((field) => inputsIn(value[field]).some((it) => asksForSecret(it, depth + 1)))
}

/** A list, or a mapping from names to inputs. */
function inputsIn(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : listOf(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
