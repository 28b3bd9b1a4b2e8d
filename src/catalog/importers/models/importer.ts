import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { isModelId, type ModelCapabilities } from '../../records/models.ts'
import { isDay } from '../../records/words.ts'
import { documentUrl } from '../document-url.ts'
import { fieldReader } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { firstFile } from '../list-files.ts'
import { isUrl } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { type Stated, stated } from '../stated.ts'
import { type VendorGuess, vendorOf } from '../vendor-of.ts'
import { type ModelFile, makersFolder, modelFiles, readModelFile, type Toml } from './collection.ts'
import { pricesOf, pricingOf } from './prices.ts'
import { type Provider, providerOf } from './provider.ts'

const HOME = 'https://github.com/anomalyco/models.dev/blob/HEAD/providers'
const TREE = 'https://github.com/anomalyco/models.dev/tree/HEAD/providers'
// The most models that fit into a file.
const PROVIDER_MODELS_MAX = 100
const LICENCE = 'models.dev: MIT'
const LIMITS = ['limit', 'modalities', 'knowledge']
const CAN = ['tool_call', 'reasoning', 'structured_output', 'attachment', 'open_weights']

type Reading = { day: string; url: string }
type Served = { by: Provider; models: NonNullable<ToolFacts['models']> }

/** Models and prices in the format of models.dev: `VENDOR/models/…toml`, `VENDOR/provider.toml`. */
export const MODELS_DEV: Importer = {
  name: 'models',
  about: 'models.dev',
  recognises: (source) => !isUrl(source) && firstFile(source, '.toml') !== undefined,
  read: readModels,
}

async function* readModels(
  source: string,
  { now, at, progress }: ImportDeps,
): AsyncGenerator<Item> {
  if (isUrl(source)) {
    throw new Failure('invalid_input', 'models reads a folder or a file, not an address.')
  }
  const providers = new Map<string, Provider>()
  const files = modelFiles(source)
  const served = new Map<string, Served>()
  for (const [i, model] of files.entries()) {
    const { home } = model
    const by = providers.get(home) ?? providerOf(home)
    providers.set(home, by)
    for (const item of readModel(model, by, {
      day: utcDay(now),
      url: documentUrl(source, model.file, at),
    })) {
      yield item
      if (!('tool' in item) || !item.tool.models) continue
      const all = served.get(home) ?? { by, models: {} }
      served.set(home, { by, models: { ...all.models, ...item.tool.models } })
    }
    progress(i + 1, files.length)
  }
  for (const [home, { by, models }] of served) {
    // An incomplete folder does not show all that the provider serves.
    if (!`${join(home, 'models')}${sep}`.startsWith(`${resolve(source)}${sep}`)) continue
    const url = documentUrl(source, join(home, 'models'), at)
    yield providerRecord(by, models, { day: utcDay(now), url })
  }
}

/** The models of a provider, for the record of its API where the catalog has one. */
function providerRecord(by: Provider, models: Served['models'], { day, url }: Reading): Item {
  const withCapabilities = Object.entries(models).filter(([, can]) => Object.keys(can).length > 0)
  return {
    slug: by.id,
    tool: {
      name: by.name,
      kind: 'http-api',
      models: Object.fromEntries(withCapabilities.slice(0, PROVIDER_MODELS_MAX)),
    },
    ...vendorFor(by),
    from: {
      url,
      id: by.id,
      formerly: `${TREE}/${by.id}/models`,
      read: day,
      licence: LICENCE,
      paths: { models: '.' },
    },
    acrossKinds: [],
    stub: 'quiet',
    match: { vendorId: true, provider: by.id, ...(by.api ? { api: by.api } : {}) },
  }
}

/** The provider as the collection names it; its documentation shows only where it has it. */
function vendorFor(by: Provider): { vendor?: VendorGuess } {
  const there = vendorOf(by.docs)
  return there ? { vendor: { ...there, id: by.id, name: by.name } } : {}
}

function* readModel(model: ModelFile, by: Provider, { day, url }: Reading): Generator<Item> {
  const { file, id } = model
  const place = { file, record: `${by.id}/${id}` }
  const result = readModelFile(model)
  if (typeof result === 'string') {
    return yield { wrong: { ...place, field: '', expected: 'TOML', found: result } }
  }
  if (result.missing !== undefined) {
    const expected = `a model of ${makersFolder(model.home)}`
    yield { wrong: { ...place, field: 'base_model', expected, found: result.missing } }
  }
  const wrong: Item[] = []
  const path = `${by.id}/models/${id.split('/').map(encodeURIComponent).join('/')}.toml`
  const read = fieldReader(place, result.value, (it) => wrong.push(it))
  const { tool, paths } = modelFacts(read, { model, by, url, documents: result.documents })
  yield* wrong
  yield {
    ...slugsOf(model, by),
    tool,
    standIn: `Model ${id} as ${by.name} serves it.`,
    ...vendorFor(by),
    from: {
      url,
      id: `${model.provider}/${id}`,
      formerly: `${HOME}/${path}`,
      read: day,
      licence: LICENCE,
      paths,
    },
    match: { vendorId: true, ...(isModelId(id) ? { model: id } : {}) },
  }
}

