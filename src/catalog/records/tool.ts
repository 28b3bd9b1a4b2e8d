import { type Static, Type } from '@sinclair/typebox'
import { SERVED_FIELDS } from './fields/fields.ts'
import { BreakdownItem, CatalogBlock } from './grading.ts'
import { Live } from './live.ts'
import { NotKnownList } from './not-known.ts'
import { Provenance } from './provenance.ts'
import { ServedReply } from './reply.ts'
import { Review } from './review.ts'
import { Connect, Detail, KINDS } from './tool-fields.ts'
import {
  closed,
  countField,
  day,
  link,
  openWord,
  slug,
  sourceLink,
  textField,
  texts,
} from './words.ts'

export const UnitPrice = closed({
  item: textField('What is sold.', 200),
  unit: textField('What one of it is.', 100),
  usd: Type.Number({ minimum: 0, description: 'US dollars.' }),
  note: Type.Optional(textField('Remark.', 1000)),
  source: Type.Optional(sourceLink('Where the price was read.')),
})
export type UnitPrice = Static<typeof UnitPrice>

/** Whole lists would make a directory of one company grow with the square of its records. */
export const SAME_COMPANY_MAX = 20

const SameCompanyMore = closed(
  {
    count: countField('How many.'),
    url: link('All records of the vendor.'),
  },
  'The records of the vendor that sameCompany has no room for; absent if it has all.',
)

const RECORD = {
  slug: slug('Identifier of the record.'),
  name: textField('Name of the tool.', 200),
  vendor: textField('Who makes it; empty when not known.', 200),
  vendorUrl: Type.Optional(link('Site of the vendor; absent when not known.')),
  kind: openWord('What it is.', KINDS),
  category: textField('Category, such as messaging.', 64),
  area: textField('Area that the category belongs to.', 64),
  summary: textField('One sentence about it.', 500),
  url: link('Page of the record.'),
  markdownUrl: link('The page in Markdown.'),
  slimMarkdownUrl: link('The page in Markdown, short.'),
  jsonUrl: link('The record as JSON, under the version prefix.'),
  pageJsonUrl: link('The page as JSON.'),
  ...SERVED_FIELDS,
  graded: Type.Boolean({ description: 'Whether it has a grade.' }),
  catalog: CatalogBlock,
  connect: Connect,
  unitPrices: Type.Array(UnitPrice, { description: 'Prices by unit.' }),
  sameCompany: Type.Array(slug('Slug.'), {
    maxItems: SAME_COMPANY_MAX,
    description: `Other records of the vendor, nearest by category first; at most ${SAME_COMPANY_MAX}.`,
  }),
  sameCompanyMore: Type.Optional(SameCompanyMore),
  provenance: Provenance,
  live: Live,
  updated: Type.Optional(day('Day on which the record last changed.')),
}

/** One record of the listing. */
export const ToolRecord = closed(RECORD, 'A tool, its grade and its measurements.')
export type ToolRecord = Static<typeof ToolRecord>

/** The record of a single-tool document: the listing's fields and its own. */
export const ToolDetail = closed(
  {
    ...RECORD,
    reviews: Type.Array(Review, { description: 'Reviews, newest first.' }),
    notKnown: NotKnownList,
    notable: texts('What is worth knowing.'),
    details: Type.Array(Detail, { description: 'Further facts.' }),
    breakdown: Type.Array(BreakdownItem, { description: 'The sum, criterion by criterion.' }),
    reply: Type.Optional(ServedReply),
  },
  'A tool with its reviews and the sum of its score.',
)
export type ToolDetail = Static<typeof ToolDetail>
