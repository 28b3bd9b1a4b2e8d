import { Failure } from '../../../platform/failure.ts'
import { isObject } from '../fields.ts'
import type { ImportDeps } from '../importer.ts'
import { fetchText, parseSourceJson } from '../read-source.ts'

const PAGE = 100
const PAGES_MAX = 1000

/**
 * The pages of `GET BASE/v0.1/servers`, the newest version of each server. A cursor that comes
 * again, or no end after a thousand pages, is refused: nothing of it was imported then.
 */
export async function* pagesOf(source: string, { since, ...deps }: ImportDeps) {
  const first = addressOf(source)
  const base = first.href.replace(/\/v0(\.\d+)?\/servers.*$/, '')
  const seen = new Set<string>()
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
    if (seen.has(cursor)) throw refused(source, 'its pages go round in a circle')
    seen.add(cursor)
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
