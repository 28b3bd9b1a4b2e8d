import { basename } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { fieldReader, isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { firstFile, listFiles } from '../list-files.ts'
import { isUrl, parseSourceJson, readFileText, readStart } from '../read-source.ts'

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

async function* readPartners(source: string, { now, progress }: ImportDeps): AsyncGenerator<Item> {
  if (isUrl(source)) {
    throw new Failure('invalid_input', 'x402-partners reads a folder or a file, not an address.')
  }
  const files = listFiles(source, '.json')
  for (const [i, file] of files.entries()) {
    yield* readPartner(file, utcDay(now))
    progress(i + 1, files.length)
  }
}

function* readPartner(file: string, day: string): Generator<Item> {
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
  const said = read.text('category') ?? ''
  const sort = SORTS[said]
  yield* wrong
  if (!name) return yield { skipped: id, why: 'it has no name' }
  if (!sort) return yield { skipped: id, why: `it is listed as "${said}", which is not a tool` }
  const url = `${HOME}/${encodeURIComponent(id)}/metadata.json`
  const tool = { ...toolOf(name, said, value, url), ...sort }
  yield {
    slug: id,
    tool,
    from: { url, id, read: day, licence: LICENCE, facts: Object.keys(tool) },
    retracted: { ...RETRACTED[said], where: 'hosted' },
  }
}

function toolOf(
  name: string,
  category: string,
  value: Record<string, unknown>,
  source: string,
): ToolFacts {
  const { description, websiteUrl, facilitator } = value
  return {
    name,
    ...(typeof description === 'string' && description ? { summary: description } : {}),
    ...(typeof websiteUrl === 'string' && websiteUrl ? { homepage: websiteUrl } : {}),
    ...paymentFacts(category, source),
    ...facilitatorFacts(facilitator),
  }
}

/** Only the list's own word counts: prose about payments says nothing of who is paid. */
function paymentFacts(category: string, source: string): Partial<ToolFacts> {
  if (category !== 'Services/Endpoints') return {}
  const evidence = 'Listed among the services that take x402.'
  return { x402: { level: 'partial', evidence, source } }
}

function facilitatorFacts(value: unknown): Partial<ToolFacts> {
  if (!isObject(value)) return {}
  const words = (list: unknown) =>
    Array.isArray(list) ? list.filter((it) => typeof it === 'string').join(', ') : ''
  const details = [
    { label: 'Networks', value: words(value.networks) },
    { label: 'Schemes', value: words(value.schemes) },
    { label: 'Assets', value: words(value.assets) },
  ].filter((it) => it.value !== '')
  return {
    ...(typeof value.baseUrl === 'string' && value.baseUrl ? { remoteUrl: value.baseUrl } : {}),
    ...(details.length > 0 ? { details } : {}),
  }
}
