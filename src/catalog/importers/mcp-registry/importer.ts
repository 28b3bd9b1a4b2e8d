import { isObject } from '../fields.ts'
import { dayOf, type ImportDeps, type Importer, type Item } from '../importer.ts'
import { isUrl, parseSourceJson, peek, readFileText } from '../read-source.ts'
import { pagesOf } from './pages.ts'
import { PUBLIC_BASE, readServer } from './server.ts'

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
    const start = peek(source)
    return /"version_detail"|static\.modelcontextprotocol\.io\/schemas|io\.modelcontextprotocol\.registry\//.test(
      start,
    )
  },
  read: (source, deps) => (isUrl(source) ? fromUrl(source, deps) : fromFile(source, deps)),
}

async function* fromFile(source: string, { now, progress }: ImportDeps): AsyncGenerator<Item> {
  const value = parseSourceJson(source, readFileText(source))
  const entries = entriesOf(value)
  for (const [i, entry] of entries.entries()) {
    yield* readServer(entry, {
      file: source,
      record: `${i + 1}`,
      base: PUBLIC_BASE,
      day: dayOf(now),
    })
    progress(i + 1, entries.length)
  }
}

async function* fromUrl(source: string, deps: ImportDeps): AsyncGenerator<Item> {
  const day = dayOf(deps.now)
  let done = 0
  for await (const { base, entries } of pagesOf(source, deps)) {
    for (const entry of entries) {
      yield* readServer(entry, { file: source, record: `${++done}`, base, day })
    }
    deps.progress(done)
  }
}

/** What a file holds: a list, the reply of an API, or one server. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Array.isArray(value.servers)) return value.servers
  return [value]
}
