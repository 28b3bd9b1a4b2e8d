import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IMPORTERS } from '../../../src/catalog/importers/all-importers.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importerOf, importInto, record } from './import-world.ts'

let temp: ReturnType<typeof tempFolder>
let folder: string
let source: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  source = join(temp.path, 'source')
  mkdirSync(source)
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

function from(kind: string, path = source) {
  const importer = IMPORTERS.find(({ name }) => name === kind)
  if (!importer) throw new Error(kind)
  return importInto(folder, importer, { source: path, stubs: true })
}

function file(name: string, text: string): string {
  writeFileSync(join(source, name), text)
  return join(source, name)
}

test('a file larger than can be meant is refused before it is read', async () => {
  const path = file('list.json', '[')
  truncateSync(path, 65 * 1024 * 1024)
  for (const kind of ['mcp-registry', 'x402-discovery', 'catalog']) {
    await expect(from(kind, path)).rejects.toThrow('more than 64 MiB')
  }
})

test('JSON that nests without end is refused', async () => {
  const path = file('list.json', '['.repeat(1_000_000))
  await expect(from('mcp-registry', path)).rejects.toThrow('nests deeper than 64 levels')
})

test('YAML that would grow without end is named and left out; the other files come', async () => {
  const bomb = Array.from({ length: 20 }, (_, i) => {
    return `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`
  })
  file('bomb.md', `---\na0: &a0 [x]\n${bomb.join('\n')}\ntitle: Bomb\nreleases: []\n---\n`)
  file('endless.md', `---\ntitle: ${'x'.repeat(300_000)}\n---\n`)
  file('none.md', 'no front')
  file('wrong.md', '---\ntitle: [1]\nreleases: {a: 1}\n---\n')
  const good = 'title: Good\nauto: {methods: [git: https://github.com/good/good]}\n'
  const cycles =
    'releases:\n  - {releaseCycle: "1", eol: 2027-01-01}\n  - {releaseCycle: 2, eol: soon}\n'
  file('good.md', `---\n${good}${cycles}  - 3\n---\n`)
  const { catalog, report } = await from('retirement')
  expect(catalog.tools.map(({ slug }) => slug)).toEqual(['good'])
  expect(catalog.changes.map(({ id }) => id)).toEqual(['good-1-end-of-life'])
  const problems = report.wrong.map(({ record, field }) => `${record} ${field}`)
  expect(problems).toEqual(
    expect.arrayContaining([
      ...['endless ', 'none ', 'wrong title', 'wrong releases'],
      ...['good releases[1].eol', 'good releases[2]'],
    ]),
  )
  expect(problems.some((it) => it.startsWith('bomb '))).toBe(true)
})

test('TOML with values of other kinds is named field by field', async () => {
  mkdirSync(join(source, 'acme/models'), { recursive: true })
  file('acme/provider.toml', 'name = "Acme"\nenv = ["KEY"]\ndoc = "https://docs.acme.com"\n')
  file('acme/models/broken.toml', 'name = ')
  file(
    'acme/models/odd.toml',
    'name = 5\n[cost]\ninput = -1\noutput = "free"\n[limit]\ncontext = 1.5\n',
  )
  const { catalog, report } = await from('models')
  expect(catalog.tools).toMatchObject([{ slug: 'acme-odd', name: 'odd', pricing: 'unknown' }])
  expect(report.wrong.map(({ record, field }) => `${record} ${field}`).sort()).toEqual([
    ...['acme/broken ', 'acme/odd cost.input', 'acme/odd cost.output', 'acme/odd name'],
  ])
})

test('whatever a text holds, the folder stays in order', async () => {
  const items = MARKUP.map((text, i) => record(`t${i}`, { summary: text, tags: [text, 'ok'] }))
  const { catalog } = await importInto(folder, importerOf(...items))
  expect(catalog.tools).toHaveLength(items.length)
})

test('names that no file can have become slugs or are passed over', async () => {
  const names = ['../../etc/passwd', 'CON', '—', 'Ä Ö', 'a'.repeat(500), '__proto__', '.hidden']
  const items = names.map((name, i) => {
    const item = record(name, { homepage: `https://v${i}.com` })
    item.from.url = `https://list.example/${i}`
    return item
  })
  const { report } = await importInto(folder, importerOf(...items))
  expect(report.made.map(({ slug }) => slug)).toEqual([
    ...['etc-passwd', 'hidden', 'con', 'proto', 'a'.repeat(64), 'a-o'],
  ])
})

test('what cannot be made text, and words of the prototype, are no words', async () => {
  const odd = { toString: 1, valueOf: null }
  const server = {
    ...{ name: 'io.github.a/b', description: 'It does.', status: odd },
    version_detail: { version: odd, is_latest: true },
    packages: [
      { registry_name: odd, name: 'x' },
      { registry_name: 'constructor', name: 'y', transport: '__proto__' },
      { registry_name: 'npm', name: 'z', transport: { type: odd } },
    ],
  }
  const servers = await from('mcp-registry', file('servers.json', JSON.stringify([server])))
  expect(servers.catalog.tools[0]?.packages).toEqual([{ registry: 'npm', name: 'z' }])
  const info = { title: 'An API', version: '1', 'x-providerName': odd }
  const api = { openapi: '3.0.0', info, servers: [{ url: 'https://api.example' }], paths: {} }
  await from('openapi', file('openapi.json', JSON.stringify(api)))
  file(
    'odd.md',
    '---\ntitle: Odd\nreleases:\n  - {releaseCycle: {toString: 1}, eol: 2027-01-01}\n---\n',
  )
  expect((await from('retirement')).report.wrong).not.toEqual([])
})

test.each(['https://', 'https://12:x/tools.json', 'http://[/'])(
  '%s is the source of nobody',
  (source) => {
    expect(IMPORTERS.filter((importer) => importer.recognises(source))).toEqual([])
  },
)

test('fields of another catalog that are none are told of, and the record comes', async () => {
  const address = 'https://catalog.example.com/api/v1/tools/a-tool.json'
  const tool = {
    slug: 'a-tool',
    name: 'A tool',
    summary: 'It sends.',
    jsonUrl: address,
    tags: ['x'],
  }
  const who = { vendor: 'A vendor', vendorUrl: 'https://vendor.example.com' }
  const odd = { packages: { toString: 1 }, registryName: 7, repo: {}, capabilities: 'x' }
  const meta = { license: 'CC-BY-4.0' }
  const listing = { notGraded: 1, meta, tools: [{ ...tool, ...who, ...odd }] }
  const { catalog, report } = await from('catalog', file('tools.json', JSON.stringify(listing)))
  expect(catalog.tools.map(({ slug }) => slug)).toEqual(['a-tool'])
  expect(report.wrong.map(({ field }) => field)).toContain('packages')
})
