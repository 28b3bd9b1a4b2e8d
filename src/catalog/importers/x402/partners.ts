import { basename } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { documentUrl } from '../document-url.ts'
import { fieldReader, isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { firstFile, listFiles } from '../list-files.ts'
import { isUrl, parseSourceJson, readFileText, readStart } from '../read-source.ts'
import { type Stated, stated } from '../stated.ts'

const HOME =
  'https://github.com/coinbase/x402/blob/main/typescript/site/app/ecosystem/partners-data'
const LICENCE = 'x402 partners: Apache-2.0'
const FILE_BYTES_MAX = 256 * 1024

// The list's kinds of partners in the catalog's terms.
const SORTS: Record<string, { kind?: string; category?: string }> = {
  'Services/Endpoints': { kind: 'http-api' },
  Facilitators: { category: 'payments' },
  'Infrastructure & Tooling': {},
  'Client-Side Integrations': {},
  'Web3 Application & Infrastructure': {},
}
// What earlier versions derived from each category.
const RETRACTED: Record<string, { kind?: string; category?: string }> = {
  'Services/Endpoints': { category: 'data' },
  Facilitators: { kind: 'platform' },
  'Infrastructure & Tooling': { kind: 'platform', category: 'payments' },
  'Client-Side Integrations': { kind: 'platform', category: 'payments' },
  'Web3 Application & Infrastructure': { kind: 'platform', category: 'payments' },
}

/** Partners of x402 as its site lists them: a folder with one JSON file each. */
export const X402_PARTNERS: Importer = {
  name: 'x402-partners',
  about: 'the list of x402 partners',
  recognises(source) {
    const file = isUrl(source) ? undefined : firstFile(source, '.json')
    const start = file === undefined ? '' : readStart(file)
    return /"websiteUrl"/.test(start) && /"category"/.test(start)
  },
  read: readPartners,
}

async function* readPartners(
  source: string,
  { now, at, progress }: ImportDeps,
): AsyncGenerator<Item> {
  if (isUrl(source)) {
    throw new Failure('invalid_input', 'x402-partners reads a folder or a file, not an address.')
  }
  const files = listFiles(source, '.json')
  for (const [i, file] of files.entries()) {
    yield* readPartner(file, utcDay(now), documentUrl(source, file, at))
    progress(i + 1, files.length)
  }
}

function* readPartner(file: string, day: string, url: string): Generator<Item> {
  const wrong: Item[] = []
  const id =
    basename(file, '.json') === 'metadata' ? basename(file.slice(0, -14)) : basename(file, '.json')
  const place = { file, record: id }
  let value: unknown
  try {
    value = parseSourceJson(file, readFileText(file, FILE_BYTES_MAX))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return yield { wrong: { ...place, field: '', expected: 'a JSON file', found: error.message } }
  }
  if (!isObject(value)) {
    return yield { wrong: { ...place, field: '', expected: 'a mapping', found: typeof value } }
  }
  const read = fieldReader(place, value, (it) => wrong.push(it))
  const name = read.text('name')
  const category = read.text('category') ?? ''
  yield* wrong
  if (!name) return yield { skipped: id, why: 'it has no name' }
  if (!SORTS[category])
    return yield { skipped: id, why: `it is listed as "${category}", which is not a tool` }
  const { tool, paths } = toolOf(name, category, value, url)
  yield {
    slug: id,
    tool,
    from: {
      url,
      id,
      formerly: `${HOME}/${encodeURIComponent(id)}/metadata.json`,
      read: day,
      licence: LICENCE,
      paths,
    },
    retracted: { ...RETRACTED[category], where: 'hosted' },
  }
}

function toolOf(
  name: string,
  category: string,
  value: Record<string, unknown>,
  source: string,
): Stated {
  const { description, websiteUrl, facilitator } = value
  const about = isObject(facilitator) ? facilitator : {}
  const sort = SORTS[category] ?? {}
  return stated(value, {
    name: [name, 'name'],
    kind: [sort.kind, 'category'],
    category: [sort.category, 'category'],
    summary: [textOf(description), 'description'],
    homepage: [textOf(websiteUrl), 'websiteUrl'],
    remoteUrl: [textOf(about.baseUrl), 'facilitator.baseUrl'],
    x402: [paymentOf(category, source), 'category'],
    details: [facilitatorDetails(about), 'facilitator'],
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Only the list's own word counts: prose about payments says nothing of who is paid. */
function paymentOf(category: string, source: string): ToolFacts['x402'] {
  if (category !== 'Services/Endpoints') return undefined
  const evidence = 'Listed among the services that take x402.'
  return { level: 'partial', evidence, source }
}

function facilitatorDetails(value: Record<string, unknown>): ToolFacts['details'] {
  const words = (list: unknown) =>
    Array.isArray(list) ? list.filter((it) => typeof it === 'string').join(', ') : ''
  const details = [
    { label: 'Networks', value: words(value.networks) },
    { label: 'Schemes', value: words(value.schemes) },
    { label: 'Assets', value: words(value.assets) },
  ].filter((it) => it.value !== '')
  return details.length > 0 ? details : undefined
}
