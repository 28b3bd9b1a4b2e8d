import { isDay } from '../../records/words.ts'
import { fieldReader, isObject, wordOf } from '../fields.ts'
import type { Imported, ImportedChange, Item, ToolFacts } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { addressOfNamespace, vendorOf } from '../vendor-of.ts'
import { configOf, packagesOf, remotesOf } from './reach.ts'

export const PUBLIC_BASE = 'https://registry.modelcontextprotocol.io'
const LICENCE = 'registry data: CC0-1.0'
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/

type Where = { file: string; record: string; base: string; day: string }

/** One entry in any of its shapes; wrong fields are told, and leave the rest as it is. */
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
  const item: Imported = {
    slug: slugOf(name),
    tool,
    ...(vendor ? { vendor } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    from: { url, read: where.day, licence: LICENCE, facts: Object.keys(tool) },
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
  // One address alone follows from the record.
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

/** The part behind the slash; what everybody calls theirs says nothing without the account. */
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
  const seeded = wordOf(old.version).endsWith('-seed')
  const released = (published ?? (seeded ? undefined : instant(old.release_date)))?.slice(0, 10)
  const updatedAt = instant(said.statusChangedAt ?? said.updatedAt ?? said.updated_at)
  const latest = said.isLatest ?? said.is_latest ?? old.is_latest ?? true
  const message = said.statusMessage
  return {
    status: wordOf(said.status ?? server.status) || 'active',
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
  const said = message ? ` It says: ${message.slice(0, 1000)}` : ''
  const common = { date: day, source: url, status: 'confirmed' }
  if (status === 'deprecated') {
    const what = `The MCP registry lists ${name} as deprecated.${said}`
    return [{ key: 'registry-deprecated', kind: 'notice', what, ...common }]
  }
  if (status !== 'deleted') return []
  const what = `${name} was taken out of the MCP registry.${said}`
  return [{ key: 'registry-deleted', kind: 'removal', what, ...common }]
}
