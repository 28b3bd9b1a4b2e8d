import { parseXml } from '@rgrove/parse-xml'
import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import ICAL from 'ical.js'
import { atomOf } from '../../../../src/catalog/feeds/calendar/atom.ts'
import { calendarOf, readCalendarQuery } from '../../../../src/catalog/feeds/calendar/calendar.ts'
import { jsonFeedOf } from '../../../../src/catalog/feeds/calendar/json-feed.ts'
import {
  readX402Query,
  readX402Search,
} from '../../../../src/catalog/feeds/discovery/x402-resources.ts'
import { matchesEtag } from '../../../../src/catalog/feeds/etag.ts'
import { readCursor, writeListingCursor } from '../../../../src/catalog/feeds/filtered-listing.ts'
import { readListingQuery } from '../../../../src/catalog/feeds/listing-query.ts'
import {
  mdCode,
  mdCodeBlock,
  mdQuote,
  mdText,
} from '../../../../src/catalog/feeds/markdown/escape.ts'
import { fullMarkdown } from '../../../../src/catalog/feeds/markdown/full.ts'
import { slimMarkdown } from '../../../../src/catalog/feeds/markdown/slim.ts'
import { feedMeta } from '../../../../src/catalog/feeds/meta.ts'
import { chooseCoding } from '../../../../src/catalog/feeds/negotiate.ts'
import { readDirectoryQuery } from '../../../../src/catalog/pages/query.ts'
import { readServersQuery } from '../../../../src/catalog/registry/module.ts'
import { Failure } from '../../../../src/platform/failure.ts'
import { changeItem, filledWith, sampleSnapshot } from '../../../catalog/snapshot-of.ts'
import { mutatedText, ODD_TEXT } from '../mutate.ts'
import { type Became, must, parser, type Target } from '../target.ts'

const VIEW = sampleSnapshot(20)
const PLACE = { title: 'Changes', path: '/changes.atom', page: '/changes' }
const NAMES = [
  ...[
    'q',
    'kind',
    'category',
    'capability',
    'sort',
    'limit',
    'cursor',
    'minScore',
    'agentReady',
    'view',
  ],
  ...[
    'updatedSince',
    'removed',
    'tool',
    'network',
    'type',
    'offset',
    'query',
    'payTo',
    'scheme',
    'search',
  ],
  ...[
    'updated_since',
    'include_deleted',
    'version',
    'page',
    'metadata[provider]',
    '__proto__',
    'graded',
  ],
]
const BOUND = { list: 'x', revision: 'r-0001' }
const CURSOR = writeListingCursor({ key: 90, slug: 'tool-0001' }, BOUND)
const VALUES = [
  '1',
  '20',
  '0',
  'true',
  'mcp',
  'a,b',
  'score',
  '2026-01-01',
  'slim',
  CURSOR,
  'tool-0000',
  'shutdown',
]
const QUERY = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...NAMES) }, ODD_TEXT),
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...VALUES) }, ODD_TEXT),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]))

/** A refusal names the parameter and fits into an answer. */
function orProblem(read: () => unknown): Became {
  try {
    read()
    return 'taken'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    must(error.status < 500 && error.message.length > 10, `says too little: ${error.message}`)
    must(error.members.parameter !== undefined, `names no parameter: ${error.message}`)
    must(error.message.length < 1_000, `says too much: ${error.message.length}`)
    return 'refused'
  }
}

const READERS: readonly [name: string, of: string, read: (query: URLSearchParams) => unknown][] = [
  ['listing', 'src/catalog/feeds/listing-query.ts#readListingQuery', readListingQuery],
  [
    'calendar',
    'src/catalog/feeds/calendar/calendar.ts#readCalendarQuery',
    (query) => readCalendarQuery(VIEW, query),
  ],
  ['x402', 'src/catalog/feeds/discovery/x402-resources.ts#readX402Query', readX402Query],
  ['x402 search', 'src/catalog/feeds/discovery/x402-resources.ts#readX402Search', readX402Search],
  ['registry', 'src/catalog/registry/module.ts#readServersQuery', readServersQuery],
  [
    'directory',
    'src/catalog/pages/query.ts#readDirectoryQuery',
    (query) => readDirectoryQuery(query, VIEW),
  ],
]

