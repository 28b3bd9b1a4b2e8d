import { Document, isMap, stringify } from 'yaml'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { schemaLine } from '../authoring/editor-schemas.ts'
import type { AuthoredTool } from '../records/authored.ts'
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
import { type FieldChange, mergeFacts, sourceEntry, UNSORTED } from './merge-facts.ts'
import { createVendors } from './place-vendor.ts'
import { planChanges } from './plan-changes.ts'
import { emptyReport, type ImportReport } from './report.ts'
import { freeSlug, slugFrom } from './slug-from.ts'
import { x402InText } from './words/x402-in-text.ts'

export type PlanOptions = {
  /** Leave records alone that are there. */
  newOnly?: boolean
  /** Make records that are only made when somebody asks. */
  stubs?: boolean
  limit?: number
  /** The text of a file of the folder as it is now. */
  readText: (path: string) => string
}

/** Files to write, in the order in which each of them leaves the folder in order. */
export type ImportPlan = {
  files: Map<string, { before: string | undefined; after: string }>
  report: ImportReport
}

const RECORDS_MAX = 20_000

/**
 * Reads a source to its end and says what becomes of the catalog's files; nothing is written. The
 * records are taken in the order of their addresses: whatever order a source sends them in, the
 * slugs are the same. Throws what the importer throws.
 */
