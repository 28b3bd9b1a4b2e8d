import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { recordContext, toToolDetail } from '../../../src/catalog/authoring/to-tool-record.ts'
import { MODELS_DEV } from '../../../src/catalog/importers/models/importer.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importInto, NOW } from './import-world.ts'

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
    'acme-small': { 'lab/small': { structuredOutput: true } },
    big: { big },
    silent: undefined,
  })
  const [, tool] = catalog.tools
  if (!tool) throw new Error('not imported')
  const { input, output, ...flat } = big
  expect(toToolDetail(tool, recordContext(catalog, 'https://c.example')).live.models).toEqual({
    big: {
      ...{ ...flat, input: 'text, image', output: 'text', checkedAt: '2026-11-21' },
      source: 'https://github.com/anomalyco/models.dev/blob/HEAD/providers/acme/models/big.toml',
    },
  })
  expect((await importInto(folder, MODELS_DEV, { source: data })).files).toEqual([])
})

test('every statement of a record names its source', async () => {
  const deps = { now: NOW, progress: () => {}, fetch: () => Promise.reject(new Error('offline')) }
  for await (const item of MODELS_DEV.read(data, deps)) {
    if (!('tool' in item) || item.stub === 'quiet') continue
    const stated = Object.keys(item.tool).filter((field) => field !== 'summary')
    expect(item.from.facts.toSorted()).toEqual(stated.toSorted())
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
  const path = join(folder, 'tools/big.yaml')
  const edited = readFileSync(path, 'utf8').replace('reasoning: false', 'reasoning: true')
  writeFileSync(path, edited)
  const { report } = await importInto(folder, MODELS_DEV, { source: data })
  expect(report.conflicts).toMatchObject([{ path: 'tools/big.yaml', field: 'models' }])
  expect(readFileSync(path, 'utf8')).toBe(edited)
})

test('values of other kinds are named once and left out', async () => {
  file(
    'acme/models/odd.toml',
    'name = "Odd"\ntool_call = "yes"\nknowledge = "soon"\nreasoning = true\n' +
      '[modalities]\ninput = ["<b>", "text"]\n[limit]\ncontext = 1.5\noutput = -3\n',
  )
  const { catalog, report } = await importInto(folder, MODELS_DEV, { source: data })
  expect(catalog.tools.find(({ slug }) => slug === 'odd')?.models).toEqual({
    odd: { reasoning: true, input: ['text'] },
  })
  expect(report.wrong.map(({ field }) => field).sort()).toEqual(['knowledge', 'tool_call'])
})

test('the recorded model says what its file says', async () => {
  const source = join(import.meta.dir, '../../fixtures/catalog/models')
  const { catalog } = await importInto(folder, MODELS_DEV, { source })
  const said = parse(
    readFileSync(join(source, 'anthropic/models/claude-sonnet-5.toml'), 'utf8'),
  ) as Record<string, Record<string, unknown>>
  expect(catalog.tools[0]?.models?.['claude-sonnet-5'] as object).toEqual({
    ...{ toolCalls: said.tool_call, reasoning: said.reasoning, attachments: said.attachment },
    ...{ openWeights: said.open_weights, knowledge: said.knowledge },
    ...{ contextTokens: said.limit?.context, outputTokens: said.limit?.output },
    ...{ input: said.modalities?.input, output: said.modalities?.output },
  })
})
