import { basename, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { isModelId, type ModelCapabilities } from '../../records/models.ts'
import { isDay } from '../../records/words.ts'
import { fieldReader, isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { firstFile, listFiles } from '../list-files.ts'
import { isUrl } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { vendorOf } from '../vendor-of.ts'
import { type Provider, providerOf, tomlOf } from './provider.ts'

const HOME = 'https://github.com/anomalyco/models.dev/blob/HEAD/providers'
const TREE = 'https://github.com/anomalyco/models.dev/tree/HEAD/providers'
// The most models that fit into a file.
const PROVIDER_MODELS_MAX = 100
const LICENCE = 'models.dev: MIT'

type Served = { by: Provider; models: NonNullable<ToolFacts['models']> }

/** Models and prices in the format of models.dev: `VENDOR/models/…toml`, `VENDOR/provider.toml`. */
export const MODELS_DEV: Importer = {
  name: 'models',
  about: 'models.dev',
  recognises: (source) => !isUrl(source) && firstFile(source, '.toml') !== undefined,
  read: readModels,
}

async function* readModels(source: string, { now, progress }: ImportDeps): AsyncGenerator<Item> {
  if (isUrl(source)) {
    throw new Failure('invalid_input', 'models reads a folder or a file, not an address.')
  }
  const providers = new Map<string, Provider>()
  const files = listFiles(resolve(source), '.toml').filter((it) => basename(it) !== 'provider.toml')
  const served = new Map<string, Served>()
  for (const [i, file] of files.entries()) {
    const parts = file.split(sep)
    const models = parts.lastIndexOf('models')
    // The folder may contain the folders of vendors.
    const home = parts.slice(0, models).join(sep)
    const known = providers.get(home) ?? providerOf(home)
    providers.set(home, known)
    for (const item of readModel(file, home, known, utcDay(now))) {
      yield item
      if (!('tool' in item) || !item.tool.models) continue
      const all = served.get(home) ?? { by: known, models: {} }
      served.set(home, { by: known, models: { ...all.models, ...item.tool.models } })
    }
    progress(i + 1, files.length)
  }
  for (const [home, { by, models }] of served) {
    // An incomplete folder does not show all that the provider serves.
    if (!`${join(home, 'models')}${sep}`.startsWith(`${resolve(source)}${sep}`)) continue
    yield providerRecord(by, models, utcDay(now))
  }
}

/** The models of a provider, for the record of its API where the catalog has one of that name. */
function providerRecord(by: Provider, models: Served['models'], day: string): Item {
  const kept = Object.fromEntries(Object.entries(models).slice(0, PROVIDER_MODELS_MAX))
  const vendor = vendorOf(by.docs)
  return {
    slug: by.id,
    tool: { name: by.name, kind: 'http-api', models: kept },
    ...(vendor ? { vendor: { ...vendor, id: by.id, name: by.name } } : {}),
    from: { url: `${TREE}/${by.id}/models`, read: day, licence: LICENCE, facts: ['models'] },
    acrossKinds: [],
    stub: 'quiet',
  }
}

function* readModel(file: string, home: string, by: Provider, day: string): Generator<Item> {
  const path = relative(join(home, 'models'), file).split(sep).join('/')
  const id = path.replace(/\.toml$/, '')
  const place = { file, record: `${by.id}/${id}` }
  const value = tomlOf(file)
  if (!isObject(value)) {
    return yield { wrong: { ...place, field: '', expected: 'TOML', found: value } }
  }
  const wrong: Item[] = []
  const url = `${HOME}/${by.id}/models/${path.split('/').map(encodeURIComponent).join('/')}`
  const read = fieldReader(place, value, (it) => wrong.push(it))
  const tool = modelFacts(read, { id, by, url })
  yield* wrong
  const vendor = vendorOf(by.docs)
  // A provider that serves another vendor's model is put before its name.
  const slug = slugFrom(path.includes('/') ? `${by.id}-${basename(id)}` : id)
  yield {
    slug,
    tool: { ...tool, kind: 'model', category: 'models', where: 'hosted' },
    ...(vendor ? { vendor: { ...vendor, id: by.id, name: by.name } } : {}),
    from: {
      url,
      read: day,
      licence: LICENCE,
      facts: ['kind', 'category', 'where', ...Object.keys(tool).filter((it) => it !== 'summary')],
    },
    match: { vendorId: true },
  }
}

type Reader = ReturnType<typeof fieldReader>
type Of = { id: string; by: Provider; url: string }

const PRICES: Record<string, string> = {
  input: 'input tokens',
  output: 'output tokens',
  cache_read: 'cached input tokens',
  cache_write: 'tokens written to the cache',
  reasoning: 'reasoning tokens',
  input_audio: 'audio input tokens',
  output_audio: 'audio output tokens',
}
const FLAGS = [
  ['toolCalls', 'tool-calls'],
  ['reasoning', 'reasoning'],
  ['structuredOutput', 'structured-output'],
  ['attachments', 'attachments'],
  ['openWeights', 'open-weights'],
] as const

/** The model's facts: prices per million tokens, limits and capabilities. */
function modelFacts(read: Reader, { id, by, url }: Of): ToolFacts {
  const cost = read.object('cost')
  const unitPrices = pricesOf(cost, url, read)
  const released = read.text('release_date')
  const capabilities = capabilitiesOf(read)
  const tags = FLAGS.flatMap(([field, tag]) => (capabilities[field] ? [tag] : []))
  const status = read.text('status')
  const all = [...tags, ...(status ? [status] : [])]
  const details = detailsOf(capabilities)
  const isKnown = isModelId(id) && Object.keys(capabilities).length > 0
  return {
    name: read.text('name') ?? id,
    summary: `Model ${id} as ${by.name} serves it.`,
    ...(by.docs ? { docsUrl: by.docs } : {}),
    ...(by.api ? { transports: ['http'] } : {}),
    ...(by.needsKey ? { auth: 'api-key' } : {}),
    ...(unitPrices.length > 0 ? { unitPrices, pricing: pricingOf(unitPrices) } : {}),
    ...(all.length > 0 ? { tags: all } : {}),
    ...(details.length > 0 ? { details } : {}),
    ...(isKnown ? { models: { [id]: capabilities } } : {}),
    ...(released && isDay(released) ? { lastRelease: released } : {}),
  }
}

type Price = NonNullable<ToolFacts['unitPrices']>[number]

function pricesOf(cost: Record<string, unknown> | undefined, source: string, read: Reader) {
  const prices: Price[] = []
  for (const [field, item] of Object.entries(PRICES)) {
    const usd = cost?.[field]
    if (usd === undefined) continue
    if (typeof usd === 'number' && usd >= 0) prices.push({ item, unit: '1M tokens', usd, source })
    else read.wrong(`cost.${field}`, 'a number of at least 0', usd)
  }
  return prices
}

function pricingOf(prices: readonly Price[]): string {
  return prices.every(({ usd }) => usd === 0) ? 'free' : 'usage'
}

function detailsOf(model: ModelCapabilities) {
  const details: NonNullable<ToolFacts['details']> = []
  const add = (label: string, value: string | undefined) => {
    if (value) details.push({ label, value })
  }
  add('Context window', tokens(model.contextTokens))
  add('Longest output', tokens(model.outputTokens))
  add('Input', model.input?.join(', '))
  add('Output', model.output?.join(', '))
  add('Knowledge until', model.knowledge)
  return details
}

function tokens(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count.toLocaleString('en-US')} tokens`
}

type CapabilityReader = ReturnType<typeof fieldReader>

const KNOWLEDGE = /^\d{4}(-\d\d(-\d\d)?)?$/
const MEDIUM = /^[a-z0-9-]{1,40}$/
const MEDIA_MAX = 20

/** The capabilities that models.dev states; others are left out. */
function capabilitiesOf(read: CapabilityReader): ModelCapabilities {
  const limit = read.object('limit')
  const modalities = read.object('modalities')
  const said = {
    toolCalls: read.flag('tool_call'),
    reasoning: read.flag('reasoning'),
    structuredOutput: read.flag('structured_output'),
    attachments: read.flag('attachment'),
    openWeights: read.flag('open_weights'),
    contextTokens: readTokens(limit?.context),
    outputTokens: readTokens(limit?.output),
    input: media(modalities?.input),
    output: media(modalities?.output),
    knowledge: knowledgeOf(read),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

/** models.dev writes 0 for no limit. */
function readTokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

function media(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const words = value.filter((it): it is string => typeof it === 'string' && MEDIUM.test(it))
  return words.length > 0 ? [...new Set(words)].slice(0, MEDIA_MAX) : undefined
}

function knowledgeOf(read: CapabilityReader): string | undefined {
  const said = read.text('knowledge')
  if (said === undefined || KNOWLEDGE.test(said)) return said
  read.wrong('knowledge', 'a year, month or day', said)
  return undefined
}
