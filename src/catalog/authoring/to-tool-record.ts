import { addressesOf } from '../records/address.ts'
import type { AuthoredChange, AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import type { ServeContext } from '../records/fields/field.ts'
import { ALL_FIELDS, type ServedFields } from '../records/fields/fields.ts'
import type { Grading } from '../records/grading.ts'
import type { Live } from '../records/live.ts'
import { currentSlugs } from '../records/renames.ts'
import { servedReply } from '../records/reply.ts'
import type { AuthoredReview, Review } from '../records/review.ts'
import type { ToolDetail, ToolRecord } from '../records/tool.ts'
import type { Connect } from '../records/tool-fields.ts'
import type { CatalogSource } from './catalog-source.ts'
import { modelsOf } from './models-of.ts'
import { notKnownOf } from './not-known.ts'
import { checksOf, x402Of } from './paid-agreement.ts'
import { provenanceOf } from './provenance-checks.ts'
import { type Companies, companiesOf, sameCompanyOf } from './same-company.ts'

/** The parts of a record that come from other files; made once for all records. */
export type RecordContext = {
  /** Without a slash at the end. */
  baseUrl: string
  source: CatalogSource
  vendors: ReadonlyMap<string, AuthoredVendor>
  /** Area by category. */
  areas: ReadonlyMap<string, string>
  companies: Companies
  reviews: ReadonlyMap<string, AuthoredReview[]>
  changes: ReadonlyMap<string, AuthoredChange[]>
  states: ReviewStates
  /** `YYYY-MM-DD` */
  today: string
}

/** The result of checking each review's signature, by `SLUG/ID`. */
export type ReviewStates = ReadonlyMap<string, { status: string }>

export function recordContext(
  source: CatalogSource,
  baseUrl: string,
  states: ReviewStates,
  today: string,
): RecordContext {
  const current = currentSlugs(source.removed)
  const areas = new Map(source.settings.categories.map(({ id, area }) => [id, area]))
  return {
    baseUrl,
    source,
    vendors: new Map(source.vendors.map((vendor) => [vendor.id, vendor])),
    areas,
    companies: companiesOf(source.tools, areas),
    reviews: Map.groupBy(source.reviews, ({ tool }) => current(tool)),
    changes: Map.groupBy(source.changes, ({ tool }) => current(tool)),
    states,
    today,
  }
}

/** The record of a single-tool document. Measured values win over written ones. */
export function toToolDetail(
  tool: AuthoredTool,
  context: RecordContext,
  live: Live,
  { catalog, breakdown }: Grading,
): ToolDetail {
  const vendor = vendorOf(tool, context)
  const reviews = (context.reviews.get(tool.slug) ?? [])
    .map((one) => asServed(one, context))
    .sort(newestFirst)
  const runDate = context.source.settings.run.date
  const fields = servedFields(tool, { live, runDate, x402: x402Of(tool, live, runDate) })
  const changes = context.changes.get(tool.slug) ?? []
  const reply = tool.reply && servedReply(tool.reply, context.today)
  return {
    slug: tool.slug,
    name: tool.name,
    vendor: vendor?.name ?? '',
    ...(vendor ? { vendorUrl: vendor.url } : {}),
    kind: tool.kind,
    category: tool.category,
    area: context.areas.get(tool.category) ?? '',
    summary: tool.summary,
    ...addressesOf(context.baseUrl, tool.slug),
    ...fields,
    graded: catalog.graded,
    catalog,
    connect: connectOf(tool),
    unitPrices: tool.unitPrices ?? [],
    ...sameCompanyOf(tool, vendor?.name ?? '', context),
    provenance: provenanceOf(tool, vendor, live, catalog.provenanceScore),
    live: servedLive(tool, live),
    reviews,
    notKnown: notKnownOf({
      tool,
      live,
      toolCount: fields.toolCount,
      changes,
      today: context.today,
    }),
    notable: tool.text?.notes ?? [],
    details: detailsOf(tool),
    breakdown,
    ...(reply ? { reply } : {}),
  }
}

/** The members of all fields. Each field is made from its own members of the file. */
function servedFields(tool: AuthoredTool, context: ServeContext): ServedFields {
  const file: Record<string, unknown> = tool
  const members = ALL_FIELDS.map((field) => {
    const own: Record<string, unknown> = {}
    for (const key of Object.keys(field.written)) {
      if (file[key] !== undefined) own[key] = file[key]
    }
    return field.serve(own, context)
  })
  return Object.assign({}, ...members)
}

/** Measurements of the addresses that are still listed, with the written facts of models. */
function servedLive(tool: AuthoredTool, live: Live): Live {
  const models = modelsOf(tool, live)
  return {
    ...live,
    ...(models ? { models } : {}),
    ...(live.x402 ? { x402: checksOf(tool, live) } : {}),
  }
}

/** Undefined if the record names no vendor. */
function vendorOf(tool: AuthoredTool, context: RecordContext): AuthoredVendor | undefined {
  if (tool.vendor === undefined) return undefined
  const vendor = context.vendors.get(tool.vendor)
  if (!vendor) throw new Error(`no vendor ${tool.vendor}`)
  return vendor
}

/** The record as it appears in lists: without what only its own document has. */
export function toToolRecord(detail: ToolDetail): ToolRecord {
  const { reviews, notKnown, notable, details, breakdown, reply, provenance, ...record } = detail
  const { checks, sources, ...rest } = provenance
  return { ...record, provenance: rest }
}

function detailsOf({ homepage, details = [] }: AuthoredTool): ToolDetail['details'] {
  return homepage ? [{ label: 'Home page', value: homepage }, ...details] : details
}

function asServed(
  { tool, signature, ...review }: AuthoredReview,
  { states }: RecordContext,
): Review {
  const status = states.get(`${tool}/${review.id}`)?.status ?? 'unchecked'
  return { ...review, signature: signature ? { ...signature, status } : null }
}

function newestFirst(a: Review, b: Review): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1
  return a.id < b.id ? -1 : 1
}

const INSTALL: Record<string, (name: string) => string> = {
  npm: (name) => `npm install ${name}`,
  pypi: (name) => `pip install ${name}`,
  go: (name) => `go get ${name}`,
}
// Package names have only letters and a few signs, and addresses are quoted, so a sample is safe to
// paste into a shell.
const PLAIN = /^[A-Za-z0-9@._/:~-]+$/

/** Samples to copy: those of the file, or else made from packages and addresses. */
function connectOf(tool: AuthoredTool): Connect {
  return { ...derived(tool), ...tool.connect }
}

function derived({ slug, kind, packages = [], remoteUrl }: AuthoredTool): Connect {
  const connect: Connect = {}
  const [first] = packages
  const install = first && INSTALL[first.registry]
  if (first && install && PLAIN.test(first.name)) connect.install = install(first.name)
  if (kind !== 'mcp' || !remoteUrl) return connect
  connect.claudeCode = `claude mcp add --transport http ${slug} ${quoted(remoteUrl)}`
  connect.config = JSON.stringify(
    { mcpServers: { [slug]: { type: 'http', url: remoteUrl } } },
    null,
    2,
  )
  return connect
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
