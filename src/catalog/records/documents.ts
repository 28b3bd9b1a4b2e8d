import { type Static, Type } from '@sinclair/typebox'
import { ChangeItem, Tombstone } from './change.ts'
import { CatalogBlock, ENDED_GATES, GRADES } from './grading.ts'
import { Meta } from './meta.ts'
import { Filters, LISTING_PARAMETERS } from './parameters.ts'
import { ToolDetail, ToolRecord } from './tool.ts'
import { closed, countField, link, openWord, orNull, slug, textField } from './words.ts'
import { CatalogAccepts, PaidEndpoint, X402 } from './x402.ts'

const COUNTS = {
  count: countField('Records in this document; in a part of the directory all that fit.'),
  graded: countField('Those with a grade.'),
  notGraded: countField('Those without.'),
}

/** Directory listing. */
export const ToolsDocument = closed(
  { ...COUNTS, meta: Meta, tools: Type.Array(ToolRecord) },
  'The directory.',
)
export type ToolsDocument = Static<typeof ToolsDocument>

const PART = {
  ...COUNTS,
  meta: Meta,
  page: closed({
    count: countField('Records on this page.'),
    limit: LISTING_PARAMETERS.limit,
    total: countField('Records on all pages.'),
    cursor: orNull(Type.String({ description: 'Where the next page begins; null on the last.' })),
    next: orNull(Type.String({ format: 'uri', description: 'The next page; null on the last.' })),
  }),
  filters: Filters,
  removed: Type.Optional(
    Type.Array(Tombstone, { description: 'With `removed=true`: removed slugs.' }),
  ),
}

/** A part of the directory: the keys of the whole, with `page` and `filters`. */
export const PartOfToolsDocument = closed(
  { ...PART, tools: Type.Array(ToolRecord) },
  'A part of the directory.',
)

/** Enough of a record to choose from a list. */
export const SlimTool = closed(
  {
    ...pick('slug', 'name', 'vendor', 'kind', 'category', 'summary'),
    ...pick('url', 'jsonUrl', 'slimMarkdownUrl'),
    ...pick('auth', 'pricing', 'priceSummary', 'where', 'transports', 'capabilities'),
    x402: Type.Optional(closed({ level: X402.properties.level })),
    graded: ToolRecord.properties.graded,
    ended: Type.Optional(openWord('It can no longer be used, for this reason.', ENDED_GATES)),
    catalog: closed({
      score: CatalogBlock.properties.score,
      grade: CatalogBlock.properties.grade,
      agentReady: CatalogBlock.properties.agentReady,
    }),
  },
  'What is enough to choose from a list.',
)

export const SlimToolsDocument = closed(
  { ...PART, tools: Type.Array(SlimTool) },
  'With `view=slim`: a part of the directory with enough to choose.',
)

export const SearchRow = closed({
  slug: ToolRecord.properties.slug,
  name: ToolRecord.properties.name,
  vendor: ToolRecord.properties.vendor,
  summary: ToolRecord.properties.summary,
  cost: textField('Price in words, or how the tool ended.'),
  facts: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What people choose by, in words; none once it ended.',
    }),
  ),
  ended: Type.Optional(Type.Boolean({ description: 'It can no longer be used.' })),
  grade: CatalogBlock.properties.grade,
  score: CatalogBlock.properties.score,
  more: textField('Area, packages and models, which a search finds, too.'),
  filters: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The words under each filter of the directory, without case and diacritics.',
  }),
})
export type SearchRow = Static<typeof SearchRow>

/** Search index. */
export const SearchDocument = closed(
  { count: countField('Records in this document.'), meta: Meta, tools: Type.Array(SearchRow) },
  'The directory in short, in the order of the list.',
)
export type SearchDocument = Static<typeof SearchDocument>

function pick(...names: Array<keyof typeof ToolRecord.properties>) {
  return Object.fromEntries(names.map((name) => [name, ToolRecord.properties[name]]))
}

/** Single-tool document. */
export const ToolDocument = closed({ meta: Meta, tool: ToolDetail }, 'One tool.')
export type ToolDocument = Static<typeof ToolDocument>

export const X402Row = closed({
  name: textField('Name of the tool.', 200),
  slug: slug('The tool.'),
  grade: orNull(openWord('Grade.', GRADES)),
  score: orNull(Type.Number({ minimum: 0, maximum: 100 })),
  level: openWord('Whether calls can be paid one by one.', ['yes', 'partial']),
  evidence: textField('What shows it; may be empty.'),
  endpoints: Type.Array(PaidEndpoint),
  disagreements: X402.properties.disagreements,
  jsonUrl: link('The record as JSON.'),
  url: link('Page of the record.'),
})
export type X402Row = Static<typeof X402Row>

/** Pay-per-call listing, in descending score order. */
export const X402Document = closed(
  {
    catalogAccepts: CatalogAccepts,
    count: countField('Tools in this document.'),
    meta: Meta,
    tools: Type.Array(X402Row),
  },
  'Tools that take payments per call.',
)
export type X402Document = Static<typeof X402Document>

/** Change feed: `recent` newest first, `upcoming` soonest first. */
export const ChangesDocument = closed(
  {
    calendar: link('The same as an iCalendar file.'),
    meta: Meta,
    recent: Type.Array(ChangeItem),
    upcoming: Type.Array(ChangeItem),
  },
  'Dated changes.',
)
export type ChangesDocument = Static<typeof ChangesDocument>
