import { Failure } from '../../../platform/failure.ts'
import { documentUrl } from '../document-url.ts'
import { isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, utcDay } from '../importer.ts'
import { fetchText, isUrl, parseSourceJson, readFileText, readStart } from '../read-source.ts'
import { readServer } from './server.ts'

/**
 * MCP servers: a file of the registry (the list of 2025 in snake_case, one `server.json`, a saved
 * reply of the API) or the address of a registry, page by page.
 */
export const MCP_REGISTRY: Importer = {
  name: 'mcp-registry',
  about: 'an MCP registry',
  recognises(source) {
    if (isUrl(source))
      return (
        /\/v0(\.\d+)?\/servers\b/.test(source) || /^https?:\/\/registry\.[^/]*\/?$/.test(source)
      )
    const start = readStart(source)
    return /"version_detail"|static\.modelcontextprotocol\.io\/schemas|io\.modelcontextprotocol\.registry\//.test(
      start,
    )
  },
  read: (source, deps) => (isUrl(source) ? fromUrl(source, deps) : fromFile(source, deps)),
}

async function* fromFile(source: string, { now, at, progress }: ImportDeps): AsyncGenerator<Item> {
  const value = parseSourceJson(source, readFileText(source))
  const { entries, list } = entriesOf(value)
  const url = documentUrl(source, source, at)
  for (const [i, entry] of entries.entries()) {
    yield* readServer(entry, {
      file: source,
      record: `${i + 1}`,
      from: { url },
      document: value,
      at: list === undefined ? '' : `${list}[${i}].`,
      day: utcDay(now),
    })
    progress(i + 1, entries.length)
  }
}

async function* fromUrl(source: string, deps: ImportDeps): AsyncGenerator<Item> {
  const day = utcDay(deps.now)
  let done = 0
  for await (const { base, entries } of pagesOf(source, deps)) {
    for (const entry of entries) {
      yield* readServer(entry, {
        file: source,
        record: `${++done}`,
        from: { base },
        day,
        document: entry,
        at: '',
      })
    }
    deps.progress(done)
  }
}

/** Reads the entries of a file: a list, the reply of an API, or one server. */
function entriesOf(value: unknown): { entries: unknown[]; list?: string } {
  if (Array.isArray(value)) return { entries: value, list: '' }
  if (isObject(value) && Array.isArray(value.servers)) {
    return { entries: value.servers, list: 'servers' }
  }
  return { entries: [value] }
}

const PAGE = 100
const PAGES_MAX = 1000

/**
 * The pages of `GET BASE/v0.1/servers`, with the newest version of each server. A repeated cursor
 * or more than a thousand pages is refused, and nothing is imported.
 */
async function* pagesOf(source: string, { since, ...deps }: ImportDeps) {
  const first = addressOf(source)
  const base = first.href.replace(/\/v0(\.\d+)?\/servers.*$/, '')
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const url = new URL(first)
    if (since) url.searchParams.set('updated_since', since)
    if (cursor) url.searchParams.set('cursor', cursor)
    const reply = parseSourceJson(url.href, await fetchText(url.href, deps))
    if (!isObject(reply) || !Array.isArray(reply.servers)) {
      throw refused(source, 'its answer has no list "servers"')
    }
    yield { base, entries: reply.servers as unknown[] }
    cursor = nextOf(reply.metadata)
    if (cursor === undefined) return
    if (cursors.has(cursor)) throw refused(source, 'its pages form a loop')
    cursors.add(cursor)
  }
  throw refused(source, `it has more than ${PAGES_MAX} pages`)
}

function addressOf(source: string): URL {
  const url = new URL(source)
  if (!/\/v0(\.\d+)?\/servers\/?$/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v0.1/servers`
  }
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', String(PAGE))
  if (!url.searchParams.has('version')) url.searchParams.set('version', 'latest')
  url.hash = ''
  return url
}

function nextOf(metadata: unknown): string | undefined {
  if (!isObject(metadata)) return undefined
  const next = metadata.nextCursor ?? metadata.next_cursor
  return typeof next === 'string' && next !== '' ? next : undefined
}

function refused(source: string, why: string): Failure {
  return new Failure(
    'unavailable',
    `${source} cannot be read to its end: ${why}. Nothing was imported.`,
  )
}
