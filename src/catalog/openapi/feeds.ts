import { type TSchema, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { DetachedJws } from '../../platform/signing/jws.ts'
import { SNAPSHOT_TYPE } from '../feeds/archive-file.ts'
import { SVG_TYPE } from '../feeds/badges.ts'
import { ATOM_TYPE } from '../feeds/calendar/atom.ts'
import { CALENDAR_PATH, CALENDAR_TYPE } from '../feeds/calendar/calendar.ts'
import { JSON_FEED_TYPE } from '../feeds/calendar/json-feed.ts'
import { SQLITE_TYPE } from '../feeds/database/module.ts'
import { API_CATALOG_PATH, LINKSET_TYPE, SECURITY_PATH } from '../feeds/discovery/well-known.ts'
import { RESOURCES_PATH, SEARCH_PATH } from '../feeds/discovery/x402-resources.ts'
import { JSON_TYPE } from '../feeds/json-document.ts'
import { LISTING } from '../feeds/listing.ts'
import { BLOB_TYPE } from '../feeds/manifest-feeds.ts'
import * as mirrored from '../feeds/manifest-paths.ts'
import { NEWS_PATH } from '../feeds/news/module.ts'
import { PNG_TYPE } from '../feeds/pictures/module.ts'
import { pagePaths, SEARCH_INDEX_PATH } from '../page-paths.ts'
import { MODEL_SORTS } from '../pages/models/rows.ts'
import { DIRECTORY_SORTS, FILTERS } from '../pages/query.ts'
import { HTML } from '../pages/render.ts'
import { JsonFeedDocument, Linkset } from '../records/change-feeds.ts'
import { ChecksDocument, ToolChecksDocument } from '../records/checks-document.ts'
import {
  ChangesDocument,
  PartOfToolsDocument,
  SearchDocument,
  SlimToolsDocument,
  ToolDocument,
  ToolsDocument,
  X402Document,
} from '../records/documents.ts'
import {
  CapabilitiesDocument,
  CategoriesDocument,
  IndexDocument,
  LiveDocument,
  MethodologyDocument,
} from '../records/entry-documents.ts'
import { HistoryDocument } from '../records/history.ts'
import { NewsDocument } from '../records/news.ts'
import { anyOf, CALENDAR_PARAMETERS, LISTING_PARAMETERS } from '../records/parameters.ts'
import {
  REGISTRY_PARAMETERS,
  RegistryEntry,
  RegistryServersDocument,
} from '../records/registry-documents.ts'
import {
  DISCOVERY_PARAMETERS,
  DISCOVERY_SEARCH_PARAMETERS,
  DiscoveryResources,
  DiscoverySearch,
} from '../records/x402-discovery.ts'
import { SERVERS_PATH } from '../registry/module.ts'
import { KeysDocument } from '../signing/keys.ts'
import { Manifest, RevisionsDocument } from '../signing/manifest.ts'

/** The description of an address, or of one for each record. */
export type Feed = {
  /** `{slug}` stands for a record. */
  path: string
  id: string
  summary: string
  type: string
  /** Without it the document is text. */
  schema?: TSchema | { anyOf: readonly TSchema[] }
  query?: Readonly<Record<string, TSchema>>
  /** Why an address that is not a record's may be missing. */
  missing?: string
  /** Anything that may have been requested and no longer exists. */
  expired?: string
}

const TEXT = 'text/plain'
const MARKDOWN = 'text/markdown'

const json = (path: string, id: string, schema: Feed['schema'], summary: string): Feed => ({
  path,
  id,
  summary,
  type: JSON_TYPE,
  ...(schema ? { schema } : {}),
})

const text = (path: string, id: string, type: string, summary: string): Feed => ({
  path,
  id,
  summary,
  type,
})

const PAGE_PARAMETERS = {
  q: Type.String({ description: 'Words that must all occur.' }),
  ...Object.fromEntries(FILTERS.map((name) => [name, anyOf('Any of these; others are left out.')])),
  sort: oneOf(DIRECTORY_SORTS, { description: 'Order.' }),
  page: Type.Integer({ minimum: 1, default: 1, description: 'Which page of the list.' }),
}

const { kind } = CALENDAR_PARAMETERS
const NO_SERVER = 'There is no such server or version.'

const NO_DATABASE = 'The catalog is too large for it.'

const SINCE = Type.Integer({
  minimum: 0,
  description: 'Sequence of a manifest: only what came after it.',
})

const binary = (path: string, id: string, type: string, summary: string): Feed => ({
  ...text(path, id, type, summary),
  schema: Type.String({ contentMediaType: type }),
})

/** Feeds that mirrors read. */
const MIRRORED: readonly Feed[] = [
  json(mirrored.MANIFEST_PATH, 'readManifest', Manifest, 'Every file with its hash, to be signed.'),
  json(mirrored.SIGNATURE_PATH, 'readSignature', DetachedJws, 'The signature of the manifest.'),
  json(mirrored.KEYS_PATH, 'readKeys', KeysDocument, 'Keys that sign for this catalog.'),
  {
    ...json(mirrored.REVISIONS_PATH, 'listRevisions', RevisionsDocument, 'What manifests changed.'),
    query: { since: SINCE },
    expired: 'What changed so long ago is not known any more.',
  },
  {
    ...binary(`${mirrored.BLOB_PREFIX}{sha256}`, 'readFile', BLOB_TYPE, 'A file by its hash.'),
    missing: 'No manifest that is still offered has such a file.',
  },
  binary(mirrored.SNAPSHOT_PATH, 'readSnapshot', SNAPSHOT_TYPE, 'Everything in one file.'),
  {
    ...binary(mirrored.DATABASE_PATH, 'readDatabase', SQLITE_TYPE, 'Records as a SQLite file.'),
    missing: NO_DATABASE,
  },
  {
    ...text(mirrored.MINISIGN_PATH, 'readDatabaseSignature', TEXT, 'Its signature, by minisign.'),
    missing: NO_DATABASE,
  },
  {
    ...text(mirrored.MINISIGN_KEY_PATH, 'readMinisignKey', TEXT, 'The key for minisign.'),
    missing: NO_DATABASE,
  },
]

/** Every address of the catalog except the assets of its pages. */
export const FEED_OPERATIONS: readonly Feed[] = [
  json('/api/v1/index.json', 'readCatalog', IndexDocument, 'Links to every feed, and counts.'),
  {
    ...json(LISTING, 'listTools', undefined, 'The directory, or a part of it.'),
    schema: { anyOf: [ToolsDocument, PartOfToolsDocument, SlimToolsDocument] },
    query: LISTING_PARAMETERS,
  },
  json('/api/v1/tools/{slug}.json', 'readTool', ToolDocument, 'One record.'),
  json('/api/v1/checks.json', 'listChecks', ChecksDocument, 'What is checked, and what it shows.'),
  json(
    '/api/v1/checks/{slug}.json',
    'readToolChecks',
    ToolChecksDocument,
    'What checks saw of one tool.',
  ),
  json('/tools/{slug}.json', 'readToolPage', ToolDocument, 'The page of a record as JSON.'),
  text('/tools/{slug}.md', 'readToolText', MARKDOWN, 'One record in Markdown.'),
  text('/tools/{slug}.min.md', 'readToolBrief', MARKDOWN, 'At most 600 tokens of it.'),
  text('/tools/{slug}.svg', 'readToolBadge', SVG_TYPE, 'A badge: grade, uptime, end.'),
  binary('/tools/{slug}.png', 'readToolPicture', PNG_TYPE, 'A picture for previews of links.'),
  text('/tools/{slug}.atom', 'readToolChanges', ATOM_TYPE, 'Changes of one tool as Atom.'),
  text('/tools/{slug}', 'showTool', HTML, 'One record for people.'),
  json('/api/v1/tools/{slug}/history.json', 'readHistory', HistoryDocument, 'Its changes so far.'),
  text('/history/{slug}', 'showHistory', HTML, 'What changed in one tool, for people.'),
  json('/api/v1/x402.json', 'listPaid', X402Document, 'Tools that take payments per call.'),
  {
    ...json(RESOURCES_PATH, 'listX402Resources', DiscoveryResources, 'Paid addresses, for x402.'),
    query: DISCOVERY_PARAMETERS,
  },
  {
    ...json(SEARCH_PATH, 'searchX402Resources', DiscoverySearch, 'Paid addresses by words.'),
    query: DISCOVERY_SEARCH_PARAMETERS,
  },
  json('/api/v1/changes.json', 'listChanges', ChangesDocument, 'Dated changes.'),
  json(NEWS_PATH, 'listNews', NewsDocument, 'What happened to tools lately.'),
  {
    ...text(
      '/categories/{category}.atom',
      'readCategoryChanges',
      ATOM_TYPE,
      'Its changes as Atom.',
    ),
    missing: 'There is no such category.',
  },
  {
    ...binary('/categories/{category}.png', 'readCategoryPicture', PNG_TYPE, 'Its picture.'),
    missing: 'There is no such category.',
  },
  binary('/tools.png', 'readPicture', PNG_TYPE, 'The picture of the catalog.'),
  {
    ...text('/capabilities/{capability}.atom', 'readCapabilityChanges', ATOM_TYPE, 'As Atom.'),
    missing: 'No tool has such a capability.',
  },
  json(SEARCH_INDEX_PATH, 'readSearchIndex', SearchDocument, 'To search without a server.'),
  json('/api/v1/live.json', 'readLive', LiveDocument, 'Only what was measured, by slug.'),
  json('/api/v1/categories.json', 'listCategories', CategoriesDocument, 'The categories.'),
  json('/api/v1/capabilities.json', 'listCapabilities', CapabilitiesDocument, 'The capabilities.'),
  json('/api/v1/methodology.json', 'readMethodology', MethodologyDocument, 'How grades are made.'),
  {
    ...text(CALENDAR_PATH, 'readCalendar', CALENDAR_TYPE, 'The changes as a calendar.'),
    query: CALENDAR_PARAMETERS,
  },
  text('/changes.atom', 'readChangesAtom', ATOM_TYPE, 'The changes as Atom.'),
  {
    ...text('/changes.feed.json', 'readChangesFeed', JSON_FEED_TYPE, 'The same as a JSON Feed.'),
    schema: JsonFeedDocument,
  },
  {
    ...json(SERVERS_PATH, 'listServers', RegistryServersDocument, 'MCP servers, as a registry.'),
    query: REGISTRY_PARAMETERS,
  },
  {
    ...json(
      `${SERVERS_PATH}/{serverName}/versions`,
      'listServerVersions',
      RegistryServersDocument,
      'The known version of a server.',
    ),
    missing: NO_SERVER,
  },
  {
    ...json(
      `${SERVERS_PATH}/{serverName}/versions/{version}`,
      'readServer',
      RegistryEntry,
      'One MCP server.',
    ),
    missing: NO_SERVER,
  },
  ...MIRRORED,
  text('/llms.txt', 'readLlms', TEXT, 'What is here, for language models.'),
  text('/llms-full.txt', 'readLlmsFull', TEXT, 'The same with every record.'),
  text('/sitemap.xml', 'readSitemap', 'application/xml', 'The pages, for search engines.'),
  text('/robots.txt', 'readRobots', TEXT, 'What robots may read (RFC 9309).'),
  {
    ...text(API_CATALOG_PATH, 'readApiCatalog', LINKSET_TYPE, 'Where the feeds are described.'),
    schema: Linkset,
  },
  {
    ...text(SECURITY_PATH, 'readSecurity', TEXT, 'Where to report problems (RFC 9116).'),
    missing: 'The catalog names no contact.',
  },
  {
    ...text(pagePaths.tools, 'showTools', HTML, 'The directory for people.'),
    query: PAGE_PARAMETERS,
  },
  {
    ...text(
      '/tools/page/{number}',
      'showToolsPart',
      HTML,
      'The directory from its second page on.',
    ),
    missing: 'The list has fewer pages.',
  },
  {
    ...text(pagePaths.models, 'showModels', HTML, 'Models with prices, for people.'),
    query: {
      sort: oneOf(MODEL_SORTS, { description: 'Order.' }),
      ...Object.fromEntries(
        ['calls', 'input', 'cached', 'output'].map((name) => [
          name,
          Type.Integer({ minimum: 0, description: 'Calls, or tokens of each.' }),
        ]),
      ),
    },
  },
  {
    ...text(pagePaths.compare, 'showComparison', HTML, 'Records side by side.'),
    query: {
      tools: anyOf('Slugs.'),
      add: Type.String({ description: 'Words of another tool to look for.' }),
      only: Type.Literal('differences', { description: 'Only the rows that differ.' }),
    },
  },
  text(pagePaths.x402, 'showPaid', HTML, 'Payments per call, for people.'),
  { ...text(pagePaths.changes, 'showChanges', HTML, 'The changes for people.'), query: { kind } },
  text(pagePaths.methodology, 'showMethodology', HTML, 'How grades are made, for people.'),
]
