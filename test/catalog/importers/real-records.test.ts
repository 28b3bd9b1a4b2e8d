import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IMPORTERS } from '../../../src/catalog/importers/all-importers.ts'
import { importLeftovers } from '../../../src/catalog/importers/leftovers.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importInto } from './import-world.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/catalog')
const KINDS = {
  'mcp-registry/seed.json': 'mcp-registry',
  'x402-partners': 'x402-partners',
  endoflife: 'retirement',
  models: 'models',
}

let temp: ReturnType<typeof tempFolder>
let folder: string
beforeEach(() => {
  temp = tempFolder()
  folder = temp.path
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

const importerOf = (name: string) => {
  const importer = IMPORTERS.find((it) => it.name === name)
  if (!importer) throw new Error(name)
  return importer
}
const imported = (path: keyof typeof KINDS, more = {}) =>
  importInto(folder, importerOf(KINDS[path]), { source: join(FIXTURES, path), ...more })

describe.each(Object.entries(KINDS))('%s', (path, name) => {
  test('a source is recognised by its importer', () => {
    const importer = IMPORTERS.find((it) => it.recognises(join(FIXTURES, path)))
    expect(importer?.name).toBe(name)
  })

  test('a source is imported once, and changes nothing when it is imported again', async () => {
    const once = await imported(path as keyof typeof KINDS, { stubs: true })
    expect(once.report.made.length).toBeGreaterThan(0)
    // Every statement of every record is shown by a source of it; the rest stays open.
    expect(importLeftovers(once.catalog)).toEqual([])
    const again = await imported(path as keyof typeof KINDS, { stubs: true })
    expect(again.files).toEqual([])
    expect(again.report.counts.conflicts).toBe(0)
  })
})

test('a server of the MCP registry says how it is started and who makes it', async () => {
  const { catalog, report } = await imported('mcp-registry/seed.json')
  const tool = catalog.tools.find((it) => it.slug === 'mcp-server-adfin')
  expect(tool).toMatchObject({
    ...{ kind: 'mcp', vendor: 'adfin-engineering', where: 'library' },
    registryName: 'io.github.adfin-engineering/mcp-server-adfin',
    packages: [{ registry: 'pypi', name: 'adfinmcp' }],
  })
  // The day on which the list was filled is no day of a release.
  expect(tool?.lastRelease).toBeUndefined()
  // Nothing shows that the file is that of the registry.
  expect(report.licences).toEqual([])
  expect(report.wrong).toContainEqual({
    ...{ file: join(FIXTURES, 'mcp-registry/seed.json'), record: '2' },
    ...{ field: 'packages[0].name', expected: 'the name of an npm package' },
    found: '"agentrpc/agentrpc"',
  })
  // An address of one's own machine is nobody's server.
  expect(catalog.tools.find((it) => it.slug === 'azure-mcp')?.remoteUrl).toBeUndefined()
})

test('a partner of x402 is what its list calls it, without a claim of more', async () => {
  const { catalog } = await imported('x402-partners')
  const run402 = catalog.tools.find((it) => it.slug === 'run402')
  expect(run402).toMatchObject({ kind: 'http-api', x402: { level: 'partial' } })
  const facilitator = catalog.tools.find((it) => it.slug === '0xarchive-facilitator')
  expect(facilitator).toMatchObject({
    remoteUrl: 'https://facilitator.0xarchive.io',
    details: [{ label: 'Networks', value: 'hyperevm, base' }, {}, {}],
  })
})

const NODE = `name: Node.js
vendor: example
kind: platform
category: messaging
summary: It runs programs.
auth: none
pricing: free
where: library
repo: https://github.com/nodejs/node
`
test('release cycles are dated changes of a tool that is there, and nothing of the others', async () => {
  writeCatalogFolder(folder, {
    'tools/nodejs.yaml': NODE,
    'changes/2026/twenty.yaml':
      'date: 2026-04-30\nkind: notice\ntool: nodejs\nwhat: The last.\nsource: https://nodejs.org\n',
  })
  const { catalog, report } = await imported('endoflife')
  expect(catalog.tools.map(({ slug }) => slug)).toEqual(['nodejs'])
  expect(readFileSync(join(folder, 'tools/nodejs.yaml'), 'utf8')).toBe(NODE)
  expect(catalog.changes.find(({ id }) => id === 'nodejs-22-end-of-life')).toMatchObject({
    ...{ date: '2027-04-30', kind: 'notice', tool: 'nodejs' },
    ...{
      what: 'Node.js 22 reaches the end of its life.',
      source: 'file:endoflife/nodejs.md',
    },
  })
  expect(report.skipped).toContainEqual({
    record: 'nodejs-20-end-of-life',
    why: 'the catalog has a change of that day already: twenty',
  })
  // What ended years ago is no news.
  expect(catalog.changes.every(({ date }) => date > '2025-11-21')).toBe(true)
})

test('release cycles make records only when somebody asks', async () => {
  expect((await imported('endoflife')).report.made).toEqual([])
  const { report } = await imported('endoflife', { stubs: true })
  expect(report.made.map(({ slug }) => slug)).toContain('nodejs')
})

test('a model has its prices, limits and what it can do', async () => {
  const { catalog } = await imported('models')
  expect(catalog.tools[0]).toMatchObject({
    ...{ slug: 'anthropic-claude-sonnet-5', kind: 'model', vendor: 'anthropic', pricing: 'usage' },
    ...{ auth: 'api-key', lastRelease: '2026-06-30' },
    tags: ['tool-calls', 'reasoning', 'attachments'],
  })
  expect(catalog.tools[0]?.unitPrices?.map(({ item, usd }) => [item, usd])).toEqual([
    ['input tokens', 2],
    ['output tokens', 10],
    ['cached input tokens', 0.2],
    ['tokens written to the cache', 2.5],
  ])
  expect(catalog.tools[0]?.details).toContainEqual({
    label: 'Context window',
    value: '1,000,000 tokens',
  })
})
