import { type Static, Type } from '@sinclair/typebox'
import { Connect } from './connect.ts'
import { BreakdownItem, CatalogBlock } from './grading.ts'
import { Live } from './live.ts'
import { Provenance } from './provenance.ts'
import { Review } from './review.ts'
import {
  AUTHS,
  Detail,
  KINDS,
  Package,
  PLACES,
  PRICINGS,
  TOOL_LINKS,
  TRANSPORTS,
} from './tool-fields.ts'
import { closed, count, day, link, openWord, orNull, slug, text, texts } from './words.ts'
import { X402 } from './x402.ts'

const Popularity = closed(
  {
    githubStars: orNull(count('Stars on GitHub.')),
    npmWeekly: orNull(count('Downloads from npm in a week.')),
    pypiWeekly: orNull(count('Downloads from PyPI in a week.')),
    asOf: day('Day of the last look at these numbers, else of the research run.'),
  },
  'How many use it.',
)

export const UnitPrice = closed({
  item: text('What is sold.', 200),
  unit: text('What one of it is.', 100),
  usd: Type.Number({ minimum: 0, description: 'US dollars.' }),
  note: Type.Optional(text('Remark.', 1000)),
  source: Type.Optional(link('Where the price was read.')),
})
export type UnitPrice = Static<typeof UnitPrice>

const RECORD = {
  slug: slug('Identifier of the record.'),
  name: text('Name of the tool.', 200),
  vendor: text('Who makes it; empty when not known.', 200),
  vendorUrl: Type.Optional(link('Site of the vendor; absent when not known.')),
  kind: openWord('What it is.', KINDS),
  category: text('Category, such as messaging.', 64),
  area: text('Area that the category belongs to.', 64),
  summary: text('One sentence about it.', 500),
  url: link('Page of the record.'),
  markdownUrl: link('The page in Markdown.'),
  slimMarkdownUrl: link('The page in Markdown, short.'),
  jsonUrl: link('The record as JSON, under the version prefix.'),
  pageJsonUrl: link('The page as JSON.'),
  ...TOOL_LINKS,
  registryName: Type.Optional(text('Name in the official MCP registry.', 300)),
  license: text('Licence as an SPDX id, or "proprietary"; empty when not known.', 200),
  transports: Type.Array(openWord('Transport.', TRANSPORTS), {
    description: 'How it is reached; empty for libraries.',
  }),
  packages: Type.Array(Package, { description: 'Where it is published.' }),
  auth: openWord('How callers prove who they are.', AUTHS),
  authNotes: text('Remarks on that.'),
  pricing: openWord('What it costs.', PRICINGS),
  pricingNotes: text('Remarks on that.'),
  priceSummary: text('The price in a few words.', 500),
  where: openWord('Where it runs.', PLACES),
  x402: Type.Optional(X402),
  toolCount: orNull(count('MCP tools it offers; null: not known or none.')),
  popularity: Popularity,
  capabilities: texts('Dotted names of what it can do, such as email.send.', 100),
  tags: texts('Free words.', 100),
  lastRelease: Type.Optional(day('Day of the newest release.')),
  graded: Type.Boolean({ description: 'Whether it has a grade.' }),
  catalog: CatalogBlock,
  connect: Connect,
  unitPrices: Type.Array(UnitPrice, { description: 'Prices by unit.' }),
  sameCompany: Type.Array(slug('Slug.'), { description: 'Other records of the vendor.' }),
  provenance: Provenance,
  live: Live,
  updated: Type.Optional(day('Day on which the record last changed.')),
}

/** One record of the listing. */
export const ToolRecord = closed(RECORD, 'A tool, its grade and what was measured.')
export type ToolRecord = Static<typeof ToolRecord>

/** The record of a single-tool document: all of the listing, and what only it has. */
export const ToolDetail = closed(
  {
    ...RECORD,
    reviews: Type.Array(Review, { description: 'Reviews, newest first.' }),
    notable: texts('What is worth knowing.'),
    details: Type.Array(Detail, { description: 'Further facts.' }),
    breakdown: Type.Array(BreakdownItem, { description: 'The sum, criterion by criterion.' }),
  },
  'A tool with its reviews and the sum of its score.',
)
export type ToolDetail = Static<typeof ToolDetail>
