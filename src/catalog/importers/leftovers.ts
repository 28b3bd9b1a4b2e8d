import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { sharedBy } from './many-owners.ts'
import { UNSORTED } from './merge-facts.ts'

/** Something that an import left and that only a person can decide. */
export type Leftover = { file: string; field: string; about: string }

// Fields of identity and order, which no source states.
const NOT_STATED = new Set(['slug', 'vendor', 'sources', 'text', 'probe', 'name', 'summary'])

/**
 * Vendors that are shared hosts, and fields of imported records that none of their sources states.
 * An import removes values that it can recognise as its own; these it cannot.
 */
export function importLeftovers({ tools, vendors }: CatalogSource): Leftover[] {
  return [...vendors.flatMap((vendor) => sharedVendor(vendor, tools)), ...tools.flatMap(unshown)]
}

function sharedVendor(
  { id, url, domain }: CatalogSource['vendors'][number],
  tools: CatalogSource['tools'],
): Leftover[] {
  const host = domain ?? URL.parse(url)?.hostname ?? ''
  const why = sharedBy(host)
  const own = tools.filter(({ vendor, sources = [] }) => vendor === id && isImported(sources))
  if (!why || own.length === 0) return []
  const subject = own
    .slice(0, 3)
    .map(({ slug }) => `tools/${slug}.yaml`)
    .join(', ')
  const more = own.length > 3 ? ` and ${own.length - 3} more` : ''
  const about = `${host} is ${why}, so it does not say who makes ${subject}${more}. Name the vendor there, or take the field out.`
  return [{ file: `vendors/${id}.yaml`, field: domain ? 'domain' : 'url', about }]
}

function unshown(tool: AuthoredTool): Leftover[] {
  const { slug, sources = [], assessment } = tool
  // A person who assessed a record has read it.
  if (assessment || !isImported(sources) || sources.some(({ imported }) => !imported)) return []
  const stated = new Set(sources.flatMap(({ facts }) => facts))
  const fields = Object.entries(tool).flatMap(([field, value]) =>
    stated.has(field) || NOT_STATED.has(field) || isOpen(value) ? [] : [field],
  )
  if (fields.length === 0) return []
  const about =
    'no source of this record shows it. Add the source that does, or take it out of the file.'
  return [{ file: `tools/${slug}.yaml`, field: fields.join(', '), about }]
}

function isImported(sources: NonNullable<AuthoredTool['sources']>): boolean {
  return sources.some(({ imported }) => imported !== undefined)
}

function isOpen(value: unknown): boolean {
  return value === 'unknown' || value === UNSORTED || value === undefined
}