/** The maker of a model has the plain slug; whoever else serves it is put before its name. */
function slugsOf({ home, id, provider }: ModelFile, by: Provider) {
  const name = id.replaceAll('+', '-plus-')
  const full = slugFrom(`${by.id}-${name}`)
  const makers = makersFolder(home)
  const plain = { slug: slugFrom(name), otherwise: full }
  if (existsSync(join(makers, provider, `${id}.toml`))) return { ...plain, precedence: 0 as const }
  const isMaker = existsSync(join(makers, provider))
  return isMaker && !isMadeBySomebody(makers, id)
    ? { ...plain, precedence: 1 as const }
    : { slug: full }
}

function isMadeBySomebody(makers: string, id: string): boolean {
  return readdirSync(makers).some((maker) => existsSync(join(makers, maker, `${id}.toml`)))
}

type Reader = ReturnType<typeof fieldReader>
type Of = {
  model: ModelFile
  by: Provider
  url: string
  documents: ReadonlyMap<string, Toml>
}

/** The documents beside the model's own, by their addresses relative to it. */
function othersOf({ model, by, documents }: Of): Record<string, Toml> {
  const beside = (other: string) => relative(dirname(model.file), other).split(sep).join('/')
  const others = [...documents].filter(([file]) => file !== model.file)
  return Object.fromEntries([
    [beside(join(model.home, 'provider.toml')), by.document],
    ...others.map(([file, content]) => [beside(file), content]),
  ])
}

const FLAGS = [
  ['toolCalls', 'tool-calls'],
  ['reasoning', 'reasoning'],
  ['structuredOutput', 'structured-output'],
  ['attachments', 'attachments'],
  ['openWeights', 'open-weights'],
] as const

/** The model's facts: prices per million tokens, limits and capabilities. */
function modelFacts(read: Reader, of: Of): Stated {
  const { model, by, url, documents } = of
  const { file, id } = model
  const others = othersOf(of)
  const [provider = '', ...bases] = Object.keys(others)
  const at = (...fields: string[]) =>
    ['', ...bases.map((it) => `${it}#`)].flatMap((it) => fields.map((field) => it + field))
  const cost = read.object('cost')
  const unitPrices = pricesOf(cost, url, read)
  const name = read.text('name')
  const released = read.text('release_date')
  const capabilities = capabilitiesOf(read)
  const tags = FLAGS.flatMap(([field, tag]) => (capabilities[field] ? [tag] : []))
  const status = read.text('status')
  const all = [...tags, ...(status ? [status] : [])]
  const details = detailsOf(capabilities)
  const nonEmpty = <T>(list: readonly T[]) => (list.length > 0 ? [...list] : undefined)
  const fields = {
    name: [name ?? id, name ? at('name') : '.'],
    kind: ['model', '.'],
    category: ['models', '.'],
    docsUrl: [by.docs, `${provider}#doc`],
    transports: [by.api ? ['http'] : undefined, `${provider}#api`],
    where: [by.api ? 'hosted' : undefined, `${provider}#api`],
    auth: [by.needsKey ? 'api-key' : undefined, `${provider}#env`],
    unitPrices: [nonEmpty(unitPrices), at('cost')],
    pricing: [pricingOf(unitPrices), at('cost')],
    tags: [nonEmpty(all), at(...CAN, 'status')],
    details: [nonEmpty(details), at(...LIMITS)],
    models: [isModelId(id) ? { [id]: capabilities } : undefined, ['.', ...at(...CAN, ...LIMITS)]],
    lastRelease: [released && isDay(released) ? released : undefined, at('release_date')],
  } satisfies Parameters<typeof stated>[1]
  return stated(documents.get(file) ?? {}, fields, others)
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
  const capabilities = {
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
  return Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== undefined))
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
  const text = read.text('knowledge')
  if (text === undefined) return undefined
  // The rest of a month or day is filled in to check it.
  if (KNOWLEDGE.test(text) && isDay(`${text}-01-01`.slice(0, 10))) return text
  read.wrong('knowledge', 'a year, month or day', text)
  return undefined
}
