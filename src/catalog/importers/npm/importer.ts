import { Failure } from '../../../platform/failure.ts'
import { describe } from '../../../platform/yaml/value-words.ts'
import { isObject } from '../fields.ts'
import {
  utcDay as dayAt,
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type Item,
  type SkippedRecord,
} from '../importer.ts'
import { readFileText } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { askRegistry } from './ask-registry.ts'
import { dayOfInstant, packageFacts } from './package-facts.ts'
import { lookUp, type PackageLookup } from './packument.ts'

// After this many failures in a row the registry is down.
const TROUBLE_MAX = 3

/** Packages of the registry in `--registry`: `npm:NAME`, a list, a file, or a search. */
export const NPM: Importer = {
  name: 'npm',
  about: 'the npm registry',
  // As in npm: the option first, then npm's own variable.
  options: { registry: { env: 'npm_config_registry' } },
  recognises: (source) => /^npm:./.test(source),
  async *read(source, deps) {
    const registry = registryOf(deps.options?.registry)
    const { names, skipped } = await namesIn(source, registry, deps)
    yield* skipped
    let trouble = 0
    for (const [i, name] of names.entries()) {
      if (deps.signal?.aborted) return
      const looked = await lookUp(registry, name, deps)
      trouble = looked.outcome === 'trouble' ? trouble + 1 : 0
      if (trouble >= Math.min(TROUBLE_MAX, names.length)) throw down(registry, looked)
      yield* itemsOf(name, looked, deps)
      deps.progress(i + 1, names.length)
    }
  },
}

/** The address without a slash at its end. Throws `invalid_input` if it is missing or not a web address. */
function registryOf(address: string | undefined): string {
  if (address === undefined) {
    throw new Failure(
      'invalid_input',
      'Which registry to ask is not known; say it, such as --registry "$(npm config get registry)".',
    )
  }
  const url = URL.parse(address)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (isPlain && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  throw new Failure(
    'invalid_input',
    'The registry must be a web address without password, as npm config get registry says it.',
  )
}

function* itemsOf(name: string, looked: PackageLookup, deps: ImportDeps): Generator<Item> {
  const read = dayAt(deps.now)
  if (looked.outcome === 'gone') return yield* unpublishedPackages(name, looked, read)
  if (looked.outcome !== 'there') return yield { skipped: name, why: looked.why }
  if (isHolding(looked.packument.manifest)) {
    return yield { skipped: name, why: 'the registry keeps the name after malware was removed' }
  }
  const wrong: Item[] = []
  const item = packageFacts(name, looked.packument, { read, tell: (it) => wrong.push(it) })
  yield* wrong
  yield item
}

/** An unpublished package makes no record, and becomes a change of an existing one. */
function* unpublishedPackages(
  name: string,
  { url, since }: { url: string; since: string | undefined },
  read: string,
): Generator<Item> {
  const date = dayOfInstant(since)
  if (!date) return yield { skipped: name, why: 'the registry has no version of it any more' }
  const what = `The npm package ${name} was unpublished.`
  const item: ImportedRecord = {
    slug: slugFrom(name),
    tool: { name, packages: [{ registry: 'npm', name }] },
    changes: [{ key: 'unpublished-on-npm', date, kind: 'removal', what, source: url }],
    from: { url, id: name, read, paths: { name: 'name', packages: 'name' } },
    stub: 'never',
  }
  yield item
}

/** The registry replaces a malicious package with such a placeholder. */
function isHolding({ version, repository }: Record<string, unknown>): boolean {
  return (
    version === '0.0.1-security' || JSON.stringify(repository ?? '').includes('security-holder')
  )
}

function down(registry: string, looked: PackageLookup): Failure {
  const why = ('why' in looked ? looked.why : '').replace(/\.$/, '')
  return new Failure('unavailable', `${registry} cannot be read: ${why}. Nothing was imported.`)
}

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const NAME_CHARS_MAX = 214
// An hour of work at one request at a time.
const NAMES_MAX = 5000
const LIST_BYTES_MAX = 1024 * 1024

/** True if this can be a package name: no path, blank or shell character. */
function isPackageName(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && NAME.test(name)
}

/**
 * The packages that a source names: `npm:NAME,NAME`, `npm:search:WORD`, or `npm:FILE`, a path that
 * begins with `.` or `/` to a file with one name a line (`#` begins a comment). Impossible names
 * come as skipped. Throws `invalid_input`, and what the search throws.
 */
async function namesIn(
  source: string,
  registry: string,
  deps: ImportDeps,
): Promise<{ names: string[]; skipped: SkippedRecord[] }> {
  const query = source.replace(/^npm:/, '')
  const names = /^search:/.test(query)
    ? await searchNames(query.slice('search:'.length), registry, deps)
    : listed(query)
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
      .map((name) => ({ skipped: describe(name), why: 'that cannot be a package name' })),
  }
}

function listed(input: string): string[] {
  const text = /^[./]/.test(input)
    ? readFileText(input, LIST_BYTES_MAX)
    : input.replaceAll(',', '\n')
  return text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

const PAGE = 250
// Later results have little to do with the query.
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
    const page = reply.outcome === 'read' ? namesOf(reply.value) : undefined
    if (!page) throw noSearch(registry, 'why' in reply ? reply.why : 'it is no list of packages')
    for (const name of page) names.add(name)
    // Past the last page, or the registry repeats it.
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
