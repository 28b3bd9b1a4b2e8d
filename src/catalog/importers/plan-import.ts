import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { Tombstone } from '../records/change.ts'
import { cleanFacts } from './clean-facts.ts'
import { createMatcher, identityOfRecord } from './identity.ts'
import {
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type ToolFacts,
  utcDay,
} from './importer.ts'
import { type FieldChange, isOwn, mergeFacts, sourceEntry, UNSORTED } from './merge-facts.ts'
import { factsOf, stubText, vendorText, withBasics, withCategory } from './new-files.ts'
import { createVendors } from './place-vendor.ts'
import { planChanges } from './plan-changes.ts'
import { isUrl } from './read-source.ts'
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

/** The state that every step of one import works on. */
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
 * the order of their ids, makers before those who serve the same, so that nothing depends on the
 * order of the source. Throws what the importer throws.
 */
export async function planImport(
  catalog: CatalogSource,
  { importer, source }: { importer: Importer; source: string },
  deps: ImportDeps,
  options: PlanOptions,
): Promise<ImportPlan> {
  const report = emptyReport(source, importer.name, utcDay(deps.now))
  const files = plannedFiles(options.readText)
  const read = await collect(importer, { source, deps, report, limit: options.limit })
  const items = read.flatMap((item) => usable(catalog, item, report) ?? [])
  const work: Work = {
    catalog,
    importer,
    options,
    report,
    files,
    matcher: createMatcher(
      catalog,
      items.map((item) => identityOfRecord(item, undefined)),
    ),
    vendors: createVendors(catalog),
    changes: planChanges(catalog, files.write, report),
    removed: new Map(catalog.removed.map((it) => [it.slug, it])),
  }
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

/** The record with the facts that the files may have: no other may identify it either. */
function usable(
  catalog: CatalogSource,
  record: ImportedRecord,
  report: ImportReport,
): ImportedRecord | undefined {
  const facts = cleanFacts(record, ({ wrong }) => report.wrong.push(wrong))
  const { from } = record
  // A file does not show whose it is.
  // A file shows its licence only if it states one itself, with the credit that it asks for.
  const isStated = isUrl(from.url) || from.credit !== undefined
  if (from.licence && isStated && !report.licences.includes(from.licence)) {
    report.licences.push(from.licence)
  }
  const { name } = facts
  if (!name) {
    report.skipped.push({ record: record.slug, why: 'it has no usable name' })
    return undefined
  }
  keepKnownWords(catalog, facts)
  const paths = Object.entries(from.paths).filter(([field]) => field in facts)
  return {
    ...record,
    tool: { ...facts, name },
    from: { ...from, paths: Object.fromEntries(paths) },
  }
}

/** Merges a record into the one that the catalog has, or makes a new one. */
function takeRecord(work: Work, item: ImportedRecord): 'passed over' | undefined {
  const { matcher, vendors, options } = work
  const vendor = vendors.find(item)
  const existing = matcher.find(identityOfRecord(item, vendor?.id), item.from)
  const hasModels = endModels(work, item)
  if (existing !== undefined) mergeRecord(work, existing, item)
  else if (item.stub === 'quiet') return 'passed over'
  else if (hasModels && !options.stubs) return undefined
  else if (item.stub === 'never' || (item.stub === 'asked' && !options.stubs)) {
    skip(work, item.slug, 'the catalog has no such record')
  } else makeRecord(work, item, vendor)
  return undefined
}

/** Drops categories and capabilities that the catalog does not have. */
function keepKnownWords(catalog: CatalogSource, facts: Partial<ToolFacts>): void {
  const { categories, capabilities } = catalog.settings
  if (capabilities && facts.capabilities) {
    const capabilityIds = new Set(capabilities.map(({ id }) => id))
    facts.capabilities = facts.capabilities.filter((it) => capabilityIds.has(it))
  }
  if (facts.category && !categories.some(({ id }) => id === facts.category)) delete facts.category
}

/** Gives each model that has a record of its own its end; true if there is one. */
function endModels({ matcher, changes }: Work, { models, from }: ImportedRecord): boolean {
  const { owners, ends } = models ?? { owners: new Set<string>(), ends: [] }
  let hasEnded = false
  for (const { model, changes: own } of ends) {
    const slug = matcher.findModel(model, owners)
    if (slug === undefined) continue
    hasEnded = true
    const ownChanges = own.map(({ replacement, ...change }) => ({
      ...change,
      ...(replacement === undefined
        ? {}
        : { replacement: matcher.findModel(replacement, owners) ?? replacement }),
    }))
    changes.add(slug, { changes: ownChanges, from })
  }
  return hasEnded
}

function mergeRecord(work: Work, slug: string, item: ImportedRecord): void {
  const { report, files, matcher, options } = work
  const tool = matcher.tool(slug)
  if (options.newOnly || !tool) {
    report.counts.kept++
    return
  }
  const path = `tools/${slug}.yaml`
  const { from, acrossKinds } = item
  const isKnown = tool.sources?.some((it) => isOwn(it, from))
  const changesOnly = item.changesOnly && !isKnown
  const isOther = acrossKinds && item.tool.kind !== tool.kind
  const facts = changesOnly
    ? {}
    : isOther
      ? factsOf(item.tool, acrossKinds)
      : factsOf(item.tool, Object.keys(from.paths))
  const merged = mergeFacts({ path, text: files.textOf(path), tool }, facts, {
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
  item: ImportedRecord,
  vendor: ReturnType<Work['vendors']['find']>,
): undefined {
  const { tool: facts } = item
  const { catalog, importer, report, files, matcher, removed, vendors } = work
  const baseSlug = slugFrom(item.slug) || slugFrom(facts.name)
  if (!baseSlug) return skip(work, item.slug, 'no part of its name can be a slug')
  if (removed.has(baseSlug)) {
    return skip(work, item.slug, `removed.yaml names ${baseSlug}: a slug is never used again`)
  }
  const isTaken = (slug: string) => removed.has(slug) || matcher.tool(slug) !== undefined
  const next = slugFrom(item.otherwise ?? '')
  const slug =
    next && isTaken(baseSlug) && !isTaken(next)
      ? next
      : freeSlug(baseSlug, vendor?.id ?? importer.name, isTaken)
  const path = `tools/${slug}.yaml`
  const basics = withBasics(facts, item.standIn)
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
  matcher.add({ ...tool, slug, sources: [sourceEntry(item.from, tool)] })
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

type Reading = {
  source: string
  deps: ImportDeps
  report: ImportReport
  limit: number | undefined
}

/** Each record once, in the order of their ids, makers first. */
async function collect(importer: Importer, { source, deps, report, limit }: Reading) {
  const items = new Map<string, ImportedRecord>()
  const most = Math.min(limit ?? RECORDS_MAX, RECORDS_MAX)
  for await (const item of importer.read(source, deps)) {
    if ('skipped' in item) report.skipped.push({ record: item.skipped, why: item.why })
    else if ('wrong' in item) report.wrong.push(item.wrong)
    else if ('until' in item) {
      if (item.until > (report.until ?? '')) report.until = item.until
    } else {
      const id = `${importer.name}:${item.from.id}`
      if (items.has(id)) {
        report.skipped.push({ record: item.slug, why: `the source lists ${item.from.id} twice` })
      } else items.set(id, { ...item, from: { ...item.from, id } })
    }
    if (items.size < most) continue
    if (most !== limit) {
      const why = `an import takes ${RECORDS_MAX.toLocaleString('en-US')} records; import the source in parts`
      report.skipped.push({ record: 'the rest of the source', why })
    }
    break
  }
  const place = ({ precedence = 2, from }: ImportedRecord) => `${precedence} ${from.id}`
  return [...items.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

function count(report: ImportReport, records: number) {
  const { made: created, changed, skipped, wrong, conflicts, changes } = report
  Object.assign(report.counts, {
    records,
    made: created.length,
    changed: changed.length,
    skipped: skipped.length,
    wrong: wrong.length,
    conflicts: conflicts.length,
    changes: changes.length,
  })
}
