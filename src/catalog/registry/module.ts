import type { BuiltDocument, FeedModule, QueryReply } from '../feeds/built-site.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { JSON_TYPE } from '../feeds/json-document.ts'
import { entriesOf, entrySteps, type ServerEntry } from './entries.ts'
import { readServersQuery, writeServersCursor } from './servers-query.ts'

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
  const found = entriesOf(snapshot).filter(
    (entry) =>
      (after === undefined || entry.name > after) &&
      (search === undefined || entry.searched.includes(search)) &&
      (updatedSince === undefined || entry.updatedAt >= updatedSince) &&
      (version === undefined || version === 'latest' || entry.version === version),
  )
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const next = found.length > page.length && last ? writeServersCursor(last.name) : undefined
  return { type: JSON_TYPE, body: listOf(page, next) }
}

function listOf(entries: readonly ServerEntry[], nextCursor?: string): string {
  const metadata = { count: entries.length, ...(nextCursor ? { nextCursor } : {}) }
  const servers = entries.map(({ json }) => json).join(',')
  return `{"servers":[${servers}],"metadata":${JSON.stringify(metadata)}}\n`
}
