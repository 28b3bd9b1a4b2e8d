import { type Static, Type } from '@sinclair/typebox'
import { Connect } from './connect.ts'
import { BreakdownItem, CatalogBlock } from './grading.ts'
import { Live } from './live.ts'
import { Provenance } from './provenance.ts'
import { Review } from './review.ts'
import { closed, count, day, link, openWord, orNull, slug, text, texts } from './words.ts'
import { X402 } from './x402.ts'

export const KINDS = ['framework', 'model', 'http-api', 'mcp', 'protocol', 'platform'] as const
export const TRANSPORTS = ['http', 'streamable-http', 'stdio'] as const
export const REGISTRIES = ['npm', 'pypi', 'go'] as const
export const AUTHS = ['api-key', 'oauth', 'mixed', 'none'] as const
export const PRICINGS = ['free', 'usage', 'freemium'] as const
export const PLACES = ['library', 'hosted', 'both', 'spec'] as const

export const Package = closed({
  registry: openWord('Registry.', REGISTRIES),
  name: text('Name there.', 300),
})
export type Package = Static<typeof Package>

export const Popularity = closed(
  {
    githubStars: orNull(count('Stars on GitHub.')),
    npmWeekly: orNull(count('Downloads from npm in a week.')),
    pypiWeekly: orNull(count('Downloads from PyPI in a week.')),
    asOf: day('Day of the last look at these numbers, else of the research run.'),
  },
  'How many use it.',
)
export type Popularity = Static<typeof Popularity>

export const UnitPrice = closed({
  item: text('What is sold.', 200),
  unit: text('What one of it is.', 100),
  usd: Type.Number({ minimum: 0, description: 'US dollars.' }),
  note: Type.Optional(text('Remark.', 1000)),
  source: Type.Optional(link('Where the price was read.')),
})
export type UnitPrice = Static<typeof UnitPrice>

/** Where more of a tool is; the file of the author and the record name them alike. */
export const TOOL_LINKS = {
  repo: Type.Optional(link('Source code.')),
  docsUrl: Type.Optional(link('Documentation.')),
  llmsTxt: Type.Optional(link('llms.txt of the tool.')),
  openapi: Type.Optional(link('OpenAPI description of the tool.')),
  rateLimitsUrl: Type.Optional(link('Rate limits.')),
  remoteUrl: Type.Optional(link('Address of the hosted server.')),
}

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

export const Detail = closed({ label: text('Label.', 200), value: text('Value.', 2000) })
export type Detail = Static<typeof Detail>

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
