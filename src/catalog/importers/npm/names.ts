import { Failure } from '../../../platform/failure.ts'
import { describe } from '../../authoring/expected.ts'
import { isObject } from '../fields.ts'
import type { ImportDeps, SkippedRecord } from '../importer.ts'
import { readFileText } from '../read-source.ts'
import { askRegistry } from './ask-registry.ts'

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const NAME_CHARS_MAX = 214
// At one request at a time, an hour's work.
const NAMES_MAX = 5000
const LIST_BYTES_MAX = 1024 * 1024

/** Whether the registry could have a package of that name: no path, no blank, no sign of a shell. */
function isPackageName(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && NAME.test(name)
}

/**
 * The packages that a source names: `npm:NAME,NAME`, `npm:search:WORD`, or `npm:FILE`, a path that
 * begins with `.` or `/` and has a name a line (`#` begins a remark). Names that can be none come
 * as skipped. Throws `invalid_input`, and what the search throws.
 */
export async function namesIn(
  source: string,
  registry: string,
  deps: ImportDeps,
): Promise<{ names: string[]; skipped: SkippedRecord[] }> {
  const said = source.replace(/^npm:/, '')
  const names = /^search:/.test(said)
    ? await searchNames(said.slice('search:'.length), registry, deps)
    : listed(said)
  const unique = [...new Set(names)]
  if (unique.length === 0) throw new Failure('invalid_input', `${source} names no package.`)
  if (unique.length > NAMES_MAX) {
    throw new Failure(
      'invalid_input',
      `${source} names ${unique.length} packages; at most ${NAMES_MAX} can be imported at once.`,
    )
  }
  return {
    names: unique.filter(isPackageName),
    skipped: unique
      .filter((name) => !isPackageName(name))
      .map((name) => ({ skipped: describe(name), why: 'no package can have that name' })),
  }
}

function listed(said: string): string[] {
  const text = /^[./]/.test(said) ? readFileText(said, LIST_BYTES_MAX) : said.replaceAll(',', '\n')
  return text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

const PAGE = 250
// Further down a search has little to do with what was asked.
const FOUND_MAX = 1000
const PAGE_BYTES_MAX = 8 * 1024 * 1024

/** Names of packages with a keyword, as the registry ranks them. Throws `unavailable`. */
async function searchNames(keyword: string, registry: string, deps: ImportDeps): Promise<string[]> {
  const names = new Set<string>()
  while (names.size < FOUND_MAX) {
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
  return [...names].slice(0, FOUND_MAX)
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
