import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { MODELS_DEV } from '../../../src/catalog/importers/models/importer.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { detailOf } from '../snapshot-of.ts'
import { importInto, NOW } from './import-world.ts'
import { randomFrom } from './random-from.ts'

let temp: ReturnType<typeof tempFolder>
let folder: string
let data: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  data = join(temp.path, 'data')
  mkdirSync(folder)
  writeCatalogFolder(folder, {})
  file('acme/provider.toml', 'name = "Acme"\nenv = ["KEY"]\ndoc = "https://docs.acme.com"\n')
  file(
    'acme/models/big.toml',
    'name = "Big"\ntool_call = true\nreasoning = false\nopen_weights = false\nattachment = true\n' +
      'knowledge = "2026-01"\n[limit]\ncontext = 200_000\noutput = 64_000\n' +
      '[modalities]\ninput = ["text", "image"]\noutput = ["text"]\n',
  )
  file('acme/models/lab/small.toml', 'name = "Small"\nstructured_output = true\n')
  file('acme/models/silent.toml', 'name = "Silent"\n[limit]\ncontext = 0\n')
})
afterEach(() => temp[Symbol.dispose]())

function file(path: string, text: string) {
  mkdirSync(dirname(join(data, path)), { recursive: true })
  writeFileSync(join(data, path), text)
}
const API =
  'name: Acme\nvendor: acme\nkind: http-api\ncategory: messaging\nsummary: Its API.\nauth: api-key\npricing: unknown\nwhere: hosted\n'
const VENDOR = 'name: Acme\nurl: https://acme.com\ndomain: acme.com\n'
const big = {
  ...{ toolCalls: true, reasoning: false, attachments: true, openWeights: false },
  ...{ contextTokens: 200_000, outputTokens: 64_000, input: ['text', 'image'], output: ['text'] },
  knowledge: '2026-01',
}

test('each model has what its file says, and nothing that it does not say', async () => {
  const { catalog, report } = await importInto(folder, MODELS_DEV, { source: data })
  expect(report.wrong).toEqual([])
  expect(report.skipped).toEqual([])
  expect(report.counts.records).toBe(3)
  expect(Object.fromEntries(catalog.tools.map(({ slug, models }) => [slug, models]))).toEqual({
    'acme-big': { big },
    'acme-lab-small': { 'lab/small': { structuredOutput: true } },
    'acme-silent': { silent: {} },
  })
  const [tool] = catalog.tools
  if (!tool) throw new Error('not imported')
  const { input, output, ...flat } = big
  expect(detailOf(catalog, tool).live.models).toEqual({
    big: {
      ...{ ...flat, input: 'text, image', output: 'text', checkedAt: '2026-11-21' },
      source: 'file:data/acme/models/big.toml',
    },
  })
  expect((await importInto(folder, MODELS_DEV, { source: data })).files).toEqual([])
})

test('every statement of a record names its source', async () => {
  const deps = { now: NOW, progress: () => {}, fetch: () => Promise.reject(new Error('offline')) }
  for await (const item of MODELS_DEV.read(data, deps)) {
    if (!('tool' in item) || item.stub === 'quiet') continue
    expect(Object.keys(item.from.paths).sort()).toEqual(Object.keys(item.tool).sort())
  }
})

test('the record of the API of that name takes all models of a whole folder', async () => {
  writeCatalogFolder(folder, { 'tools/acme.yaml': API, 'vendors/acme.yaml': VENDOR })
  const { catalog } = await importInto(folder, MODELS_DEV, { source: data })
  const acme = catalog.tools.find(({ slug }) => slug === 'acme')
  expect(acme?.models).toEqual({ big, 'lab/small': { structuredOutput: true } })
  expect(acme?.sources).toMatchObject([{ facts: ['models'] }])
  expect(acme).toMatchObject({ name: 'Acme', summary: 'Its API.' })
  expect((await importInto(folder, MODELS_DEV, { source: data })).files).toEqual([])
  const part = join(data, 'acme/models/lab')
  expect((await importInto(folder, MODELS_DEV, { source: part })).files).toEqual([])
  const one = join(data, 'acme/models/big.toml')
  expect((await importInto(folder, MODELS_DEV, { source: one })).files).toEqual([])
})

