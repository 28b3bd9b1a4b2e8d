import { Type } from '@sinclair/typebox'
import { GradingRules } from './grading-rules.ts'
import { Live } from './live.ts'
import { Meta } from './meta.ts'
import { Methodology } from './methodology.ts'
import { closed, countField, link, SLUG_PATTERN, slug, textField } from './words.ts'
import { X402_LEVELS, X402_UNKNOWN } from './x402.ts'

/** The links of `/api/v1/index.json`. */
export const INDEX_LINKS = {
  tools: '/api/v1/tools.json',
  tool: '/api/v1/tools/{slug}.json',
  history: '/api/v1/tools/{slug}/history.json',
  search: '/api/v1/search.json',
  x402: '/api/v1/x402.json',
  x402Discovery: '/discovery/resources',
  changes: '/api/v1/changes.json',
  news: '/api/v1/news.json',
  live: '/api/v1/live.json',
  categories: '/api/v1/categories.json',
  capabilities: '/api/v1/capabilities.json',
  methodology: '/api/v1/methodology.json',
  checks: '/api/v1/checks.json',
  toolChecks: '/api/v1/checks/{slug}.json',
  database: '/api/v1/catalog.sqlite',
  servers: '/v0.1/servers',
  manifest: '/api/v1/manifest.json',
  manifestSignature: '/api/v1/manifest.jws.json',
  revisions: '/api/v1/revisions.json',
  snapshot: '/api/v1/snapshot.tar.gz',
  keys: '/.well-known/catalog-keys.json',
  mcp: '/api/mcp/catalog',
  openapi: '/openapi.json',
  calendar: '/sunsets.ics',
  atom: '/changes.atom',
  jsonFeed: '/changes.feed.json',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  pages: '/tools',
} as const

const linkTo = (path: string) =>
  path.includes('{')
    ? Type.String({ format: 'uri-template', description: 'Where it is, for each slug.' })
    : link('Where it is.')

/** The entry of the catalog. */
export const IndexDocument = closed(
  {
    meta: Meta,
    name: textField('Name of the catalog.', 200),
    description: textField('What it is, in a sentence; may be empty.', 500),
    revision: textField('Changes with every publish; empty before the first.', 128),
    sequence: countField('How often something else was published.'),
    counts: closed({
      tools: closed({
        count: countField('Records.'),
        graded: countField('Those with a grade.'),
        notGraded: countField('Those without.'),
      }),
      changes: countField('Changes.'),
      removed: countField('Removed slugs.'),
      categories: countField('Categories.'),
      x402: closed(
        Object.fromEntries(
          [...X402_LEVELS, X402_UNKNOWN].map((word) => [
            word,
            countField(`Records with "${word}".`),
          ]),
        ),
        'Records by what they say about payments per call; `unknown`: nothing.',
      ),
    }),
    links: closed(
      Object.fromEntries(Object.entries(INDEX_LINKS).map(([name, path]) => [name, linkTo(path)])),
    ),
  },
  'Links to every feed, counts and the revision.',
)

/** Only what was measured, by slug. */
export const LiveDocument = closed(
  {
    count: countField('Records.'),
    meta: Meta,
    live: Type.Record(Type.String({ pattern: SLUG_PATTERN }), Live, {
      additionalProperties: false,
      description: 'What was measured, by slug.',
    }),
  },
  'Only what was measured.',
)

/** The vocabulary of `category`, with how many records use each word. */
export const CategoriesDocument = closed(
  {
    count: countField('Categories.'),
    meta: Meta,
    categories: Type.Array(
      closed({
        id: slug('Word that records use.'),
        name: textField('Name for people.', 100),
        area: slug('Area that it belongs to.'),
        description: textField('What belongs here; may be empty.', 500),
        tools: countField('Records in it.'),
        url: link('Those records.'),
      }),
    ),
  },
  'The categories.',
)

/** The vocabulary of `capabilities`, with how many records use each word. */
export const CapabilitiesDocument = closed(
  {
    count: countField('Capabilities.'),
    meta: Meta,
    capabilities: Type.Array(
      closed({
        id: textField('Dotted word that records use.', 100),
        description: textField('What it means; may be empty.', 500),
        tools: countField('Records that name it.'),
        url: link('Those records.'),
      }),
    ),
  },
  'The capabilities.',
)

/** All that is needed to compute every grade again. */
export const MethodologyDocument = closed(
  { meta: Meta, methodology: Methodology, rules: GradingRules },
  'How grades are made.',
)
