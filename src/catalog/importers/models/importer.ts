import { basename, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { fieldReader, isObject } from '../fields.ts'
import { type ImportDeps, type Importer, type Item, type ToolFacts, utcDay } from '../importer.ts'
import { firstFile, listFiles } from '../list-files.ts'
import { isUrl } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'
import { vendorOf } from '../vendor-of.ts'
import { modelFacts } from './model-facts.ts'
import { type Provider, providerOf, tomlOf } from './provider.ts'

const HOME = 'https://github.com/anomalyco/models.dev/blob/HEAD/providers'
const TREE = 'https://github.com/anomalyco/models.dev/tree/HEAD/providers'
// What fits into a file beside everything else.
const PROVIDER_MODELS_MAX = 100
const LICENCE = 'models.dev: MIT'

type Served = { by: Provider; models: NonNullable<ToolFacts['models']> }

/** Models and their prices as models.dev keeps them: `VENDOR/models/…toml`, `VENDOR/provider.toml`. */
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
    // A folder of that name may hold the folders of the vendors.
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
    // Part of a folder does not say what the provider serves.
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
  // Whoever serves the model of somebody else is named before it.
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
