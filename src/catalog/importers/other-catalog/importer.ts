import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import { documentUrl } from '../document-url.ts'
import { fieldReader, isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { isFolder } from '../list-files.ts'
import { isUrl, parseSourceJson, readFileText, readSourceJson, readStart } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { asLink } from '../words/as-link.ts'

const LISTING = 'api/v1/tools.json'
const SITE_BYTES_MAX = 64 * 1024 * 1024

/** The facts of another catalog, from its address or an exported folder; never its grades. */
export const OTHER_CATALOG: Importer = {
  name: 'catalog',
  about: 'another catalog',
  recognises(source) {
    if (isUrl(source)) return /\/tools\.json$/.test(URL.parse(source)?.pathname ?? '')
    if (isFolder(source)) return existsSync(join(source, LISTING))
    const start = readStart(source)
    return /"notGraded"\s*:/.test(start) || /"methodology"\s*:[\s\S]*"tools"\s*:/.test(start)
  },
  read: readCatalog,
}

async function* readCatalog(source: string, deps: ImportDeps): AsyncGenerator<Item> {
  const { value, opened } = await readListing(source, deps)
  if (!isObject(value) || !Array.isArray(value.tools)) {
    const why = 'has no list "tools", as the listing of a catalog has'
    throw new Failure('malformed', `${source} ${why}; nothing was imported.`)
  }
  const meta = isObject(value.meta) ? value.meta : {}
  const text = (field: string) => (typeof meta[field] === 'string' ? meta[field] : '')
  const licence = [text('license') || 'licence not stated', text('attribution')]
  for (const [i, entry] of value.tools.entries()) {
    const place = { file: source, record: `${i + 1}` }
    yield* readEntry(entry, place, {
      opened,
      at: `tools[${i}]`,
      day: utcDay(deps.now),
      licence: licence.filter(Boolean).join(': '),
      ...(text('attribution') ? { credit: text('attribution') } : {}),
    })
    deps.progress(i + 1, value.tools.length)
  }
}

/** The listing, and the address of the document that was opened. */
async function readListing(source: string, deps: ImportDeps) {
  if (!isUrl(source)) {
    const file = isFolder(source) ? join(source, LISTING) : source
    const value = parseSourceJson(file, readFileText(file, SITE_BYTES_MAX))
    return { value, opened: documentUrl(source, file, deps.at) }
  }
  const { pathname } = new URL(source)
  const base = source.endsWith('/') ? source : `${source}/`
  const listing = pathname.endsWith('.json') ? source : new URL(LISTING, base).href
  return { value: await readSourceJson(listing, deps), opened: listing }
}

/** The document that was opened, and the place of the record in it. */
type Where = { opened: string; at: string; day: string; licence: string; credit?: string }

function* readEntry(
  entry: unknown,
  place: { file: string; record: string },
  { opened, at, day, licence, credit }: Where,
): Generator<Item> {
  const wrong: Item[] = []
  const read = fieldReader(place, entry, (it) => wrong.push(it))
  if (!isObject(entry)) {
    return yield { wrong: { ...place, field: '', expected: 'a mapping', found: typeof entry } }
  }
  const slug = read.text('slug')
  const name = read.text('name')
  const url = asLink(entry.jsonUrl) ?? asLink(entry.url)
  if (!slug) read.wrong('slug', 'the slug of a record', entry.slug)
  if (!name) read.wrong('name', 'a name', entry.name)
  if (!url) read.wrong('jsonUrl', 'the address of the record', entry.jsonUrl)
  yield* wrong
  if (!slug || !name || !url) return
  const tool = recordFacts(entry, name, opened)
  const vendorUrl = asLink(entry.vendorUrl)
  const vendor = read.text('vendor')
  const paths = Object.fromEntries(Object.keys(tool).map((field) => [field, `${at}.${field}`]))
  yield {
    slug,
    tool,
    ...(vendor && vendorUrl
      ? { vendor: { id: slugFrom(vendor), name: vendor, url: vendorUrl } }
      : {}),
    from: {
      url: opened,
      id: url,
      formerly: url,
      read: day,
      licence,
      ...(credit ? { credit } : {}),
      paths,
    },
  }
}

// Only facts: no grades, scores, opinions or measurements.
const COPIED = [
  'summary',
  'kind',
  'category',
  ...ALL_FIELDS.filter(({ fromCatalogs }) => fromCatalogs).flatMap(({ served }) =>
    Object.keys(served),
  ),
]

/** The facts of another catalog's record, without empty ones. */
function recordFacts(entry: Record<string, unknown>, name: string, url: string): ToolFacts {
  const facts: Record<string, unknown> = { name }
  for (const field of COPIED) {
    const value = entry[field]
    const isEmpty = value === '' || value === null || value === 'unknown'
    if (!isEmpty && !(Array.isArray(value) && value.length === 0)) facts[field] = value
  }
  const x402 = x402Of(entry.x402, url)
  if (x402) facts.x402 = x402
  if (Array.isArray(entry.unitPrices) && entry.unitPrices.length > 0) {
    facts.unitPrices = entry.unitPrices.map((it) => (isObject(it) ? { source: url, ...it } : it))
  }
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as ToolFacts
}

/** A level other than "no" needs evidence, and a price needs a source: here the other record. */
function x402Of(value: unknown, url: string): unknown {
  if (!isObject(value) || value.level === 'no') return undefined
  const { level, evidence, endpoints } = value
  const list = Array.isArray(endpoints) && endpoints.length > 0 ? { endpoints } : {}
  return { level, evidence: evidence || 'As another catalog says.', source: url, ...list }
}
