import { Document, isMap, stringify } from 'yaml'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { schemaLine } from '../authoring/editor-schemas.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import { cleanFacts } from './clean-facts.ts'
import { setItem } from './edit-list.ts'
import {
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type Item,
  type ToolFacts,
  utcDay,
} from './importer.ts'
import { createMatcher } from './match.ts'
import {
  type FieldChange,
  mergeFacts,
  NOT_DESCRIBED,
  sourceEntry,
  UNSORTED,
} from './merge-facts.ts'
import { createVendors } from './place-vendor.ts'
import { planChanges } from './plan-changes.ts'
import { emptyReport, type ImportReport } from './report.ts'
import { freeSlug, slugFrom } from './slug-from.ts'

export type PlanOptions = {
  /** Leave existing records as they are. */
  newOnly?: boolean
  /** Also make the records that an importer makes only on request. */
  stubs?: boolean
  limit?: number
  /** The text of a file of the folder as it is now. */
  readText: (path: string) => string
}

/** Files to write, in an order that keeps the folder valid after each of them. */
export type ImportPlan = {
  files: Map<string, { before: string | undefined; after: string }>
  report: ImportReport
}

const RECORDS_MAX = 20_000

/** What every step of one import works on. */
type Work = {
  catalog: CatalogSource
  importer: Importer
  options: PlanOptions
  report: ImportReport
  files: PlannedFiles
  matcher: ReturnType<typeof createMatcher>
  vendors: ReturnType<typeof createVendors>
  changes: ReturnType<typeof planChanges>
  removed: ReadonlyMap<string, Tombstone>
}

/** The files as they will be. */
type PlannedFiles = {
  all: ImportPlan['files']
  textOf(path: string): string
  write(path: string, after: string, isNew: boolean): void
}

/**
 * Reads a source to its end and plans the catalog's files; nothing is written. Records are taken in
 * the order of their addresses, so that slugs do not depend on the order of the source. Throws what
 * the importer throws.
 */
export async function planImport(
  catalog: CatalogSource,
  { importer, source }: { importer: Importer; source: string },
  deps: ImportDeps,
  options: PlanOptions,
): Promise<ImportPlan> {
  const report = emptyReport(source, importer.name, utcDay(deps.now))
  const files = plannedFiles(options.readText)
  const work: Work = {
    catalog,
    importer,
    options,
    report,
    files,
    matcher: createMatcher(catalog),
    vendors: createVendors(catalog),
    changes: planChanges(catalog, files.write, report),
    removed: new Map(catalog.removed.map((it) => [it.slug, it])),
  }
  const items = await collect(importer.read(source, deps), options.limit ?? RECORDS_MAX, report)
  let passedOver = 0
  for (const item of items) {
    if (takeRecord(work, item) === 'passed over') passedOver++
  }
  count(report, items.length - passedOver)
  return { files: files.all, report }
}

function plannedFiles(readText: PlanOptions['readText']): PlannedFiles {
  const all: ImportPlan['files'] = new Map()
  const textOf = (path: string) => all.get(path)?.after ?? readText(path)
  return {
    all,
    textOf,
    write(path, after, isNew) {
      const planned = all.get(path)
      all.set(path, { before: planned ? planned.before : isNew ? undefined : textOf(path), after })
    },
  }
}

function skip({ report }: Work, record: string, why: string): undefined {
  report.skipped.push({ record, why })
  return undefined
}

/** Merges a record into the one that the catalog has, or makes a new one. */
function takeRecord(work: Work, sent: ImportedRecord): 'passed over' | undefined {
  const { report, matcher, options } = work
  const facts = cleanFacts(sent, ({ wrong }) => report.wrong.push(wrong))
  if (sent.from.licence && !report.licences.includes(sent.from.licence)) {
    report.licences.push(sent.from.licence)
  }
  const { name } = facts
  if (!name) return skip(work, sent.slug, 'it has no usable name')
  keepKnownWords(work, facts)
  // A field that was left out as wrong must not identify the record either.
  const item: ImportedRecord = { ...sent, tool: { ...facts, name } }
  const known = matcher.find(item) ?? currentSlug(work, item.slug)
  if (known !== undefined && matcher.tool(known)) mergeRecord(work, known, facts, item)
  else if (item.stub === 'quiet') return 'passed over'
  else if (item.stub === 'never' || (item.stub === 'asked' && !options.stubs)) {
    skip(work, item.slug, 'the catalog has no such record')
  } else makeRecord(work, { ...facts, name }, item)
  return undefined
}

/** Drops categories and capabilities that the catalog does not have. */
function keepKnownWords({ catalog }: Work, facts: Partial<ToolFacts>): void {
  const { categories, capabilities } = catalog.settings
  if (capabilities && facts.capabilities) {
    const known = new Set(capabilities.map(({ id }) => id))
    facts.capabilities = facts.capabilities.filter((it) => known.has(it))
  }
  if (facts.category && !categories.some(({ id }) => id === facts.category)) delete facts.category
}

/** Where the record of a renamed slug is now. */
function currentSlug({ removed, matcher }: Work, slug: string): string | undefined {
  const been = new Set<string>()
  let at = removed.get(slug)?.renamedTo
  while (at !== undefined && !been.has(at) && !matcher.tool(at)) {
    been.add(at)
    at = removed.get(at)?.renamedTo
  }
  return at
}

