import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportDeps, type Importer, type Item, utcDay } from '../importer.ts'
import { isUrl, readStart } from '../read-source.ts'
import { apiFacts, type ReadApi } from './api-facts.ts'
import { documentsIn } from './documents.ts'
import { parseDocument } from './parse-document.ts'

const PREFIX = /^openapi:/
const NAMED = /(openapi|swagger)[^/]*\.(json|ya?ml)$|\/v[23]\/api-docs$/i
const BEGINS = /"(openapi|swagger)"\s*:\s*"?[23]|^(openapi|swagger)\s*:/m
// To recognise a folder it is enough to look at a few files.
const LOOKED_AT_MAX = 20

/** APIs described by OpenAPI 3 or Swagger 2.0: a document, its address, or a folder of thousands. */
export const OPENAPI: Importer = {
  name: 'openapi',
  about: 'an OpenAPI document',
  recognises(source) {
    if (PREFIX.test(source)) return true
    if (isUrl(source)) return NAMED.test(URL.parse(source)?.pathname ?? '')
    return BEGINS.test(readStart(source)) || isFolderOf(source)
  },
  async *read(said, deps) {
    const source = said.replace(PREFIX, '')
    const kept = new Map<string, { api: ReadApi; name: string }>()
    yield* readAll(source, deps, kept)
    const addresses = Map.groupBy(kept.values(), ({ api }) => api.item.from.url)
    for (const { api } of kept.values()) {
      const { item } = api
      // The next import knows a record by its address: no two may have the same.
      const isAlone = addresses.get(item.from.url)?.length === 1
      const url = isAlone ? item.from.url : `${item.from.url.replace(/#.*$/, '')}#${item.slug}`
      yield { ...item, from: { ...item.from, url } }
    }
  },
}

/** Reads one document after the other, and keeps of each API the facts of its newest version. */
async function* readAll(
  source: string,
  deps: ImportDeps,
  kept: Map<string, { api: ReadApi; name: string }>,
): AsyncGenerator<Item> {
  const readAt = isUrl(source) ? source : undefined
  let done = 0
  for await (const { piece, of } of documentsIn(source, deps)) {
    if (deps.signal?.aborted) return
    const wrong: Item[] = []
    const parsed = 'why' in piece ? piece : parseDocument(piece.bytes)
    const about = {
      name: piece.name,
      readAt,
      read: utcDay(deps.now),
      tell: (it: Item) => wrong.push(it),
    }
    const api = 'why' in parsed ? parsed : apiFacts(parsed.document, about)
    yield* wrong
    if ('why' in api) yield { skipped: piece.name, why: api.why }
    else yield* keepNewest(kept, api, piece.name)
    deps.progress(++done, of)
  }
}

function* keepNewest(
  kept: Map<string, { api: ReadApi; name: string }>,
  api: ReadApi,
  name: string,
): Generator<Item> {
  const key = `${api.provider} ${api.item.slug}`
  const there = kept.get(key)
  const wins = !there || isNewer(api, there.api)
  if (wins) kept.set(key, { api, name })
  const [winner, loser] = wins ? [{ api, name }, there] : [there, { api, name }]
  if (loser) yield { skipped: loser.name, why: `${winner.name} is the newer version of that API` }
}

function isFolderOf(source: string): boolean {
  const files: string[] = []
  const visit = (path: string) => {
    for (const entry of listed(path)) {
      if (files.length >= LOOKED_AT_MAX) return
      if (entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name)) files.push(join(path, entry.name))
      else if (entry.isDirectory() && !entry.name.startsWith('.')) visit(join(path, entry.name))
    }
  }
  visit(source)
  return files.some((it) => BEGINS.test(readStart(it)))
}

function listed(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

const PREVIEW = /alpha|beta|preview|rc|dev/i

/** Whether the first is the one to keep: the preferred one, else the higher version, else the later file. */
function isNewer(a: ReadApi, b: ReadApi): boolean {
  if (a.isPreferred !== b.isPreferred) return a.isPreferred
  return (compareVersions(a.version, b.version) || compareVersions(a.suffix, b.suffix)) >= 0
}

/** Numbers in their order, whatever is between them; a preview is older than what it leads to. */
function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [numbersIn(a), numbersIn(b)]
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const difference = (ours[i] ?? 0) - (theirs[i] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(PREVIEW.test(b)) - Number(PREVIEW.test(a))
}

function numbersIn(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number)
}
