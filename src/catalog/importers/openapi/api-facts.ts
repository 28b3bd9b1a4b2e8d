import { cleanLine, cutText } from '../../../platform/text.ts'
import type { ApiDocument } from '../../facts/openapi/parse-document.ts'
import type { AuthoredVendor } from '../../records/authored.ts'
import { fieldReader, isObject, scalarText } from '../fields.ts'
import { apiKey } from '../identity.ts'
import type { ImportedRecord, WrongValue } from '../importer.ts'
import { providerDomain, registeredDomain } from '../many-owners.ts'
import { isUrl } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { stated } from '../stated.ts'
import { vendorOf } from '../vendor-of.ts'
import { asLink } from '../words/as-link.ts'
import { oneSentence } from '../words/one-sentence.ts'
import { spdxOf } from '../words/spdx.ts'
import { authOf } from './auth.ts'
import { type ApiServer, serverOf } from './servers.ts'

const NAME_CHARS_MAX = 200
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** One document as a record, with what tells its versions apart. */
export type ReadApi = {
  item: ImportedRecord
  version: string
  suffix: string
  isPreferred: boolean
}

type Read = {
  /** The path of the file below the source. */
  name: string
  url: string
  read: string
  tell: (it: WrongValue) => void
}

/** Reads a document as facts of its API; returns the reason if it makes no record. */
export function apiFacts(
  document: ApiDocument,
  { name, url, read, tell }: Read,
): ReadApi | { why: string } {
  const info = isObject(document.info) ? document.info : {}
  const fields = fieldReader({ file: name, record: 'info' }, document.info, tell)
  const ownTitle = lineOf(fields.text('title'))
  const title = ownTitle || lineOf(listedAs(info))
  if (title === '') return { why: 'it has no title' }
  const readAt = isUrl(url) ? url : undefined
  const version = cleanLine(cutText(fields.text('version') ?? '', 100))
  const origin = originOf(info['x-origin'])
  const server = serverOf(document, readAt)
  const docsUrl = linkIn(document.externalDocs, 'url')
  const contact = linkIn(info.contact, 'url')
  const terms = asLink(info.termsOfService)
  const servers = [server.url, ...(server.all ?? [])]
  const identity = identityOf(document, [...servers, terms])
  // A contact and the documentation may be those of somebody else.
  if (!identity) return { why: 'no address in it shows the owner of the API' }
  const { vendor, slug, suffix } = identity
  const description = oneSentence(fields.text('description'))
  const { auth, authNotes } = authOf(document)
  const { tool, paths } = stated(document, {
    name: [title, ownTitle ? 'info.title' : ['info.x-providerName', 'info.x-serviceName']],
    kind: ['http-api', '.'],
    category: [categoryOf(info), 'info.x-apisguru-categories'],
    summary: description
      ? [description, 'info.description']
      : [oneSentence(fields.text('summary')), 'info.summary'],
    docsUrl: [docsUrl, 'externalDocs.url'],
    openapi: readAt ? [readAt, '.'] : [origin?.isOpenApi ? origin.url : undefined, 'info.x-origin'],
    remoteUrl: [server.url, server.at ?? []],
    license: [licenseOf(info.license), 'info.license'],
    transports: [['http'], '.'],
    auth: [auth, SECURITY],
    authNotes: [authNotes, SECURITY],
    where: [server.url ? 'hosted' : undefined, server.at ?? []],
    tags: [tagsOf(info), ['info.x-apisguru-categories', 'info.x-tags']],
    details: [detailsOf(document, { version, server, terms, contact }), DETAILS],
  })
  const formerly = readAt ?? origin?.url ?? server.url ?? vendor.url
  return {
    item: {
      slug,
      ...distinguished(
        slug,
        servers.find((it) => it !== undefined),
      ),
      tool,
      vendor,
      acrossKinds: ['openapi', 'docsUrl'],
      from: { url, id: idOf(info, identity, server, name), formerly, read, paths },
    },
    version,
    suffix,
    isPreferred: info['x-preferred'] === true,
  }
}

/** Without an address nothing shows that two documents of one title are one API. */
function idOf(
  info: Record<string, unknown>,
  { vendor, slug }: Identity,
  { url, all }: ApiServer,
  name: string,
): string {
  const provider = scalarText(info['x-providerName']) || vendor.domain || vendor.id
  const base = apiKey(url) ?? all?.map(apiKey).join(' ') ?? `in ${name}`
  return cutText(`${provider} ${slug} at ${base}`, 2000)
}

const SECURITY = ['components.securitySchemes', 'securityDefinitions', 'security']
const DETAILS = [
  'openapi',
  'swagger',
  'info.version',
  'info.termsOfService',
  'info.contact.url',
  'info.x-unofficialSpec',
  'servers',
  'host',
  'basePath',
  'schemes',
  'paths',
]

/** Another slug for an API whose title others have, too: with its host. */
function distinguished(slug: string, server: string | undefined): { otherwise?: string } {
  const host = server === undefined ? '' : new URL(server).hostname
  const own = registeredDomain(host) ?? host
  const part = slugFrom(host.slice(0, Math.max(0, host.length - own.length)))
  return part === '' ? {} : { otherwise: slugFrom(`${slug}-${part}`) }
}

function lineOf(text: string | undefined): string {
  return cutText(cleanLine((text ?? '').slice(0, 1000)), NAME_CHARS_MAX)
}

