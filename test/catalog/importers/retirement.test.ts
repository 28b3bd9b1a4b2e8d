import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RETIREMENT } from '../../../src/catalog/importers/retirement/importer.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importInto } from './import-world.ts'
import { randomFrom } from './random-from.ts'

let temp: ReturnType<typeof tempFolder>
let folder: string
let data: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  data = join(temp.path, 'products')
  mkdirSync(folder)
  mkdirSync(data)
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

type Cycle = { releaseCycle: string; [field: string]: unknown }

function product(id: string, releases: readonly Cycle[], more = '', body = '') {
  const front = `title: ${id}\npermalink: /${id}\n${more}releases: ${JSON.stringify(releases)}\n`
  writeFileSync(join(data, `${id}.md`), `---\n${front}---\n\n${body}\n`)
}

const imported = () => importInto(folder, RETIREMENT, { source: data, stubs: true })

test('the end of one release is not the end of the product', async () => {
  product('phone', [
    { releaseCycle: '6', discontinued: false, eol: '2033-06-25' },
    { releaseCycle: '5', discontinued: '2026-01-12', eol: '2031-09-14' },
  ])
  const { catalog } = await imported()
  expect(catalog.changes.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    'phone-5-discontinued notice',
    'phone-5-end-of-life notice',
    'phone-6-end-of-life notice',
  ])
  expect(catalog.changes.map(({ endsPart }) => endsPart)).toEqual(['phone 5', 'phone 5', 'phone 6'])
})

test('the description is that of the product, where its page has one', async () => {
  product('phone', [], '', '> [Phone](https://phone.dev) is a telephone that can be repaired.')
  product('silent', [])
  const { catalog } = await imported()
  expect(catalog.tools.map(({ summary }) => summary)).toEqual([
    'Phone is a telephone that can be repaired.',
    'No source describes it yet.',
  ])
})

test('a stranger of the same slug gets no date', async () => {
  const tool =
    'name: Redis\nkind: mcp\ncategory: messaging\nsummary: A server of a stranger.\nauth: none\npricing: free\nwhere: library\n'
  writeCatalogFolder(folder, { 'tools/redis.yaml': `${tool}repo: https://github.com/ada/redis\n` })
  product('redis', [{ releaseCycle: '8', eol: '2027-01-01' }])
  const { catalog } = await imported()
  expect(catalog.changes.map(({ tool }) => tool)).not.toContain('redis')
})

test('n dates in, n changes out, whatever signs the names of releases have', async () => {
  const random = randomFrom(7)
  const parts = [
    '1',
    '2',
    '10',
    'a',
    'A11',
    's26',
    '-',
    '.',
    '+',
    '++',
    ' ',
    '_',
    '/',
    '(',
    'é',
    '日',
  ]
  for (let i = 0; i < 40; i++) {
    const names = new Set<string>()
    while (names.size < 12) {
      const length = random.below(20) === 0 ? 60 : 1 + random.below(4)
      const name = Array.from({ length }, () => random.of(parts))
        .join('')
        .trim()
      if (name !== '') names.add(name)
    }
    product(
      `product-${i}`,
      [...names].map((releaseCycle, day) => ({
        releaseCycle,
        eol: `2027-01-${String(10 + day)}`,
        ...(random.below(2) ? { discontinued: `2027-02-${10 + day}` } : { discontinued: true }),
      })),
    )
  }
  const { catalog, report } = await imported()
  let dates = 0
  for (const { id } of catalog.changes) expect(id.length).toBeLessThanOrEqual(64)
  for (let i = 0; i < 40; i++) {
    const text = await Bun.file(join(data, `product-${i}.md`)).text()
    dates += text.match(/"2027-/g)?.length ?? 0
  }
  expect(catalog.changes).toHaveLength(dates)
  expect(report.conflicts).toEqual([])
  expect(report.wrong).toEqual([])
  expect(catalog.changes.every(({ kind }) => kind === 'notice')).toBe(true)
  expect((await imported()).files).toEqual([])
})

test('the end of a model reaches the record of that model at its maker, and no other', async () => {
  const model = (vendor: string, id: string) =>
    `name: ${id}\nvendor: ${vendor}\nkind: model\ncategory: messaging\nsummary: A model.\nauth: api-key\npricing: usage\nwhere: hosted\nmodels: { ${id}: {} }\nsources:\n  - { url: https://owls.dev/models, read: 2026-11-01, facts: [models] }\n`
  writeCatalogFolder(folder, {
    'vendors/owls.yaml': 'name: Owls\nurl: https://owls.dev\ndomain: owls.dev\n',
    'vendors/plan.yaml': 'name: Plan\nurl: https://plan.dev\ndomain: plan.dev\n',
    'tools/owl-1.yaml': model('owls', 'owl-1'),
    'tools/owl-2.yaml': model('owls', 'owl-2'),
    'tools/plan-owl-1.yaml': model('plan', 'owl-1'),
  })
  product(
    'owls',
    [
      { releaseCycle: 'owl-2', releaseLabel: 'Owl 2', eol: false },
      {
        releaseCycle: 'owl-1',
        releaseLabel: 'Owl 1',
        eol: '2024-03-01',
        recommendedReplacement: 'owl-2',
      },
    ],
    'releasePolicyLink: https://docs.owls.dev/deprecations\n',
  )
  const { catalog } = await importInto(folder, RETIREMENT, { source: data })
  expect(catalog.changes).toMatchObject([
    {
      ...{ tool: 'owl-1', kind: 'shutdown', date: '2024-03-01', replacement: 'owl-2' },
      what: 'Owl 1 reaches the end of its life.',
    },
  ])
})
