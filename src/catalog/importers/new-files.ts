import { Document, isMap, stringify } from 'yaml'
import { schemaLine } from '../authoring/editor-schemas.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { setItem } from './edit-list.ts'
import type { ImportedRecord, ToolFacts } from './importer.ts'
import { NOT_DESCRIBED, sourceEntry, UNSORTED } from './merge-facts.ts'

/** `catalog.yaml` with the category of unsorted records. */
export function withCategory(text: string): string {
  const item = {
    id: UNSORTED,
    name: 'Unsorted',
    area: UNSORTED,
    description: 'Imported and not sorted yet.',
  }
  return setItem(text, { field: 'categories', item })
}

const ORDER = ['name', 'vendor', 'kind', 'category', 'summary', 'homepage', 'repo', 'docsUrl']
const STYLE = { lineWidth: 0 } as const

type From = ImportedRecord['from']

/** Required fields that the source leaves open, with values that claim nothing. */
export function withBasics(facts: Partial<ToolFacts> & { name: string }, standIn?: string) {
  return {
    kind: 'unknown',
    category: UNSORTED,
    auth: 'unknown',
    pricing: 'unknown',
    where: 'unknown',
    summary: standIn ?? NOT_DESCRIBED,
    ...facts,
  }
}

/** The facts of these fields. */
export function factsOf(facts: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  return Object.fromEntries(Object.entries(facts).filter(([field]) => fields.includes(field)))
}

/** `tools/SLUG.yaml` of a record without grade. */
export function stubText(path: string, tool: Omit<AuthoredTool, 'slug'>, from: From): string {
  const { sources: _, ...fields } = tool
  const order = ORDER.filter((field) => field in fields)
  const rest = Object.keys(fields).filter((field) => !ORDER.includes(field))
  const ordered = Object.fromEntries(
    [...order, ...rest].map((field) => [field, (fields as Record<string, unknown>)[field]]),
  )
  const document = new Document({
    ...ordered,
    sources: [sourceEntry(from, factsOf(ordered, Object.keys(from.paths)))],
  })
  for (const key of ['paths', 'imported']) {
    const node = document.getIn(['sources', 0, key])
    if (isMap(node)) node.flow = true
  }
  return schemaLine(path) + document.toString(STYLE)
}

/** `vendors/ID.yaml`, made from the addresses of a record. */
export function vendorText(
  path: string,
  vendor: { id: string; name: string; url: string },
  { url, read }: From,
): string {
  const { id: _, ...fields } = vendor
  return (
    schemaLine(path) +
    stringify({ ...fields, sources: [{ url, read, facts: Object.keys(fields) }] }, STYLE)
  )
}