/** The name in a directory of APIs, for documents without one. */
function listedAs(info: Record<string, unknown>): string {
  const words = [info['x-providerName'], info['x-serviceName']]
  return words.filter((it) => typeof it === 'string').join(' ')
}

/** Where a directory of APIs read the document, possibly in another format. */
function originOf(value: unknown): { url: string; isOpenApi: boolean } | undefined {
  const first = Array.isArray(value) ? value.find(isObject) : value
  if (!isObject(first)) return undefined
  const url = asLink(first.url)
  const isOpenApi = first.format === 'openapi' || first.format === 'swagger'
  return url === undefined ? undefined : { url, isOpenApi }
}

function linkIn(value: unknown, field: string): string | undefined {
  return isObject(value) ? asLink(value[field]) : undefined
}

function licenseOf(value: unknown): string | undefined {
  return isObject(value) ? (spdxOf(value.identifier) ?? spdxOf(value.name)) : undefined
}

/** References are not resolved: only the document's own operations count. */
function operations(paths: unknown): number {
  if (!isObject(paths)) return 0
  let count = 0
  for (const item of Object.values(paths)) {
    if (isObject(item)) count += METHODS.filter((it) => isObject(item[it])).length
  }
  return count
}

type ApiWords = {
  version: string
  server: ApiServer
  terms: string | undefined
  contact: string | undefined
}

function detailsOf(document: ApiDocument, { version, server, terms, contact }: ApiWords) {
  const format = document.swagger === undefined ? `OpenAPI ${document.openapi}` : 'Swagger 2.0'
  const info = isObject(document.info) ? document.info : {}
  const rows: ReadonlyArray<readonly [label: string, value: string | undefined]> = [
    ['Version', version],
    ['Operations', `${operations(document.paths)}`],
    ['Format', format],
    ['Server', server.note],
    ['Servers', server.all && cutText(server.all.join(', '), 2000)],
    ['Terms', terms],
    ['Contact', contact],
    ['Made by', info['x-unofficialSpec'] === true ? 'others than the vendor' : undefined],
  ]
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** Words of the APIs.guru directory, and the categories of the example catalog that mean the same. */
const CATEGORIES: Record<string, string> = {
  payment: 'payments',
  messaging: 'messaging',
  email: 'messaging',
  telecom: 'messaging',
  search: 'search',
  storage: 'storage',
  developer_tools: 'developer-tools',
  machine_learning: 'models',
  hosting: 'compute',
  open_data: 'data',
  location: 'data',
  financial: 'data',
}
const TAGS_MAX = 10
const TAG_CHARS_MAX = 50

/** The category of the first known word; the rest is left to a curator. */
function categoryOf(info: Record<string, unknown>): string | undefined {
  const words = wordsIn(info['x-apisguru-categories'])
  const category = words.find((it) => Object.hasOwn(CATEGORIES, it))
  return category === undefined ? undefined : CATEGORIES[category]
}

function tagsOf(info: Record<string, unknown>): string[] | undefined {
  const words = [...wordsIn(info['x-apisguru-categories']), ...wordsIn(info['x-tags'])]
  const tags = [...new Set(words.map((it) => it.replaceAll('_', '-')))]
  return tags.length > 0 ? tags.slice(0, TAGS_MAX) : undefined
}

function wordsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 100)
    .filter((it) => typeof it === 'string')
    .map((it) => cleanLine(it.slice(0, 1000)).toLowerCase())
    .filter((it) => it.length > 1 && it.length <= TAG_CHARS_MAX)
}

type Vendor = Partial<AuthoredVendor> & { id: string; name: string; url: string }

/** The provider and service of an API, regardless of its version. */
type Identity = { vendor: Vendor; slug: string; suffix: string }

// The version at the end of a name: `checkout-v71`, `ghes-3.8`; not in `route53` or `sesv2`.
const VERSION = /[-_. /](?=v?\d)v?(\d+([._p-]\d+)*(-?(alpha|beta)\d*)?)$/i

/**
 * The provider and service: `x-providerName` and `x-serviceName` as set by directories of APIs;
 * else the domain of the server or of the terms, and the title.
 */
function identityOf(
  document: ApiDocument,
  addresses: ReadonlyArray<string | undefined>,
): Identity | undefined {
  const info = isObject(document.info) ? document.info : {}
  const provider = providerOf(info['x-providerName'])
  const vendor = provider ?? addresses.map(vendorOf).find((it) => it !== undefined)
  if (!vendor) return undefined
  const service = typeof info['x-serviceName'] === 'string' ? info['x-serviceName'] : ''
  const title = typeof info.title === 'string' ? info.title : ''
  const plainTitle = title.slice(0, 200).replace(/\b(rest|open)?\s*apis?\b/gi, ' ')
  const name = (provider || service !== '' ? service : plainTitle).slice(0, 200)
  const suffix = VERSION.exec(name.trim())?.[1] ?? ''
  const family = slugFrom(name.trim().replace(VERSION, ''))
  return { vendor, slug: slugOf(vendor.id, family), suffix }
}

function providerOf(value: unknown): Vendor | undefined {
  const domain = typeof value === 'string' ? providerDomain(value) : undefined
  const url = domain && asLink(`https://${domain}`)
  const id = slugFrom(domain?.split('.')[0] ?? '')
  return domain && url && id ? { id, name: domain, url, domain } : undefined
}

function slugOf(vendor: string, family: string): string {
  if (family === '' || family === vendor) return vendor
  return slugFrom(family.startsWith(`${vendor}-`) ? family : `${vendor}-${family}`)
}
