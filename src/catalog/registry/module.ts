import { Failure } from '../../platform/failure.ts'
import type { BuiltDocument, FeedModule, QueryReply } from '../feeds/built-site.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { INVALID_PARAMETER } from '../feeds/failures.ts'
import { JSON_TYPE } from '../feeds/json-document.ts'
import { REGISTRY_PARAMETERS } from '../records/registry-documents.ts'
import { foldText } from '../search/match.ts'
import { entriesOf, entrySteps, type ServerEntry } from './entries.ts'

export const SERVERS_PATH = '/v0.1/servers'

/** The catalog's MCP servers in the form of the official registry's API. */
export const REGISTRY: FeedModule = {
  *build(snapshot) {
    const entries = yield* entrySteps(snapshot)
    yield jsonOf(SERVERS_PATH, () => listOf(entries))
    for (const entry of entries) yield* versionsOf(entry)
  },
  asks: [{ path: SERVERS_PATH, reply: answerServers }],
}

/** Only the latest version of each server is known. */
function* versionsOf(entry: ServerEntry): Generator<BuiltDocument> {
  const path = `${SERVERS_PATH}/${encodeURIComponent(entry.name)}/versions`
  yield jsonOf(path, () => listOf([entry]))
  yield jsonOf(`${path}/latest`, () => `${entry.json}\n`)
  yield jsonOf(`${path}/${entry.version}`, () => `${entry.json}\n`)
}

function jsonOf(path: string, body: () => string): BuiltDocument {
  return { path, type: JSON_TYPE, body }
}

function answerServers(snapshot: CatalogSnapshot, query: URLSearchParams): QueryReply {
  const { after, limit, search, updatedSince, version } = readServersQuery(query)
  const matches = entriesOf(snapshot).filter(
    (entry) =>
      (after === undefined || entry.name > after) &&
      (search === undefined || entry.searched.includes(search)) &&
      (updatedSince === undefined || entry.updatedAt >= updatedSince) &&
      (version === undefined || version === 'latest' || entry.version === version),
  )
  const page = matches.slice(0, limit)
  const last = page.at(-1)
  const next = matches.length > page.length && last ? writeServersCursor(last.name) : undefined
  return { type: JSON_TYPE, body: listOf(page, next) }
}

function listOf(entries: readonly ServerEntry[], nextCursor?: string): string {
  const metadata = { count: entries.length, ...(nextCursor ? { nextCursor } : {}) }
  const servers = entries.map(({ json }) => json).join(',')
  return `{"servers":[${servers}],"metadata":${JSON.stringify(metadata)}}\n`
}

type ServersQuery = {
  /** The page begins after this name. */
  after: string | undefined
  limit: number
  /** Folded. */
  search: string | undefined
  /** Milliseconds since 1970. */
  updatedSince: number | undefined
  version: string | undefined
}

const { limit: LIMIT, search: SEARCH, version: VERSION, cursor: CURSOR } = REGISTRY_PARAMETERS

/** Unknown parameters are ignored, as in the official registry. Throws `invalid_parameter`. */
export function readServersQuery(query: URLSearchParams): ServersQuery {
  const cursor = one(query, 'cursor', CURSOR.maxLength)
  const search = one(query, 'search', SEARCH.maxLength)
  const since = one(query, 'updated_since', 64)
  const deleted = one(query, 'include_deleted', 5) ?? 'false'
  if (!/^(true|false)$/i.test(deleted)) throw invalid('include_deleted', 'must be true or false')
  return {
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: readLimit(one(query, 'limit', 16)),
    search: search === undefined ? undefined : foldText(search),
    updatedSince: since === undefined ? undefined : readInstant(since),
    version: one(query, 'version', VERSION.maxLength),
  }
}

/** Opaque to readers; keeps its place whatever is published meanwhile. */
function writeServersCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}

function readCursor(text: string): string {
  const name = Buffer.from(text, 'base64url').toString()
  if (writeServersCursor(name) === text) return name
  throw invalid('cursor', 'must be metadata.nextCursor of the page before')
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT.default as number
  const { minimum = 1, maximum = 1 } = LIMIT
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (value >= minimum && value <= maximum) return value
  throw invalid('limit', `must be a whole number from ${minimum} to ${maximum}`)
}

// A plus sign that was not encoded arrives as a blank.
const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:([Zz])|([+ -])(\d\d:\d\d))$/

function readInstant(text: string): number {
  const [, day, time, , sign, offset] = INSTANT.exec(text) ?? []
  const zone = offset === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${offset}`
  const value = Date.parse(`${day}T${time}${zone}`)
  if (!Number.isNaN(value)) return value
  throw invalid('updated_since', 'must be an instant like 2026-01-31T12:00:00Z (RFC 3339)')
}

function one(query: URLSearchParams, name: string, most = 0): string | undefined {
  const values = query.getAll(name)
  const [value] = values
  if (values.length > 1) throw invalid(name, 'must be given once')
  if (value !== undefined && value.length > most) {
    throw invalid(name, `must have at most ${most} characters`)
  }
  return value === '' ? undefined : value
}

function invalid(parameter: string, must: string): Failure {
  return new Failure(INVALID_PARAMETER, `The parameter ${parameter} ${must}.`, {
    parameter,
  })
}
