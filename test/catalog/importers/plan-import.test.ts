import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedRecord } from '../../../src/catalog/importers/importer.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importerNamed, importerOf, importInto, record } from './import-world.ts'

const CURATED = `# Looked at by Ada.
name:   "Exact"   # as they write it
vendor: example
kind: http-api
category: messaging

summary: A sentence of the curator.
auth: unknown
pricing: free
where: hosted
homepage: https://exact.example
repo: https://github.com/ada/exact
transports: [http] # no more than that
# where it was read
sources:
  - url: https://exact.example/docs
    read: 2026-11-01
    facts: [name, pricing]
`

let temp: ReturnType<typeof tempFolder>
let folder: string
beforeEach(() => {
  temp = tempFolder()
  folder = temp.path
  writeCatalogFolder(folder, { 'tools/exact.yaml': CURATED })
})

afterEach(() => temp[Symbol.dispose]())

const text = (path: string) => readFileSync(join(folder, path), 'utf8')

test('a record that the catalog lacks becomes a file without a grade that says where each fact was read', async () => {
  const { report, catalog } = await importInto(folder, importerOf(record('new')))
  expect(report.made).toEqual([{ slug: 'new', name: 'new', from: 'https://list.example/new' }])
  expect(text('tools/new.yaml')).toStartWith('# yaml-language-server: $schema=../schemas/tool')
  const tool = catalog.tools.find(({ slug }) => slug === 'new')
  expect(tool).toMatchObject({ category: 'unsorted', auth: 'unknown', pricing: 'unknown' })
  expect(tool?.sources?.[0]).toMatchObject({
    url: 'https://list.example/new',
    facts: ['name', 'summary', 'homepage', 'repo'],
  })
  expect(tool?.scores).toBeUndefined()
  expect(catalog.vendors.find(({ id }) => id === 'new')?.url).toBe('https://new.example')
})

test('a record that the catalog lacks never brings a score, an opinion or a review', async () => {
  const opinions = {
    scores: { security: { score: 10, reason: 'we are good' } },
    strengths: ['we are good'],
    assessment: { confidence: 'high', date: '2026-11-01' },
    negatives: [],
  }
  const item = record('new', opinions as Partial<ImportedRecord['tool']>)
  const { catalog } = await importInto(folder, importerOf(item))
  const tool = catalog.tools.find(({ slug }) => slug === 'new')
  for (const field of Object.keys(opinions)) expect(tool).not.toHaveProperty(field)
})

test('a record that the catalog lacks is made only when asked, where the importer says so', async () => {
  const item = { ...record('new'), stub: 'asked' as const }
  expect((await importInto(folder, importerOf(item))).report.made).toEqual([])
  expect((await importInto(folder, importerOf(item), { stubs: true })).report.made).toHaveLength(1)
})

test('the same import twice changes nothing, even days later', async () => {
  const importer = importerOf(record('new'), record('exact', { license: 'MIT' }))
  await importInto(folder, importer)
  const before = text('tools/new.yaml') + text('tools/exact.yaml')
  const { report, files } = await importInto(folder, importer, { now: Date.now() + 864e5 })
  expect(files).toEqual([])
  expect(report.counts).toMatchObject({ made: 0, changed: 0, same: 2 })
  expect(text('tools/new.yaml') + text('tools/exact.yaml')).toBe(before)
})

test('a record that a curator wrote gets what it lacks; every other sign of the file stays', async () => {
  const item = record('exact', {
    license: 'MIT',
    auth: 'api-key',
    name: 'Exact',
    summary: 'Ours',
  })
  const { report } = await importInto(folder, importerOf(item))
  expect(report.changed[0]?.fields.map(({ field }) => field).sort()).toEqual(['auth', 'license'])
  const after = text('tools/exact.yaml')
  const head = CURATED.replace('auth: unknown', 'auth: api-key').split('# where')[0] as string
  expect(after).toStartWith(head)
  expect(after).toContain('license: MIT\n# where it was read\nsources:\n')
  expect(after).toContain('facts: [name, pricing]')
  expect(after).toContain(
    '  - url: https://list.example/exact\n    id: of-a-test:exact\n    read: 2026-11-21\n',
  )
})

