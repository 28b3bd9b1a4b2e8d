import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { partOf } from '../../../src/catalog/agents/get-tool.ts'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { modelsOf } from '../../../src/catalog/authoring/models-of.ts'
import { fullMarkdown } from '../../../src/catalog/feeds/markdown/full.ts'
import { putFacts } from '../../../src/catalog/measured/fact-store.ts'
import { readLive } from '../../../src/catalog/measured/read-live.ts'
import { toolPage } from '../../../src/catalog/pages/tool.tsx'
import { type Live, notMeasured } from '../../../src/catalog/records/live.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { HOSTILE_TEXTS, sampleSnapshot } from '../snapshot-of.ts'

let temp: ReturnType<typeof tempFolder>
beforeEach(() => {
  temp = tempFolder()
})
afterEach(() => temp[Symbol.dispose]())

const LIST = 'https://api.acme.example/v1/models'
const FILE = 'https://acme.example/docs/models'

describe('what is known of a model', () => {
  const [sample] = generatedCatalog(1).tools
  if (!sample) throw new Error('there is none')
  const sources = [{ url: FILE, read: '2026-11-01', facts: ['models'] }]
  const tool = { ...sample, sources, models: { a: { toolCalls: true, contextTokens: 8 }, b: {} } }
  const live = (models: NonNullable<Live['models']>) => ({ ...notMeasured('x'), models })

  test('a price is the written one, with its source, while nothing was measured', () => {
    const from = { source: FILE, checkedAt: '2026-11-01' }
    expect(modelsOf(tool, notMeasured('x'))).toEqual({
      a: { toolCalls: true, contextTokens: 8, ...from },
      b: from,
    })
    expect(modelsOf(sample, notMeasured('x'))).toBeUndefined()
  })

  test('a measured price comes before a written one, each with its own source', () => {
    const at = '2026-11-21T12:00:00.000Z'
    const one = { contextTokens: 16, source: LIST, checkedAt: at }
    const both = modelsOf(tool, live({ a: one, c: { source: LIST, checkedAt: at } }))
    expect(both).toEqual({
      a: { toolCalls: true, ...one, writtenSource: FILE, writtenOn: '2026-11-01' },
      b: { source: FILE, checkedAt: '2026-11-01' },
      c: { source: LIST, checkedAt: at },
    })
  })
})

test('a measured model has the time at which it was read', async () => {
  await using db = openSqlite(`${temp.path}/catalog.db`)
  const at = Date.UTC(2026, 10, 21, 12)
  const value = { a: { source: LIST } }
  await db.write((tx) => putFacts(tx, 'acme', [{ subject: 'models', value }], at))
  expect((await readLive(db.read, at)).get('acme')?.models).toEqual({
    a: { source: LIST, checkedAt: '2026-11-21T12:00:00.000Z' },
  })
})

test('lint wants a source of models, and knows their fields', async () => {
  const problems = async (models: string, sources = '') => {
    const folder = join(temp.path, crypto.randomUUID())
    mkdirSync(folder)
    writeCatalogFolder(folder, {
      'tools/one.yaml': `name: One\nkind: model\ncategory: messaging\nsummary: A model.\nauth: none\npricing: free\nwhere: hosted\nmodels: ${models}\n${sources}`,
    })
    return (await loadFolder(folder)).problems.map(({ field, expected }) => `${field}: ${expected}`)
  }
  const source = `sources:\n  - { url: ${FILE}, read: 2026-11-01, facts: [models] }\n`
  expect(await problems('{ lab/one:free: { toolCalls: true } }', source)).toEqual([])
  expect(await problems('{ one: { toolCalls: true } }')).toEqual([
    'models: an entry of sources with models among its facts',
  ])
  expect((await problems('{ one: { toolCall: true } }', source))[0]).toContain('toolCalls')
  for (const wrong of ['{ one: { toolCalls: yes } }', '{ "a b": {} }', '{ one: 5 }', '[one]']) {
    expect(await problems(wrong, source)).not.toEqual([])
  }
})

describe('500 models with hostile text', () => {
  const snapshot = sampleSnapshot(1)
  const [plain] = snapshot.tools
  if (!plain) throw new Error('there is none')
  const models = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => {
      const text = HOSTILE_TEXTS[i % HOSTILE_TEXTS.length] ?? ''
      const texts = { name: text, ownedBy: text, input: text, knowledge: text, source: text }
      return [i < HOSTILE_TEXTS.length ? `${i} ${text}` : `m-${i}`, { ...texts, toolCalls: false }]
    }),
  )
  const tool: ToolDetail = { ...plain, live: { ...plain.live, models } }

  test('take a hundred rows of the page, and nothing of them is markup', () => {
    const page = toolPage(snapshot, tool)
    const part = page.slice(page.indexOf('id="models"'), page.indexOf('id="live"'))
    expect(part.match(/<tr>/g)).toHaveLength(101)
    expect(part).toContain('400 more')
    const tags = new Set(part.match(/<[a-z]+/g))
    expect([...tags].filter((tag) => /script|img|svg|iframe|style|input/.test(tag))).toEqual([])
    expect(part).not.toMatch(/javascript:[^<]*"/)
  })

  test('take a hundred lines of the Markdown, each of them one', () => {
    const meta = { generatedAt: '2026-11-21' } as never
    const text = fullMarkdown(tool, [], { meta })
    const part = text.slice(
      text.indexOf('## Models'),
      text.indexOf('\n## ', text.indexOf('## Models') + 3),
    )
    const lines = part.trim().split('\n').slice(2)
    expect(lines).toHaveLength(101)
    expect(lines.every((line) => line.startsWith('- '))).toBe(true)
    expect(lines.at(-1)).toContain('400 more')
  })

  test('take one part of get_tool, cut at its bound', () => {
    const { markdown, whole } = partOf('models', tool, snapshot)
    expect(whole).toBe(false)
    expect(markdown.length).toBeGreaterThan(0)
    expect(partOf('models', plain, snapshot)).toMatchObject({ markdown: '', whole: true })
  })
})
