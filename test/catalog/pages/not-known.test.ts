import { expect, test } from 'bun:test'
import { fullMarkdown } from '../../../src/catalog/feeds/markdown/full.ts'
import { slimMarkdown } from '../../../src/catalog/feeds/markdown/slim.ts'
import { feedMeta } from '../../../src/catalog/feeds/meta.ts'
import { directoryPage } from '../../../src/catalog/pages/directory.tsx'
import { toolPage } from '../../../src/catalog/pages/tool.tsx'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import { aCatalogView, measured } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const base = generatedCatalog(3)
const SLUG = 'tool-0000'

function view(more: Partial<AuthoredTool>, unknown?: string) {
  const remoteUrl = 'https://api.example.com/'
  const [first, ...others] = base.tools
  if (!first) throw new Error('there is none')
  const tools = [{ ...first, remoteUrl, ...more } as AuthoredTool, ...others]
  const live = measured(SLUG)
  const { lastOk: _, authRequired: __, ...probe } = live.probe ?? {}
  const measurement = unknown
    ? { ...live, probe: { ...probe, unknown, target: remoteUrl } }
    : undefined
  const map = new Map(measurement ? [[SLUG, measurement as typeof live]] : [])
  const snapshot = aCatalogView({ ...base, tools }, map)
  const tool = snapshot.bySlug.get(SLUG)
  if (!tool) throw new Error('it is not there')
  return { snapshot, tool }
}

const CASES: Array<[why: string, more: Partial<AuthoredTool>, unknown?: string]> = [
  ['asked not to be measured', {}, 'opted-out'],
  ['answers 404 at its root', {}, 'not-found'],
  ['rate limited', {}, 'rate-limited'],
  ['not asked: private address', {}, 'private-address'],
  ['its record says that it is never measured', { probe: { off: true } }],
  ['not measured yet', {}],
]

for (const [why, more, unknown] of CASES) {
  test(`a tool that is not known to be up says why everywhere: ${why}`, () => {
    const { snapshot, tool } = view(more, unknown)
    const page = toolPage(snapshot, tool)
    expect(page).toContain(`Not known: ${why}`)
    expect(page).not.toContain('<span>Down</span>')
    expect(fullMarkdown(tool, [], { meta: feedMeta(snapshot) })).toContain(`**Up:** ${why}`)
    expect(tool.notKnown).toContainEqual({ field: 'up', why })
    if (!unknown) return
    expect(slimMarkdown(tool, [], { meta: feedMeta(snapshot) })).toContain(`not known: ${why}`)
    const html = directoryPage(snapshot, new URLSearchParams('up=unknown'))
    expect(html).toContain(`/tools/${SLUG}"`)
    expect(directoryPage(snapshot, new URLSearchParams('up=no'))).not.toContain(`/tools/${SLUG}"`)
  })
}

test('what the record does not say is not known either, price and place included', () => {
  const nothing = { auth: 'unknown', pricing: 'unknown', where: 'unknown', priceSummary: '' }
  const { snapshot, tool } = view(nothing)
  const fields = tool.notKnown.map(({ field }) => field)
  expect(fields).toEqual(expect.arrayContaining(['up', 'auth', 'pricing', 'where']))
  expect(toolPage(snapshot, tool)).toContain('Price not known')
})

test('a shutdown in a month that is not over is neither past nor to come', () => {
  const change = { id: 'ends', tool: SLUG, kind: 'shutdown', what: 'It ends.' }
  const date = { date: '2026-11-01', datePrecision: 'month', source: 'https://v.example/news' }
  const snapshot = aCatalogView({ ...base, changes: [{ ...change, ...date }] })
  const tool = snapshot.bySlug.get(SLUG)
  if (!tool) throw new Error('it is not there')
  expect(tool.notKnown.map(({ field }) => field)).toContain('ended')
  expect(toolPage(snapshot, tool)).toContain('this month')
})
