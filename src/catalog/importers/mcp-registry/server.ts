import { cutText } from '../../../platform/text.ts'
import { isDay } from '../../records/words.ts'
import { fieldReader, isObject, scalarText } from '../fields.ts'
import type { ImportedChange, ImportedRecord, Item } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { type Stated, stated } from '../stated.ts'
import { addressOfNamespace, vendorOf } from '../vendor-of.ts'
import { connectOf } from './connect.ts'
import { packagesOf, remotesOf } from './packages.ts'

// Where earlier versions said that every file came from.
const PUBLIC_BASE = 'https://registry.modelcontextprotocol.io'
const LICENCE = 'registry data: CC0-1.0'
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/

type Where = {
  file: string
  record: string
  /** The registry that was asked, or the file that was opened. */
  from: { base: string } | { url: string }
  /** The opened document, and the place of the entry in it; empty, or with a point at its end. */
  document: unknown
  at: string
  day: string
}

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
  const inside = `${where.at}${server === entry ? '' : 'server.'}`
  const { tool, paths } = toolOf(name, reader, server, {
    ...read,
    inside,
    document: where.document,
    entry: where.at,
    released: status.released,
  })
  const official = addressIn(PUBLIC_BASE, name)
  const url = 'base' in where.from ? addressIn(where.from.base, name) : where.from.url
  const vendor = vendorOf(addressOfNamespace(name))
  const day = status.updatedAt?.slice(0, 10) ?? ''
  const changes = isDay(day) ? statusChange(status, { name, url, day }) : []
  yield* wrong
  const folder = folderOf(server.repository)
  const item: ImportedRecord = {
    slug: slugOf(name),
    tool,
    ...(vendor ? { vendor } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    from: {
      url,
      id: name,
      ...('base' in where.from ? {} : { formerly: official }),
      read: where.day,
      licence: LICENCE,
      paths,
    },
    ...(folder ? { match: { repo: folder } } : {}),
    // A tool of another kind that has a server keeps its kind.
    acrossKinds: Object.keys(tool).filter((field) => field !== 'kind'),
    ...(status.status === 'deleted' ? { stub: 'never' as const } : {}),
  }
  yield item
}

type Reader = ReturnType<typeof fieldReader>

/** Where the entry and the server in it are. */
type Inside = Reader & {
  document: unknown
  entry: string
  inside: string
  released: string | undefined
}

function toolOf(
  name: string,
  read: Pick<Reader, 'text'>,
  server: Record<string, unknown>,
  { list, wrong, object, document, entry, inside, released }: Inside,
): Stated {
  const local = packagesOf(list('packages'), wrong)
  const remotes = remotesOf(list('remotes'))
  const nonEmpty = <T>(items: readonly T[]) => (items.length > 0 ? [...items] : undefined)
  const title = read.text('title')
  const both = [`${inside}packages`, `${inside}remotes`]
  return stated(document, {
    name: [title ?? name.slice(name.indexOf('/') + 1), `${inside}${title ? 'title' : 'name'}`],
    kind: ['mcp', '.'],
    summary: [read.text('description'), `${inside}description`],
    homepage: [
      httpsOf(server.websiteUrl ?? server.website_url),
      [`${inside}websiteUrl`, `${inside}website_url`],
    ],
    repo: [httpsOf(object('repository')?.url), `${inside}repository.url`],
    remoteUrl: [remotes.url, `${inside}${remotes.at}`],
    registryName: [name, `${inside}name`],
    transports: [nonEmpty([...new Set([...local.transports, ...remotes.transports])]), both],
    packages: [nonEmpty(local.packages), `${inside}packages`],
    auth: [local.secret || remotes.secret ? 'api-key' : undefined, both],
    connect: [connectOf(slugOf(name), remotes.all, local.found), both],
    where: [placeOf(local, remotes.url), both],
    lastRelease: [released, releasedAt(entry, inside)],
  })
}

/** Where the three shapes of entries have the day of the release. */
function releasedAt(entry: string, inside: string): string[] {
  const meta = [entry, inside].map((it) => `${it}_meta["${OFFICIAL}"].`)
  const names = ['publishedAt', 'published_at']
  const places = meta.flatMap((it) => names.map((name) => `${it}${name}`))
  return [...new Set([...places, `${inside}version_detail.release_date`])]
}

/** Open where a package is not understood: it may be anything. */
function placeOf({ isLocal, isOpen }: { isLocal: boolean; isOpen: boolean }, remote?: string) {
  if (isOpen && !isLocal) return undefined
  if (remote !== undefined) return isLocal ? 'both' : 'hosted'
  return isLocal ? 'library' : undefined
}

function addressIn(base: string, name: string): string {
  return `${base}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`
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
  const official = isObject(meta) ? meta : {}
  const old = isObject(server.version_detail) ? server.version_detail : {}
  const published = instant(official.publishedAt ?? official.published_at)
  const seeded = scalarText(old.version).endsWith('-seed')
  const released = (published ?? (seeded ? undefined : instant(old.release_date)))?.slice(0, 10)
  const updatedAt = instant(official.statusChangedAt ?? official.updatedAt ?? official.updated_at)
  const latest = official.isLatest ?? official.is_latest ?? old.is_latest ?? true
  const message = official.statusMessage
  return {
    status: scalarText(official.status ?? server.status) || 'active',
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
  const quote = message ? ` It says: ${cutText(message, 1000)}` : ''
  const common = { date: day, source: url, status: 'confirmed' }
  if (status === 'deprecated') {
    const what = `The MCP registry lists ${name} as deprecated.${quote}`
    return [{ key: 'registry-deprecated', kind: 'notice', what, ...common }]
  }
  if (status !== 'deleted') return []
  const what = `${name} was taken out of the MCP registry.${quote}`
  return [{ key: 'registry-deleted', kind: 'removal', what, ...common }]
}
