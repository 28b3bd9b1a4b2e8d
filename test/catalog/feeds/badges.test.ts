import { expect, test } from 'bun:test'
import { BADGES } from '../../../src/catalog/feeds/badges.ts'
import type { CatalogSnapshot } from '../../../src/catalog/feeds/catalog-snapshot.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { aCatalogView, measured } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const snapshot = aCatalogView(generatedCatalog(3))
const [first] = snapshot.tools as [ToolDetail]

function badgeOf(changes: Partial<ToolDetail>): string {
  const view: CatalogSnapshot = { ...snapshot, tools: [{ ...first, ...changes }] }
  const [badge] = BADGES.build(view)
  return typeof badge?.body === 'function' ? String(badge.body()) : ''
}

const title = (svg: string) => /<title>(.*)<\/title>/.exec(svg)?.[1]
const { catalog } = first

test('a badge says the grade, uptime and payments, and of an ended tool only that', () => {
  const live = measured(first.slug, { uptime30d: 99.5 })
  const own = { name: 'Mail', live, x402: { level: 'yes', endpoints: [] } }
  expect(title(badgeOf({ ...own, catalog: { ...catalog, grade: 'A', gates: [] } }))).toBe(
    'Mail: grade A · 99.5 % up · x402',
  )
  expect(
    title(badgeOf({ name: 'Mail', catalog: { ...catalog, grade: null, gates: [] } })),
  ).toContain('not graded yet')
  const gates = [{ code: 'shut-down', cap: 'D', reason: 'It ended.' }]
  expect(title(badgeOf({ ...own, catalog: { ...catalog, gates } }))).toBe('Mail: shut down')
})

test('the text of others stays text, without scripts or addresses to load', () => {
  const svg = badgeOf({ name: '"><script>alert(1)</script>\u0000&' })
  expect(svg).not.toMatch(/<script|href|url\(/)
  expect(svg).not.toContain('\u0000')
  expect(svg.match(/<svg /g)).toHaveLength(1)
})