test('a record that a curator wrote keeps its own values; both are in the report with their sources', async () => {
  const item = record('exact', { name: 'EXACT Inc', pricing: 'usage' })
  const { report } = await importInto(folder, importerOf(item))
  expect(text('tools/exact.yaml')).toBe(CURATED)
  expect(report.conflicts).toContainEqual({
    ...{ path: 'tools/exact.yaml', field: 'pricing', curated: 'free', imported: 'usage' },
    curatedSources: ['https://exact.example/docs'],
    importedSource: 'https://list.example/exact',
  })
})

test('a record that a curator wrote is left alone with newOnly', async () => {
  const importer = importerOf(record('exact', { license: 'MIT' }), record('new'))
  const { report } = await importInto(folder, importer, { newOnly: true })
  expect(report.counts).toMatchObject({ made: 1, changed: 0, kept: 1 })
  expect(text('tools/exact.yaml')).toBe(CURATED)
})

test('a value that was imported is renewed when the source says something else', async () => {
  await importInto(folder, importerOf(record('new', { license: 'MIT' })))
  await importInto(folder, importerOf(record('new', { license: 'Apache-2.0' })))
  expect(text('tools/new.yaml')).toContain('license: Apache-2.0')
})

test('a value that was imported belongs to the curator once it was edited', async () => {
  await importInto(folder, importerOf(record('new', { license: 'MIT' })))
  const edited = text('tools/new.yaml').replace('license: MIT', 'license: BSD-3-Clause')
  writeFileSync(join(folder, 'tools/new.yaml'), edited)
  const { report } = await importInto(folder, importerOf(record('new', { license: 'Zlib' })))
  expect(text('tools/new.yaml')).toBe(edited)
  expect(report.conflicts).toMatchObject([{ field: 'license', curated: 'BSD-3-Clause' }])
})

test('a value that was imported is not renewed by another source', async () => {
  await importInto(folder, importerOf(record('new', { license: 'MIT' })))
  const other = record('new', { license: 'Zlib' })
  other.from.url = 'https://other.example/new'
  other.from.id = 'other'
  const { report } = await importInto(folder, importerNamed('of-another', other))
  expect(report.conflicts).toMatchObject([{ field: 'license', curated: 'MIT' }])
  expect(text('tools/new.yaml')).toContain('license: MIT')
})

test('slugs that are taken get the vendor behind them, in whatever order the source has them', async () => {
  const one = record('exact', {
    homepage: 'https://one.example',
    repo: 'https://github.com/one/x',
  })
  const two = record('exact', {
    homepage: 'https://two.example',
    repo: 'https://github.com/two/x',
  })
  two.from.id += '-2'
  const first = await importInto(folder, importerOf(two, one), { dry: true })
  const second = await importInto(folder, importerOf(one, two), { dry: true })
  expect(first.report.made.map(({ slug }) => slug)).toEqual(['exact-one', 'exact-two'])
  expect(second.report.made).toEqual(first.report.made)
})

test('slugs of removed records are never used again', async () => {
  const removed = '- slug: gone\n  date: 2026-01-01\n  reason: It ended.\n'
  writeFileSync(join(folder, 'removed.yaml'), removed)
  const { report } = await importInto(folder, importerOf(record('gone')))
  expect(report.made).toEqual([])
  expect(report.skipped[0]?.why).toContain('never used again')
})

test('slugs of renamed records lead to where the record is now', async () => {
  const removed = '- slug: old\n  date: 2026-01-01\n  reason: Renamed.\n  renamedTo: exact\n'
  writeFileSync(join(folder, 'removed.yaml'), removed)
  const repo = 'https://github.com/ada/exact'
  await importInto(folder, importerOf(record('old', { license: 'MIT', repo })))
  expect(text('tools/exact.yaml')).toContain('license: MIT')
})