export const FEED_TARGETS: readonly Target[] = [
  ...READERS.map(([name, of, read]) =>
    parser(`query: ${name}`, [of], QUERY, (pairs) =>
      orProblem(() => read(new URLSearchParams(pairs))),
    ),
  ),
  parser(
    'query: cursors',
    ['src/catalog/feeds/filtered-listing.ts#readCursor'],
    mutatedText([CURSOR, writeListingCursor({ key: null, slug: 'a' }, BOUND)]),
    (text) => orProblem(() => readCursor(text, BOUND)),
  ),
  parser(
    'headers: codings and etags',
    ['src/catalog/feeds/negotiate.ts#chooseCoding', 'src/catalog/feeds/etag.ts#matchesEtag'],
    mutatedText(
      ['gzip;q=0.5, br', '*;q=0', 'identity;q=0,*', 'W/"abc", "def"', '*'],
      ['q=', ';', ',', '*', '"', 'W/', '0', '1.000', 'gzip', 'zstd'],
    ),
    (text) => {
      chooseCoding(text, ['identity', 'gzip', 'br', 'zstd'] as never)
      return matchesEtag(text, '"abc"') ? 'taken' : 'refused'
    },
  ),
  parser(
    'written: a calendar',
    [
      'src/catalog/feeds/calendar/calendar.ts#calendarOf',
      'src/catalog/feeds/calendar/ics.ts#icsText',
    ],
    fc.tuple(ODD_TEXT, ODD_TEXT),
    ([one, other]) => {
      const change = changeItem({ name: one, what: other, kind: one, replacement: other, url: one })
      const settings = { ...VIEW.settings, name: one, attribution: other }
      const text = calendarOf({ ...VIEW, changes: [change], settings })
      for (const line of text.split('\r\n'))
        must(Buffer.byteLength(line) <= 75 && !/[\r\n\0]/.test(line), `a line: ${line}`)
      const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
      must(events.length === 1, `${events.length} events`)
      return 'taken'
    },
  ),
  parser(
    'written: Atom and JSON feeds',
    [
      'src/catalog/feeds/calendar/atom.ts#atomOf',
      'src/catalog/feeds/calendar/json-feed.ts#jsonFeedOf',
      'src/catalog/feeds/markdown/shown-text.ts#xmlText',
    ],
    fc.tuple(ODD_TEXT, ODD_TEXT),
    ([one, other]) => {
      const change = changeItem({ name: one, what: other, kind: one, source: other, url: one })
      const snapshot = {
        ...VIEW,
        changes: [change],
        settings: { ...VIEW.settings, name: other, attribution: one },
      }
      const text = atomOf(snapshot, snapshot.changes, PLACE)
      parseXml(text)
      must(parseAtomFeed(text).entries?.length === 1, 'no entry')
      must(parseJsonFeed(jsonFeedOf(snapshot)).items?.length === 1, 'no item')
      return 'taken'
    },
  ),
  parser(
    'written: Markdown',
    [
      'src/catalog/feeds/markdown/full.ts#fullMarkdown',
      'src/catalog/feeds/markdown/slim.ts#slimMarkdown',
      'src/catalog/feeds/markdown/escape.ts#mdText',
    ],
    ODD_TEXT,
    (text) => {
      must(!/[\n\r]/.test(mdText(text) + mdCode(text)), 'a line that is two')
      must(
        mdQuote(text)
          .split('\n')
          .every((line) => line.startsWith('>')),
        'a quotation that ends',
      )
      const fence = /^`+/.exec(mdCodeBlock(text))?.[0] ?? ''
      must(
        mdCodeBlock(text)
          .split('\n')
          .filter((line) => line.startsWith(fence)).length === 2,
        'a block that ends',
      )
      if (text.length > 2_000) return 'taken'
      const [tool] = VIEW.tools
      if (!tool) throw new Error('no tool')
      const about = { meta: feedMeta(VIEW) }
      const filled = filledWith(tool, text)
      fullMarkdown(filled, [], about as never)
      slimMarkdown(filled, [], about as never)
      return 'taken'
    },
  ),
]
