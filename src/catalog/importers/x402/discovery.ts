import { Failure } from '../../../platform/failure.ts'
import { isTestChain } from '../../payments/networks.ts'
import { readOffer } from '../../payments/read-offer.ts'
import { CHAIN_ID } from '../../records/words.ts'
import type { PaidEndpoint } from '../../records/x402.ts'
import { documentUrl } from '../document-url.ts'
import { fieldReader, isObject } from '../fields.ts'
import {
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type Item,
  utcDay,
} from '../importer.ts'
import { isUrl, parseSourceJson, readFileText, readSourceJson, readStart } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { stated } from '../stated.ts'
import { vendorOf } from '../vendor-of.ts'
import { asLink } from '../words/as-link.ts'

/** Where earlier versions said that every saved reply came from. */
const PUBLIC_LIST = 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources'
const PAGE_SIZE = 100
const PAGES_MAX = 500

/** Entries, and the name of their list in the document; none if the document is the list. */
type Page = { entries: unknown[]; list: string }

/**
 * Lists of paid addresses in the form of x402 discovery, versions 1 and 2: one record for each
 * host.
 */
export const X402_DISCOVERY: Importer = {
  name: 'x402-discovery',
  about: 'a list of x402 resources',
  recognises(source) {
    if (isUrl(source)) return /\/discovery\/resources\b/.test(source)
    const start = readStart(source)
    return /"accepts"\s*:/.test(start) && /"resource"\s*:/.test(start)
  },
  async *read(source, deps) {
    const wrong: Item[] = []
    const resources: PaidResource[] = []
    const document: Record<string, unknown[]> = {}
    let count = 0
    for await (const { entries, list } of pagesOf(source, deps)) {
      const all = document[list] ?? []
      document[list] = all
      for (const entry of entries) {
        all.push(entry)
        const place = { file: source, record: `${++count}` }
        const resource = resourceOf(
          entry,
          `${list}[${all.length - 1}]`,
          fieldReader(place, entry, (it) => wrong.push(it)),
        )
        if (resource) resources.push(resource)
      }
      deps.progress(count)
    }
    yield* wrong
    const list = isUrl(source) ? listAddress(source) : documentUrl(source, source, deps.at)
    yield* byHost(resources, { list, document, day: utcDay(deps.now) })
  },
}

async function* pagesOf(source: string, deps: ImportDeps): AsyncGenerator<Page> {
  if (!isUrl(source)) {
    yield entriesOf(source, parseSourceJson(source, readFileText(source)))
    return
  }
  const cursors = new Set<string>()
  let offset = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const url = new URL(source)
    url.searchParams.set('limit', String(PAGE_SIZE))
    url.searchParams.set('offset', String(offset))
    const { entries, list, total } = entriesOf(source, await readSourceJson(url.href, deps))
    if (entries.length === 0) return
    const mark = JSON.stringify(entries[0])
    // A server that ignores the offset repeats its first page for ever.
    if (cursors.has(mark)) throw refused(source, 'its pages form a loop')
    cursors.add(mark)
    yield { entries, list }
    offset += entries.length
    if (total === undefined ? entries.length < PAGE_SIZE : offset >= total) return
  }
  throw refused(source, `it has more than ${PAGES_MAX} pages`)
}

function entriesOf(source: string, value: unknown): Page & { total?: number } {
  if (Array.isArray(value)) return { entries: value, list: '' }
  const list = isObject(value) && value.items === undefined ? 'resources' : 'items'
  const entries = isObject(value) ? value[list] : undefined
  if (!isObject(value) || !Array.isArray(entries)) throw refused(source, 'it has no list "items"')
  const total = isObject(value.pagination) ? value.pagination.total : undefined
  return { entries, list, ...(typeof total === 'number' ? { total } : {}) }
}

function resourceOf(
  entry: unknown,
  place: string,
  read: ReturnType<typeof fieldReader>,
): PaidResource | undefined {
  if (!isObject(entry)) {
    read.wrong('', 'a mapping', entry)
    return undefined
  }
  const about = isObject(entry.resource) ? entry.resource : { url: entry.resource }
  const url = typeof about.url === 'string' ? URL.parse(about.url) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    read.wrong('resource', 'a web address', about.url)
    return undefined
  }
  const version = entry.x402Version === 2 ? 2 : 1
  const accepts = read.list('accepts')
  const endpoints = readAccepts(accepts, version, url.href, read.wrong)
  const first = accepts.find(isObject)
  const description = about.description ?? first?.description
  return {
    url,
    place,
    endpoints,
    ...(typeof description === 'string' && description ? { description } : {}),
  }
}

function listAddress(source: string): string {
  const url = new URL(source)
  for (const name of ['limit', 'offset']) url.searchParams.delete(name)
  url.hash = ''
  return url.href
}

function refused(source: string, why: string): Failure {
  const message = `${source} cannot be read to its end: ${why}. Nothing was imported.`
  return new Failure('unavailable', message)
}