test('of a stranger with that name, or of another kind, nothing is touched', async () => {
  const stranger = VENDOR.replaceAll('acme.com', 'other.com')
  writeCatalogFolder(folder, { 'tools/acme.yaml': API, 'vendors/acme.yaml': stranger })
  await importInto(folder, MODELS_DEV, { source: data })
  expect(readFileSync(join(folder, 'tools/acme.yaml'), 'utf8')).toBe(API)
  const platform = API.replace('http-api', 'platform')
  folder = join(temp.path, 'second')
  mkdirSync(folder)
  writeCatalogFolder(folder, { 'tools/acme.yaml': platform, 'vendors/acme.yaml': VENDOR })
  await importInto(folder, MODELS_DEV, { source: data })
  expect(readFileSync(join(folder, 'tools/acme.yaml'), 'utf8')).toBe(platform)
})

test('what a person wrote of a model stays, and is told as a conflict', async () => {
  await importInto(folder, MODELS_DEV, { source: data })
  const path = join(folder, 'tools/acme-big.yaml')
  const edited = readFileSync(path, 'utf8').replace('reasoning: false', 'reasoning: true')
  writeFileSync(path, edited)
  const { report } = await importInto(folder, MODELS_DEV, { source: data })
  expect(report.conflicts).toMatchObject([{ path: 'tools/acme-big.yaml', field: 'models' }])
  expect(readFileSync(path, 'utf8')).toBe(edited)
})

test('values of other kinds are named once and left out', async () => {
  file(
    'acme/models/odd.toml',
    'name = "Odd"\ntool_call = "yes"\nknowledge = "soon"\nreasoning = true\n' +
      '[modalities]\ninput = ["<b>", "text"]\n[limit]\ncontext = 1.5\noutput = -3\n',
  )
  const { catalog, report } = await importInto(folder, MODELS_DEV, { source: data })
  expect(catalog.tools.find(({ slug }) => slug === 'acme-odd')?.models).toEqual({
    odd: { reasoning: true, input: ['text'] },
  })
  expect(report.wrong.map(({ field }) => field).sort()).toEqual(['knowledge', 'tool_call'])
})

test('the recorded model says what its file says', async () => {
  const source = join(import.meta.dir, '../../fixtures/catalog/models')
  const { catalog } = await importInto(folder, MODELS_DEV, { source })
  const fields = parse(
    readFileSync(join(source, 'anthropic/models/claude-sonnet-5.toml'), 'utf8'),
  ) as Record<string, Record<string, unknown>>
  expect(catalog.tools[0]?.models?.['claude-sonnet-5'] as object).toEqual({
    ...{ toolCalls: fields.tool_call, reasoning: fields.reasoning, attachments: fields.attachment },
    ...{ openWeights: fields.open_weights, knowledge: fields.knowledge },
    ...{ contextTokens: fields.limit?.context, outputTokens: fields.limit?.output },
    ...{ input: fields.modalities?.input, output: fields.modalities?.output },
  })
})

const COST = '[cost]\ninput = 3\noutput = 9\n'

const names = (tools: ReadonlyArray<{ slug: string; vendor?: string }>) =>
  tools.map(({ slug, vendor }) => `${slug} of ${vendor}`)

test('the maker of a model has the plain slug, whoever comes first in the alphabet', async () => {
  for (const provider of ['abacus', 'zeta']) {
    file(
      `all/providers/${provider}/provider.toml`,
      `name = "${provider}"\ndoc = "https://docs.zeta.com/${provider}"\n`,
    )
    file(`all/providers/${provider}/models/owl-1.toml`, `name = "Owl"\n${COST}`)
  }
  file('all/models/zeta/owl-1.toml', 'name = "Owl"\n')
  const { catalog, report } = await importInto(folder, MODELS_DEV, {
    source: join(data, 'all/providers'),
  })
  expect(names(catalog.tools)).toEqual(['abacus-owl-1 of abacus', 'owl-1 of zeta'])
  expect(report.conflicts).toEqual([])
})

