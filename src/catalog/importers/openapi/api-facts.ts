import { cleanLine, cutText } from '../../../platform/text.ts'
import type { AuthoredVendor } from '../../records/authored.ts'
import { fieldReader, isObject, scalarText } from '../fields.ts'
import type { ImportedRecord, ToolFacts, WrongValue } from '../importer.ts'
import { registeredDomain } from '../many-owners.ts'
import { slugFrom } from '../slug-from.ts'
import { vendorOf } from '../vendor-of.ts'
import { asLink } from '../words/as-link.ts'
import { oneSentence } from '../words/one-sentence.ts'
import { spdxOf } from '../words/spdx.ts'
import { authOf } from './auth.ts'
import type { ApiDocument } from './parse-document.ts'
import { serverOf } from './servers.ts'

const NAME_CHARS_MAX = 200
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** One document as a record, with what tells its versions apart. */
export type ReadApi = {
  item: ImportedRecord
  /** The provider and service, as exactly as the document says. */
  provider: string
  version: string
  suffix: string
  isPreferred: boolean
}

type Read = {
  name: string
  readAt: string | undefined
  read: string
  tell: (it: WrongValue) => void
}

/** Reads a document as facts of its API; returns the reason if it makes no record. */
export function apiFacts(
  document: ApiDocument,
  { name, readAt, read, tell }: Read,
): ReadApi | { why: string } {
  const info = isObject(document.info) ? document.info : {}
  const fields = fieldReader({ file: name, record: 'info' }, document.info, tell)
  const title = lineOf(fields.text('title')) || lineOf(listedAs(info))
  if (title === '') return { why: 'it has no title' }
  const version = cleanLine(cutText(fields.text('version') ?? '', 100))
  const origin = originOf(info['x-origin'])
  const at = readAt ?? origin?.url
  const server = serverOf(document, readAt)
  const docsUrl = linkIn(document.externalDocs, 'url')
  const contact = linkIn(info.contact, 'url')
  const terms = asLink(info.termsOfService)
  const identity = identityOf(document, [server.url, contact, docsUrl, terms])
  if (!identity) return { why: 'no address in it shows the owner of the API' }
  const { vendor, slug, suffix } = identity
  const summary = oneSentence(fields.text('description')) ?? oneSentence(fields.text('summary'))
  const tool: ToolFacts = {
    name: title,
    kind: 'http-api',
    ...given('category', categoryOf(info)),
    ...given('summary', summary),
    ...given('docsUrl', docsUrl),
    ...given('openapi', readAt ?? (origin?.isOpenApi ? origin.url : undefined)),
    ...given('remoteUrl', server.url),
    ...given('license', licenseOf(info.license)),
    transports: ['http'],
    ...authOf(document),
    ...(server.url ? { where: 'hosted' } : {}),
    ...given('tags', tagsOf(info)),
    details: detailsOf([
      ['Version', version],
      ['Operations', `${operations(document.paths)}`],
      [
        'Description',
        document.swagger === undefined ? `OpenAPI ${document.openapi}` : 'Swagger 2.0',
      ],
      ['Server', server.note],
      ['Terms', terms],
      ['Contact', contact],
      ['Made by', info['x-unofficialSpec'] === true ? 'others than the vendor' : undefined],
    ]),
  }
  const from = at ?? server.url ?? vendor.url
  return {
    item: {
      slug,
      tool,
      vendor,
      acrossKinds: ['openapi', 'docsUrl'],
      from: { url: from, id: name, read, facts: Object.keys(tool) },
    },
    provider: scalarText(info['x-providerName']) || vendor.domain || vendor.id,
    version,
    suffix,
    isPreferred: info['x-preferred'] === true,
  }
}

function given<const N extends string, T>(name: N, value: T | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: T }
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

function detailsOf(said: ReadonlyArray<readonly [label: string, value: string | undefined]>) {
  return said.filter(([, value]) => value).map(([label, value]) => ({ label, value: value ?? '' }))
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
  const known = words.find((it) => Object.hasOwn(CATEGORIES, it))
  return known === undefined ? undefined : CATEGORIES[known]
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
 * else the domain of the server or another link, and the title.
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
  const domain = typeof value === 'string' ? registeredDomain(value) : undefined
  const url = domain && asLink(`https://${domain}`)
  const id = slugFrom(domain?.split('.')[0] ?? '')
  return domain && url && id ? { id, name: domain, url, domain } : undefined
}

function slugOf(vendor: string, family: string): string {
  if (family === '' || family === vendor) return vendor
  return slugFrom(family.startsWith(`${vendor}-`) ? family : `${vendor}-${family}`)
}