export async function planImport(
  catalog: CatalogSource,
  { importer, source }: { importer: Importer; source: string },
  deps: ImportDeps,
  { newOnly = false, stubs = false, limit = RECORDS_MAX, readText }: PlanOptions,
): Promise<ImportPlan> {
  const report = emptyReport(source, importer.name, utcDay(deps.now))
  const files: ImportPlan['files'] = new Map()
  const matcher = createMatcher(catalog)
  const vendors = createVendors(catalog)
  const removed = new Map(catalog.removed.map((it) => [it.slug, it]))
  const capabilities = catalog.settings.capabilities?.map(({ id }) => id)
  const categories = new Set(catalog.settings.categories.map(({ id }) => id))
  let passedOver = 0
  const changes = planChanges(catalog, write, report)

  function textOf(path: string): string {
    return files.get(path)?.after ?? readText(path)
  }

  function write(path: string, after: string, isNew: boolean) {
    const planned = files.get(path)
    files.set(path, { before: planned ? planned.before : isNew ? undefined : textOf(path), after })
  }

  function skip(record: string, why: string) {
    report.skipped.push({ record, why })
  }

  function take(sent: ImportedRecord) {
    const facts = cleanFacts(sent, ({ wrong }) => report.wrong.push(wrong))
    if (sent.from.licence && !report.licences.includes(sent.from.licence)) {
      report.licences.push(sent.from.licence)
    }
    const { name } = facts
    if (!name) return skip(sent.slug, 'it has no name that can be used')
    if (capabilities && facts.capabilities) {
      facts.capabilities = facts.capabilities.filter((it) => capabilities.includes(it))
    }
    addPayments(facts, sent)
    // What a source calls a category may be none here.
    if (facts.category && !categories.has(facts.category)) delete facts.category
    // What was left out as wrong is nothing to be recognised by either.
    const item: ImportedRecord = { ...sent, tool: { ...facts, name } }
    const known = matcher.find(item) ?? followed(item.slug)
    if (known !== undefined && matcher.tool(known)) return merge(known, facts, item)
    if (item.stub === 'quiet') {
      passedOver++
      return
    }
    if (item.stub === 'never' || (item.stub === 'asked' && !stubs)) {
      return skip(item.slug, 'the catalog has no such record')
    }
    make({ ...facts, name }, item)
  }

  /** A source without a field for payments may still speak of them in its description. */
  function addPayments(facts: Partial<ImportedRecord['tool']>, { tool, from }: ImportedRecord) {
    if (facts.x402 || tool.x402) return
    const stated = x402InText(facts.summary)
    if (!stated) return
    facts.x402 = { ...stated, source: from.url }
    from.facts = [...from.facts, 'x402']
  }

  /** Where the record of a renamed slug is now. */
  function followed(slug: string): string | undefined {
    const been = new Set<string>()
    let at = removed.get(slug)?.renamedTo
    while (at !== undefined && !been.has(at) && !matcher.tool(at)) {
      been.add(at)
      at = removed.get(at)?.renamedTo
    }
    return at
  }

  function merge(slug: string, facts: Record<string, unknown>, item: ImportedRecord) {
    const tool = matcher.tool(slug)
    if (newOnly || !tool) {
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
    const merged = mergeFacts({ path, text: textOf(path), tool }, shown, {
      ...item.from,
      retracted: item.retracted,
      // A part of the fields says nothing of the others.
      whole: !isOther && !changesOnly,
    })
    report.conflicts.push(...merged.conflicts)
    if (merged.text === textOf(path)) report.counts.same++
    else {
      write(path, merged.text, false)
      report.changed.push({ path, from: item.from.url, fields: merged.changed })
      // A second record of this source may be the same tool.
      matcher.add({ ...tool, ...valuesOf(merged.changed) })
    }
    changes.add(slug, item)
  }

  function make(facts: Record<string, unknown> & { name: string }, item: ImportedRecord) {
    const wanted = slugFrom(item.slug) || slugFrom(facts.name)
    const vendor = vendors.find(item)
    if (!wanted) return skip(item.slug, 'nothing of its name can be a slug')
    if (removed.has(wanted)) {
      return skip(item.slug, `removed.yaml names ${wanted}: a slug is never used again`)
    }
    const isTaken = (slug: string) => removed.has(slug) || matcher.tool(slug) !== undefined
    const slug = freeSlug(wanted, vendor?.id ?? importer.name, isTaken)
    const path = `tools/${slug}.yaml`
    const basics = withBasics(facts, importer.about)
    const category = catalog.settings.categories.some(({ id }) => id === basics.category)
      ? basics.category
      : UNSORTED
    const tool = { ...basics, ...(vendor ? { vendor: vendor.id } : {}), category }
    if (category === UNSORTED) addCategory()
    if (vendor?.make) {
      const vendorPath = `vendors/${vendor.id}.yaml`
      write(vendorPath, vendorText(vendorPath, vendor.make, item.from), true)
      vendors.add(vendor.make)
      matcher.addVendor(vendor.id, vendor.make.url)
    }
    write(path, stubText(path, tool, item.from), true)
    matcher.add({ ...tool, slug, sources: [{ ...item.from }] })
    report.made.push({ slug, name: facts.name, from: item.from.url })
    changes.add(slug, item)
  }

  function addCategory() {
    if (catalog.settings.categories.some(({ id }) => id === UNSORTED)) return
    if (!files.has('catalog.yaml')) {
      write('catalog.yaml', withCategory(textOf('catalog.yaml')), false)
    }
  }

  const items = await collect(importer.read(source, deps), limit, report)
  for (const item of items) take(item)
  count(report, items.length - passedOver)
  return { files, report }
}

/** What fields are after a change; a field that was taken back is undefined. */
function valuesOf(changed: readonly FieldChange[]): Record<string, unknown> {
  return Object.fromEntries(changed.map(({ field, to }) => [field, to ?? undefined]))
}

/** The records by their addresses, each of them once. */
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

/** `catalog.yaml` with the category of records that nobody has sorted yet. */
function withCategory(text: string): string {
  const item = {
    id: UNSORTED,
    name: 'Unsorted',
    area: UNSORTED,
    description: 'Imported, and not yet sorted by anybody.',
  }
  return setItem(text, { field: 'categories', item })
}

const ORDER = ['name', 'vendor', 'kind', 'category', 'summary', 'homepage', 'repo', 'docsUrl']
const STYLE = { lineWidth: 0 } as const

type From = { url: string; read: string; credit?: string; facts: string[] }

/** What every record must say, where the source does not: words that claim nothing. */
function withBasics(facts: Partial<ToolFacts> & { name: string }, source: string) {
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

/** `vendors/ID.yaml`: what the addresses of a record say. */
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