test('a stranger of the same id keeps its vendor', async () => {
  const stranger = VENDOR.replaceAll('acme.com', 'other.com')
  writeCatalogFolder(folder, { 'tools/acme.yaml': API, 'vendors/acme.yaml': stranger })
  const { catalog } = await importInto(folder, MODELS_DEV, { source: data })
  expect(catalog.tools.find(({ slug }) => slug === 'acme-big')?.vendor).toBe('acme-com')
})

const one = async (path: string) => {
  const { catalog, report } = await importInto(folder, MODELS_DEV, {
    source: join(data, 'all/providers'),
  })
  return { tool: catalog.tools.find(({ slug }) => slug === path), report }
}
const provider = (more = '') =>
  file(
    'all/providers/p/provider.toml',
    `name = "P"\nenv = ["K"]\ndoc = "https://docs.p.com"\n${more}`,
  )

test('a file of models.dev whose tokens cost nothing is not said to be free, nor to be hosted', async () => {
  provider('api = "http://127.0.0.1:1234/v1"\n')
  file('all/providers/p/models/plan.toml', 'name = "Plan"\n[cost]\ninput = 0\noutput = 0\n')
  const { tool } = await one('p-plan')
  expect(tool).toMatchObject({ pricing: 'unknown', where: 'unknown' })
  expect(tool).not.toHaveProperty('transports')
  expect(tool?.unitPrices?.map(({ usd }) => usd)).toEqual([0, 0])
})

test('a file of models.dev with a base has what the base says, except what it leaves out', async () => {
  provider()
  file(
    'all/models/lab/owl.toml',
    'name = "Owl"\ntool_call = true\n[limit]\ncontext = 10\noutput = 5\n',
  )
  file(
    'all/providers/p/models/owl.toml',
    `base_model = "lab/owl"\nbase_model_omit = ["limit.output"]\n${COST}`,
  )
  file('all/providers/p/models/lost.toml', `base_model = "lab/none"\n${COST}`)
  const { tool, report } = await one('p-owl')
  expect(tool).toMatchObject({
    name: 'Owl',
    models: { owl: { toolCalls: true, contextTokens: 10 } },
  })
  expect(tool?.models?.owl).not.toHaveProperty('outputTokens')
  expect(report.wrong).toMatchObject([{ record: 'p/lost', field: 'base_model' }])
})

test('a file of models.dev with prices for long contexts keeps them, and the cached ones', async () => {
  provider()
  const tiers =
    'cache_read = 0.3\ncache_input = 0.2\n[[cost.tiers]]\ntier = { size = 200_000 }\ninput = 6\n'
  file('all/providers/p/models/tiered.toml', `name = "Tiered"\n${COST}${tiers}`)
  file('all/providers/p/models/odd.toml', `name = "Odd"\n${COST}stamps = 2\n`)
  const { tool, report } = await one('p-tiered')
  expect(tool?.unitPrices?.map(({ item, usd, note }) => [item, usd, note])).toEqual([
    ['input tokens', 3, undefined],
    ['output tokens', 9, undefined],
    ['cached input tokens', 0.3, undefined],
    ['cached input tokens', 0.2, undefined],
    ['input tokens', 6, 'For more than 200,000 tokens of context.'],
  ])
  expect(report.wrong.map(({ field }) => field)).toEqual(['cost.stamps'])
})

