import { basename } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { parseYaml } from '../../../platform/yaml/parse-yaml.ts'
import { isModelId } from '../../records/models.ts'
import { documentUrl } from '../document-url.ts'
import { fieldReader, isObject, scalarText } from '../fields.ts'
import {
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type Item,
  type ModelEnds,
  utcDay,
} from '../importer.ts'
import { firstFile, listFiles } from '../list-files.ts'
import { isUrl, readFileText, readStart } from '../read-source.ts'
import { stated } from '../stated.ts'
import { vendorOf } from '../vendor-of.ts'
import { oneSentence } from '../words/one-sentence.ts'
import { type CycleEnds, endsOf } from './ends.ts'

const LICENCE = 'endoflife.date: MIT'
/** Where a description of a product is, in paths. */
const TEXT_BELOW = 'the text below the front matter'
const FILE_BYTES_MAX = 1024 * 1024
const FRONT_MAX = 256 * 1024
const YEAR_MS = 365 * 24 * 3600 * 1000

/**
 * Release cycles in the format of endoflife.date: YAML in front of Markdown. They become dated
 * changes of existing tools; records for other products are made only on request.
 */
export const RETIREMENT: Importer = {
  name: 'retirement',
  about: 'endoflife.date',
  recognises(source) {
    const file = isUrl(source) ? undefined : firstFile(source, '.md')
    return file !== undefined && /^---\n[\s\S]*^(releases|permalink):/m.test(readStart(file))
  },
  read: readProducts,
}

async function* readProducts(source: string, deps: ImportDeps): AsyncGenerator<Item> {
  if (isUrl(source)) {
    throw new Failure('invalid_input', 'retirement reads a folder or a file, not an address.')
  }
  // Older ends are not news.
  const after = deps.since?.slice(0, 10) ?? utcDay(deps.now - YEAR_MS)
  const files = listFiles(source, '.md')
  for (const [i, file] of files.entries()) {
    const url = documentUrl(source, file, deps.at)
    yield* readProduct(file, { after, day: utcDay(deps.now), url })
    deps.progress(i + 1, files.length)
  }
}

type Reading = { after: string; day: string; url: string }

function* readProduct(file: string, { after, day, url }: Reading): Generator<Item> {
  const id = basename(file, '.md')
  const place = { file, record: id }
  const wrong: Item[] = []
  const text = textOf(file)
  if (text === undefined) {
    const expected = 'YAML of at most 256 KiB between two lines of ---'
    return yield { wrong: { ...place, field: '', expected, found: 'something else' } }
  }
  const parsed = parseYaml(file, text.front)
  if (Array.isArray(parsed)) {
    for (const { field, expected, found: actual } of parsed) {
      yield { wrong: { ...place, field, expected, found: actual } }
    }
    return
  }
  const value = isObject(parsed.value) ? parsed.value : {}
  const read = fieldReader(place, value, (it) => wrong.push(it))
  const title = read.text('title')
  const ends = endsOf(read.list('releases'), { title: title ?? id, url, after }, read.wrong)
  yield* wrong
  if (!title) return yield { skipped: id, why: 'it has no title' }
  const changes = ends.flatMap((it) => it.changes)
  const models = { owners: domainsIn(value), ends: modelEnds(ends) }
  yield { ...productOf(id, title, { value, url, day, changes, body: text.body }), models }
}

/** The releases that may be models: their names in requests, with their ends. */
function modelEnds(ends: readonly CycleEnds[]): ModelEnds['ends'] {
  return ends.flatMap(({ cycle, end }) =>
    end && isModelId(cycle) ? [{ model: cycle, changes: [end] }] : [],
  )
}

/** The domains that the product's own links lead to. */
function domainsIn(value: Record<string, unknown>): ReadonlySet<string> {
  const methods = isObject(value.auto) ? listOf(value.auto.methods) : []
  const links = [
    value.releasePolicyLink,
    value.changelogTemplate,
    ...methods.map((it) => (isObject(it) ? it.release_table : undefined)),
    ...listOf(value.releases).map((it) => (isObject(it) ? it.link : undefined)),
  ]
  const domains = links.map((it) => (typeof it === 'string' ? vendorOf(it)?.domain : undefined))
  return new Set(domains.filter((it) => it !== undefined))
}

/** The kind and hosting that the list's category states; most state nothing. */
function sortOf(category: unknown): { kind?: string; where?: string } {
  if (category === 'framework') return { kind: 'framework' }
  return category === 'service' ? { kind: 'platform', where: 'hosted' } : {}
}