function mergeRecord(
  work: Work,
  slug: string,
  facts: Record<string, unknown>,
  item: ImportedRecord,
): void {
  const { report, files, matcher, options } = work
  const tool = matcher.tool(slug)
  if (options.newOnly || !tool) {
    report.counts.kept++
    return
  }
  const path = `tools/${slug}.yaml`
  const { from, acrossKinds } = item
  const isOwn = tool.sources?.some(({ url, imported }) => url === from.url && imported)
  const changesOnly = item.changesOnly && !isOwn
  const isOther = acrossKinds && item.tool.kind !== tool.kind
  const known = isOther ? [...acrossKinds] : from.facts
  const shown = changesOnly ? {} : shownFacts(facts, { ...from, facts: known })
  const merged = mergeFacts({ path, text: files.textOf(path), tool }, shown, {
    ...item.from,
    retracted: item.retracted,
    // Some of the fields prove nothing about the others.
    whole: !isOther && !changesOnly,
  })
  report.conflicts.push(...merged.conflicts)
  if (merged.text === files.textOf(path)) report.counts.same++
  else {
    files.write(path, merged.text, false)
    report.changed.push({ path, from: item.from.url, fields: merged.changed })
    // A second record of this source may be the same tool.
    matcher.add({ ...tool, ...valuesOf(merged.changed) })
  }
  work.changes.add(slug, item)
}

function makeRecord(
  work: Work,
  facts: Record<string, unknown> & { name: string },
  item: ImportedRecord,
): undefined {
  const { catalog, importer, report, files, matcher, removed, vendors } = work
  const wanted = slugFrom(item.slug) || slugFrom(facts.name)
  const vendor = vendors.find(item)
  if (!wanted) return skip(work, item.slug, 'no part of its name can be a slug')
  if (removed.has(wanted)) {
    return skip(work, item.slug, `removed.yaml names ${wanted}: a slug is never used again`)
  }
  const isTaken = (slug: string) => removed.has(slug) || matcher.tool(slug) !== undefined
  const slug = freeSlug(wanted, vendor?.id ?? importer.name, isTaken)
  const path = `tools/${slug}.yaml`
  const basics = withBasics(facts)
  const category = catalog.settings.categories.some(({ id }) => id === basics.category)
    ? basics.category
    : UNSORTED
  const tool = { ...basics, ...(vendor ? { vendor: vendor.id } : {}), category }
  if (category === UNSORTED) addUnsortedCategory(work)
  if (vendor?.make) {
    const vendorPath = `vendors/${vendor.id}.yaml`
    files.write(vendorPath, vendorText(vendorPath, vendor.make, item.from), true)
    vendors.add(vendor.make)
    matcher.addVendor(vendor.id, vendor.make.url)
  }
  files.write(path, stubText(path, tool, item.from), true)
  matcher.add({ ...tool, slug, sources: [{ ...item.from }] })
  report.made.push({ slug, name: facts.name, from: item.from.url })
  work.changes.add(slug, item)
  return undefined
}

function addUnsortedCategory({ catalog, files }: Work): void {
  if (catalog.settings.categories.some(({ id }) => id === UNSORTED)) return
  if (files.all.has('catalog.yaml')) return
  files.write('catalog.yaml', withCategory(files.textOf('catalog.yaml')), false)
}

/** The fields after a change; a retracted field is undefined. */
function valuesOf(changed: readonly FieldChange[]): Record<string, unknown> {
  return Object.fromEntries(changed.map(({ field, to }) => [field, to ?? undefined]))
}

/** Each record once, in the order of their addresses. */
async function collect(read: AsyncIterable<Item>, limit: number, report: ImportReport) {
  const items = new Map<string, ImportedRecord>()
  const most = Math.min(limit, RECORDS_MAX)
  for await (const item of read) {
    if ('skipped' in item) report.skipped.push({ record: item.skipped, why: item.why })
    else if ('wrong' in item) report.wrong.push(item.wrong)
    else if ('until' in item) {
      if (item.until > (report.until ?? '')) report.until = item.until
    } else if (items.has(item.from.url)) {
      report.skipped.push({ record: item.slug, why: 'the source lists it twice' })
    } else items.set(item.from.url, item)
    if (items.size >= most) break
  }
  return [...items.values()].sort((a, b) => (a.from.url < b.from.url ? -1 : 1))
}

function count(report: ImportReport, records: number) {
  const { made, changed, skipped, wrong, conflicts, changes } = report
  Object.assign(report.counts, {
    records,
    made: made.length,
    changed: changed.length,
    skipped: skipped.length,
    wrong: wrong.length,
    conflicts: conflicts.length,
    changes: changes.length,
  })
}

/** `catalog.yaml` with the category of unsorted records. */
function withCategory(text: string): string {
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

type From = { url: string; read: string; credit?: string; facts: string[] }

/** Required fields that the source leaves open, with values that claim nothing. */
function withBasics(facts: Partial<ToolFacts> & { name: string }) {
  return {
    kind: 'unknown',
    category: UNSORTED,
    auth: 'unknown',
    pricing: 'unknown',
    where: 'unknown',
    summary: NOT_DESCRIBED,
    ...facts,
  }
}

/** Only the fields that the source states. */
function shownFacts(facts: Readonly<Record<string, unknown>>, from: From) {
  return Object.fromEntries(Object.entries(facts).filter(([field]) => from.facts.includes(field)))
}

/** `tools/SLUG.yaml` of a record without grade. */
function stubText(path: string, tool: Omit<AuthoredTool, 'slug'>, from: From): string {
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

/** `vendors/ID.yaml`, made from the addresses of a record. */
function vendorText(
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
