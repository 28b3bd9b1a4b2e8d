import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OTHER_CATALOG } from '../../../src/catalog/importers/other-catalog/importer.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importInto } from './import-world.ts'

let temp: ReturnType<typeof tempFolder>
let folder: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

const RECORD = {
  ...{ slug: 'mailer', name: 'Mailer', vendor: 'Acme', vendorUrl: 'https://acme.com' },
  ...{ kind: 'http-api', category: 'messaging', area: 'communication', summary: 'It mails.' },
  jsonUrl: 'https://other.com/api/v1/tools/mailer.json',
  url: 'https://other.com/tools/mailer',
  ...{ docsUrl: 'https://acme.com/docs', license: '', transports: ['http'], packages: [] },
  ...{ auth: 'api-key', authNotes: '', pricing: 'usage', pricingNotes: '', where: 'hosted' },
  x402: {
    level: 'yes',
    endpoints: [{ url: 'https://acme.com/send', priceUsd: 0.01, network: 'eip155:8453' }],
  },
  ...{ toolCount: null, capabilities: ['email.send'], tags: ['email'] },
  unitPrices: [{ item: 'email', unit: '1 email', usd: 0.01 }],
  graded: true,
  catalog: { graded: true, grade: 'AA', score: 99, strengths: ['the best'], verdict: 'Use it.' },
  live: { slug: 'mailer' },
}
const LISTING = {
  ...{ count: 1, graded: 1, notGraded: 0 },
  meta: { license: 'CC-BY-4.0', attribution: 'Data: the other catalog', methodology: '1.0' },
  tools: [RECORD] as unknown[],
}

// The file that is opened; what the records in it say of their addresses is their word.
const OPENED = 'file:site/api/v1/tools.json'

function exported(listing: unknown): string {
  const site = join(temp.path, 'site')
  mkdirSync(join(site, 'api/v1'), { recursive: true })
  writeFileSync(join(site, 'api/v1/tools.json'), JSON.stringify(listing))
  return site
}

test('an exported folder brings facts with their credit line, and no grade', async () => {
  const source = exported(LISTING)
  expect(OTHER_CATALOG.recognises(source)).toBe(true)
  const { catalog, report } = await importInto(folder, OTHER_CATALOG, { source })
  expect(catalog.tools[0]).toMatchObject({
    ...{ slug: 'mailer', vendor: 'acme', category: 'messaging', auth: 'api-key' },
    x402: { level: 'yes', source: OPENED, endpoints: [{ priceUsd: 0.01 }] },
    unitPrices: [{ usd: 0.01, source: OPENED }],
    sources: [{ url: OPENED, paths: { name: 'tools[0].name' }, credit: 'Data: the other catalog' }],
  })
  const text = readFileSync(join(folder, 'tools/mailer.yaml'), 'utf8')
  for (const word of ['AA', '99', 'the best', 'Use it']) expect(text).not.toContain(word)
  expect(report.licences).toEqual(['CC-BY-4.0: Data: the other catalog'])
  expect((await importInto(folder, OTHER_CATALOG, { source })).files).toEqual([])
})

test('the address of a catalog leads to its listing', async () => {
  const paths: string[] = []
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      paths.push(new URL(request.url).pathname)
      return Response.json(LISTING)
    },
  })
  const source = `http://127.0.0.1:${server.port}`
  expect((await importInto(folder, OTHER_CATALOG, { source })).report.made).toHaveLength(1)
  expect(paths).toEqual(['/api/v1/tools.json'])
})

test('records that say nonsense are named, and the others come', async () => {
  const tools = [
    7,
    { ...RECORD, slug: 5 },
    {
      ...RECORD,
      slug: 'odd',
      jsonUrl: 'https://other.com/odd',
      transports: 'http',
      unitPrices: [1],
    },
  ]
  const source = exported({ ...LISTING, tools })
  const { catalog, report } = await importInto(folder, OTHER_CATALOG, { source })
  expect(catalog.tools.map(({ slug }) => slug)).toEqual(['odd'])
  expect(report.wrong.map(({ record, field }) => `${record} ${field}`)).toEqual(
    expect.arrayContaining(['1 ', '2 slug', 'odd transports', 'odd unitPrices']),
  )
})

test('what is no listing is refused', async () => {
  const source = exported({ tools: {} })
  await expect(importInto(folder, OTHER_CATALOG, { source })).rejects.toThrow('has no list "tools"')
})
