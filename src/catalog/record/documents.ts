import { type Static, Type } from '@sinclair/typebox'
import { ChangeItem } from './change.ts'
import { Meta } from './meta.ts'
import { ToolDetail, ToolRecord } from './tool.ts'
import { closed, count, link, openWord, orNull, slug, text } from './words.ts'
import { CatalogAccepts, PaidEndpoint } from './x402.ts'

/** Directory listing (spec: Directory listing document); a filtered reply adds `page`, `filters`. */
export const ToolsDocument = Type.Object(
  {
    count: count('Records in this document.'),
    graded: count('Those with a grade.'),
    notGraded: count('Those without.'),
    meta: Meta,
    tools: Type.Array(ToolRecord),
  },
  { description: 'The directory.' },
)
export type ToolsDocument = Static<typeof ToolsDocument>

/** Single-tool document. */
export const ToolDocument = closed({ meta: Meta, tool: ToolDetail }, 'One tool.')
export type ToolDocument = Static<typeof ToolDocument>

export const X402Row = closed({
  name: text('Name of the tool.', 200),
  slug: slug('The tool.'),
  grade: orNull(openWord('Grade.', ['AA', 'A', 'BB', 'B', 'CC', 'C', 'D'])),
  score: orNull(Type.Number({ minimum: 0, maximum: 100 })),
  level: openWord('Whether calls can be paid one by one.', ['yes', 'partial']),
  evidence: text('What shows it; may be empty.'),
  endpoints: Type.Array(PaidEndpoint),
  jsonUrl: link('The record as JSON.'),
  url: link('Page of the record.'),
})
export type X402Row = Static<typeof X402Row>

/** Pay-per-call listing, in descending score order. */
export const X402Document = Type.Object(
  {
    catalogAccepts: CatalogAccepts,
    count: count('Tools in this document.'),
    meta: Meta,
    tools: Type.Array(X402Row),
  },
  { description: 'Tools that take payments per call.' },
)
export type X402Document = Static<typeof X402Document>

/** Change feed: `recent` newest first, `upcoming` soonest first. */
export const ChangesDocument = Type.Object(
  {
    calendar: link('The same as an iCalendar file.'),
    meta: Meta,
    recent: Type.Array(ChangeItem),
    upcoming: Type.Array(ChangeItem),
  },
  { description: 'Dated changes.' },
)
export type ChangesDocument = Static<typeof ChangesDocument>
