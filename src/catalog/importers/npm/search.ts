import { Failure } from '../../../platform/failure.ts'
import { isObject } from '../fields.ts'
import type { ImportDeps } from '../importer.ts'
import { askRegistry } from './ask-registry.ts'

const PAGE = 250
// Further down a search has little to do with what was asked.
const NAMES_MAX = 1000
const PAGE_BYTES_MAX = 8 * 1024 * 1024

/** Names of packages with a keyword, as the registry ranks them. Throws `unavailable`. */
export async function searchNames(
  keyword: string,
  registry: string,
  deps: ImportDeps,
): Promise<string[]> {
  const names = new Set<string>()
  while (names.size < NAMES_MAX) {
    const before = names.size
    const query = new URLSearchParams({ text: `keywords:${keyword}`, size: `${PAGE}` })
    query.set('from', `${before}`)
    const url = `${registry}/-/v1/search?${query}`
    const reply = await askRegistry(url, deps, PAGE_BYTES_MAX)
    const found = reply.outcome === 'read' ? namesOf(reply.value) : undefined
    if (!found) throw noSearch(registry, 'why' in reply ? reply.why : 'it is no list of packages')
    for (const name of found) names.add(name)
    // The last page is past, or the registry sends the same one again.
    if (names.size === before) break
  }
  return [...names].slice(0, NAMES_MAX)
}

function namesOf(value: unknown): string[] | undefined {
  if (!isObject(value) || !Array.isArray(value.objects)) return undefined
  return value.objects
    .map((it) => (isObject(it) && isObject(it.package) ? it.package.name : undefined))
    .filter((name) => typeof name === 'string')
}

function noSearch(registry: string, why: string): Failure {
  return new Failure(
    'unavailable',
    `The search of ${registry} gave nothing: ${why}. Not every registry has one; name the packages, or list them in a file.`,
  )
}