type PaidResource = { url: URL; place: string; endpoints: PaidEndpoint[]; description?: string }

/** The list: its address, its content, and the day on which it was read. */
type Listing = { list: string; document: Record<string, unknown[]>; day: string }

// A file of the catalog holds 64 KiB.
const ENDPOINTS_MAX = 100

/** One record for each host, with the addresses that it sells, in their order. */
function* byHost(resources: readonly PaidResource[], listing: Listing) {
  const hosts = Map.groupBy(resources, ({ url }) => url.host)
  for (const [host, ofHost] of hosts) {
    const endpoints = ofHost
      .flatMap((it) => it.endpoints)
      .filter(({ url }) => asLink(url) !== undefined)
      .sort((a, b) => order(a.url + a.network, b.url + b.network))
    const vendor = vendorOf(`https://${host}`)
    if (!vendor?.domain) {
      yield { skipped: host, why: 'the owner of that address is unknown' }
      continue
    }
    if (endpoints.length === 0) {
      yield { skipped: host, why: 'the list has no offer for it that can be read' }
      continue
    }
    yield recordOf(host, slugOf(host, vendor.domain), vendor, {
      ...listing,
      endpoints,
      found: ofHost,
    })
  }
}

/** `api.fence.dev` → `fence`, `data.fence.dev` → `fence-data`: each host is a record of its own. */
function slugOf(host: string, domain: string): string {
  const below = host.slice(0, Math.max(0, host.lastIndexOf(domain))).replace(/\.$/, '')
  const rest = /^(api|www)?$/.test(below) ? '' : below
  const port = /:(\d+)$/.exec(host)?.[1] ?? ''
  return slugFrom([domain.split('.')[0], rest, port].filter(Boolean).join('-'))
}

// The text of all places has at most 500 characters.
const PLACES_MAX = 15

type Found = Listing & { endpoints: PaidEndpoint[]; found: PaidResource[] }

function recordOf(
  host: string,
  slug: string,
  vendor: NonNullable<ReturnType<typeof vendorOf>>,
  { endpoints, list, document, day, found: resources }: Found,
): ImportedRecord {
  const most = endpoints.slice(0, ENDPOINTS_MAX)
  const more = endpoints.length - most.length
  const name = URL.parse(list)?.host || list.replace(/^file:/, '')
  const evidence = `Listed with ${endpoints.length} paid ${endpoints.length === 1 ? 'address' : 'addresses'} by ${name}${more ? `; the first ${ENDPOINTS_MAX} stand here` : ''}.`
  const described = resources.length === 1 ? resources[0]?.description : undefined
  const places = resources.slice(0, PLACES_MAX).map(({ place }) => place)
  const whole = document[''] ?? document
  const at = (...fields: string[]) =>
    places.flatMap((entry) => fields.map((field) => `${entry}${field}`))
  const { tool, paths } = stated(whole, {
    name: [host, at('.resource')],
    kind: ['http-api', at('')],
    summary: [described, at('.resource.description', '.description', '.accepts[0].description')],
    transports: [['http'], at('.resource')],
    where: ['hosted', at('.resource')],
    pricing: ['usage', at('.accepts')],
    x402: [{ level: 'yes', evidence, source: list, endpoints: most }, at('.accepts')],
  })
  const mark = host.replace(':', '-')
  const isFile = list.startsWith('file:')
  return {
    slug,
    vendor,
    tool,
    match: { api: `https://${host}` },
    from: {
      // One list, and a part of it for each host.
      url: isFile ? list : `${list}#${mark}`,
      id: host,
      ...(isFile ? { formerly: `${PUBLIC_LIST}#${mark}` } : {}),
      read: day,
      paths,
    },
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Tell = (field: string, expected: string, actual: unknown) => void

/**
 * Ways to pay for one address: the lowest price on each network. A price is set only for coins that
 * are known to be worth a dollar, and never on a test network.
 */
function readAccepts(
  accepts: readonly unknown[],
  version: 1 | 2,
  url: string,
  tell: Tell,
): PaidEndpoint[] {
  const byNetwork = new Map<string, PaidEndpoint>()
  for (const [i, it] of accepts.entries()) {
    const offer = readOffer(it, version)
    if (typeof offer === 'string') {
      tell(`accepts[${i}]`, `an offer that a client can use (${offer})`, it)
      continue
    }
    const { priceUsd: price } = offer
    // A name that no chain id is known for says nothing to a client.
    const network = CHAIN_ID.test(offer.network) ? offer.network : ''
    const priceUsd = price === null || isTestChain(network) ? null : Number(price)
    const cheapest = byNetwork.get(network)
    const isLower = priceUsd !== null && (cheapest?.priceUsd ?? Number.POSITIVE_INFINITY) > priceUsd
    if (!cheapest || isLower) byNetwork.set(network, { url, priceUsd, network })
  }
  return [...byNetwork.values()]
}