type Product = Pick<ImportedRecord, 'changes'> & {
  value: Record<string, unknown>
  url: string
  day: string
  body: string
}

function productOf(
  id: string,
  title: string,
  { value, url, day, changes, body }: Product,
): ImportedRecord {
  const { repo, packages } = identitiesOf(value)
  const changelog = changelogOf(value)
  const sort = sortOf(value.category)
  const page = { ...value, [TEXT_BELOW]: body }
  const { tool, paths } = stated(page, {
    name: [title, 'title'],
    summary: [oneSentence(body), TEXT_BELOW],
    repo: [repo, 'auto.methods'],
    changelog: [changelog, ['changelogTemplate', 'releases[0]']],
    kind: [sort.kind, 'category'],
    where: [sort.where, 'category'],
  })
  const policy = value.releasePolicyLink
  return {
    slug: id,
    tool,
    ...(changes && changes.length > 0 ? { changes } : {}),
    // For a tool of another source only the dates are used.
    from: {
      url,
      id,
      formerly: `https://endoflife.date/${encodeURIComponent(id)}`,
      read: day,
      licence: LICENCE,
      paths,
    },
    changesOnly: true,
    retracted: {
      kind: 'platform',
      where: value.category === 'framework' ? 'library' : 'hosted',
      ...(typeof policy === 'string' ? { changelog: policy } : {}),
    },
    stub: 'asked',
    match: { packages, ...(repo ? { repo } : {}) },
  }
}

/** The text between the first two lines of `---`, and what follows. */
function textOf(file: string): { front: string; body: string } | undefined {
  let text: string
  try {
    text = readFileText(file, FILE_BYTES_MAX).replaceAll('\r\n', '\n')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
  if (!text.startsWith('---\n')) return undefined
  const end = text.indexOf('\n---', 3)
  if (end < 0 || end > FRONT_MAX) return undefined
  return { front: text.slice(4, end + 1), body: text.slice(end + 4) }
}

const PURL = /^pkg:(npm|pypi|golang|github)\/([^?#@]+|%40[^?#@]+)$/
const REGISTRIES: Record<string, string> = { npm: 'npm', pypi: 'pypi', golang: 'go' }

/** Other identities of a product: its packages, and the repository of its releases. */
function identitiesOf(value: Record<string, unknown>) {
  const packages: Array<{ registry: string; name: string }> = []
  for (const it of listOf(value.identifiers)) {
    const purl = isObject(it) && typeof it.purl === 'string' ? PURL.exec(it.purl) : null
    const registry = REGISTRIES[purl?.[1] ?? '']
    if (registry && purl?.[2]) packages.push({ registry, name: decoded(purl[2]) })
  }
  const methods = isObject(value.auto) ? listOf(value.auto.methods) : []
  const git = methods.map((it) => (isObject(it) ? it.git : undefined)).find(isGithub)
  return { packages, ...(git ? { repo: git.replace(/\.git$/, '') } : {}) }
}

function isGithub(value: unknown): value is string {
  return typeof value === 'string' && /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(value)
}

function decoded(name: string): string {
  return name.replace(/^%40/, '@')
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * The changelog of the newest release: its own link, or else the product's template with the
 * release filled in. Undefined if the template needs more than that.
 */
function changelogOf(product: Record<string, unknown>): string | undefined {
  const newest = Array.isArray(product.releases) ? product.releases.find(isObject) : undefined
  const own = scalarText(newest?.link)
  const template = own || scalarText(product.changelogTemplate)
  const values: Record<string, string> = {
    __LATEST__: scalarText(newest?.latest),
    __RELEASE_CYCLE__: scalarText(newest?.releaseCycle),
    __RELEASE_DATE__: scalarText(newest?.releaseDate),
    __LATEST_RELEASE_DATE__: scalarText(newest?.latestReleaseDate),
  }
  const filled = template
    .trim()
    .replace(/\{\{\s*(["'])(__[A-Z_]+__)\1\s*\}\}/g, '$2')
    .replace(/__(?:LATEST_RELEASE_DATE|RELEASE_DATE|RELEASE_CYCLE|LATEST)__/g, (word) =>
      encodeURIComponent(values[word] || '{'),
    )
  if (!/^https:\/\/[^\s{}]+$/.test(filled) || /%7B|__CODENAME__/.test(filled)) return undefined
  return URL.canParse(filled) ? filled : undefined
}