test('a file of models.dev that is a link, or the copy of one, is followed only inside the collection', async () => {
  provider()
  file('all/providers/q/provider.toml', 'name = "Q"\ndoc = "https://docs.q.com"\n')
  file('all/providers/q/models/owl.toml', `name = "Owl"\n${COST}`)
  file('outside.toml', 'name = "Outside"\n')
  file('all/providers/p/models/copy.toml', '../../q/models/owl.toml')
  file('all/providers/p/models/far.toml', '../../../../outside.toml')
  symlinkSync('../../q/models/owl.toml', join(data, 'all/providers/p/models/link.toml'))
  symlinkSync('../../../../outside.toml', join(data, 'all/providers/p/models/away.toml'))
  symlinkSync('../../q/models/none.toml', join(data, 'all/providers/p/models/gone.toml'))
  const { catalog, report } = await importInto(folder, MODELS_DEV, {
    source: join(data, 'all/providers'),
  })
  expect(catalog.tools.map(({ slug, name }) => `${slug} ${name}`)).toEqual([
    ...['p-copy Owl', 'p-link Owl', 'q-owl Owl'],
  ])
  expect(
    report.wrong.map(({ record, found: value }) => `${record} ${value}`.slice(0, 30)).sort(),
  ).toEqual([
    'p/away a link that leads out o',
    expect.stringMatching(/^p\/far /),
    'p/gone a link that leads nowhe',
  ])
})

test('a file of models.dev is refused with the path to use when the folder is the root of the clone', async () => {
  provider()
  file('all/models/lab/owl.toml', 'name = "Owl"\n')
  const root = join(data, 'all')
  await expect(importInto(folder, MODELS_DEV, { source: root })).rejects.toThrow(
    `import ${join(root, 'providers')}`,
  )
})

test('n models in, n records out, in whatever order they lie', async () => {
  const random = randomFrom(11)
  const parts = ['owl', 'Owl', '1', '-', '.', '+', '@', '/x', 'é', '_', ':free']
  const written = new Map<string, string>()
  for (const maker of ['alpha', 'beta']) {
    for (let i = 0; i < 5; i++) file(`all/models/${maker}/owl-${i}.toml`, `name = "Owl ${i}"\n`)
  }
  for (const name of ['alpha', 'alpha-plan', 'beta', 'zeta']) {
    written.set(`${name}/provider`, `name = "${name}"\ndoc = "https://docs.alpha.com/${name}"\n`)
    for (let i = 0; i < 30; i++) {
      const id =
        i < 5
          ? `owl-${i}`
          : Array.from({ length: 1 + random.below(4) }, () => random.of(parts))
              .join('')
              .replaceAll(/(^|\/)[./]/g, '$1d')
      const price = random.of([0, 1, 2.5])
      written.set(
        `${name}/models/${id}`,
        `name = "Owl"\n[cost]\ninput = ${price}\noutput = ${price}\n`,
      )
    }
  }
  const runs: string[][] = []
  for (const paths of [[...written.keys()], random.shuffled([...written.keys()])]) {
    const root = join(data, `run-${runs.length}`)
    folder = join(temp.path, `catalog-${runs.length}`)
    mkdirSync(folder)
    writeCatalogFolder(folder, {})
    cpSync(join(data, 'all/models'), join(root, 'models'), { recursive: true })
    for (const path of paths) {
      const target = join(root, 'providers', `${path}.toml`)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, written.get(path) as string)
    }
    const { catalog, report } = await importInto(folder, MODELS_DEV, {
      source: join(root, 'providers'),
    })
    expect(report.conflicts).toEqual([])
    expect(report.wrong).toEqual([])
    expect(report.skipped).toEqual([])
    expect(catalog.tools).toHaveLength(written.size - 4)
    expect(catalog.tools.filter(({ pricing }) => pricing === 'free')).toEqual([])
    runs.push(
      catalog.tools.map(
        ({ slug, vendor, models }) => `${slug} ${vendor} ${Object.keys(models ?? {})}`,
      ),
    )
  }
  expect(runs[1]).toEqual(runs[0] as string[])
  expect(runs[0]?.filter((it) => /^owl-[0-4] alpha /.test(it))).toHaveLength(5)
})
