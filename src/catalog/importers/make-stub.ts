import { Document, isMap, stringify } from 'yaml'
import { schemaLine } from '../authoring/editor-schemas.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { ToolFacts } from './importer.ts'
import { sourceEntry, UNSORTED } from './merge-facts.ts'

const ORDER = ['name', 'vendor', 'kind', 'category', 'summary', 'homepage', 'repo', 'docsUrl']
const STYLE = { lineWidth: 0 } as const

type From = { url: string; read: string; credit?: string; facts: string[] }

/** What every record must say, where the source does not: words that claim nothing. */
export function withBasics(facts: Partial<ToolFacts> & { name: string }, source: string) {
  return {
    kind: 'unknown',
    category: UNSORTED,
    auth: 'unknown',
    pricing: 'unknown',
    where: 'unknown',
    summary: `As listed by ${source}; not described there.`,
    ...facts,
  }
}

/** The values that the source shows, of those that were taken. */
export function shownFacts(facts: Readonly<Record<string, unknown>>, from: From) {
  return Object.fromEntries(Object.entries(facts).filter(([field]) => from.facts.includes(field)))
}

/** `tools/SLUG.yaml` of a record without grade. */
export function stubText(path: string, tool: Omit<AuthoredTool, 'slug'>, from: From): string {
  const { sources: _, ...fields } = tool
  const named = ORDER.filter((field) => field in fields)
  const rest = Object.keys(fields).filter((field) => !ORDER.includes(field))
  const ordered = Object.fromEntries(
    [...named, ...rest].map((field) => [field, (fields as Record<string, unknown>)[field]]),
  )
  const document = new Document({
    ...ordered,
    sources: [sourceEntry(from, shownFacts(ordered, from))],
  })
  const marks = document.getIn(['sources', 0, 'imported'])
  if (isMap(marks)) marks.flow = true
  return schemaLine(path) + document.toString(STYLE)
}

/** `vendors/ID.yaml`: what the addresses of a record say. */
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
