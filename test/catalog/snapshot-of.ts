import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { toChangeItem } from '../../src/catalog/authoring/to-change-item.ts'
import { recordContext, toToolDetail } from '../../src/catalog/authoring/to-tool-record.ts'
import type { CatalogSnapshot } from '../../src/catalog/feeds/catalog-snapshot.ts'
import { gradeAll } from '../../src/catalog/grading/grade.ts'
import type { AuthoredTool } from '../../src/catalog/records/authored.ts'
import type { ChangeItem } from '../../src/catalog/records/change.ts'
import { type Live, notMeasured } from '../../src/catalog/records/live.ts'
import type { ToolDetail } from '../../src/catalog/records/tool.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { FORMATS, MARKDOWN, MARKUP, STRANGE } from '../support/hostile-corpus.ts'

const TODAY = '2026-11-21'
export const BASE = 'https://catalog.example'

/** A snapshot of made-up records, the same every time. */
export function sampleSnapshot(size: number): CatalogSnapshot {
  return snapshotOf(generatedCatalog(size))
}

/** A snapshot of these records, without measurements. */
export function snapshotOf(source: CatalogSource): CatalogSnapshot {
  const tools = detailsOf(source)
  return {
    settings: source.settings,
    revision: 'r-0001',
    sequence: 1,
    generatedAt: TODAY,
    today: TODAY,
    baseUrl: BASE,
    tools,
    bySlug: new Map(tools.map((tool) => [tool.slug, tool])),
    changedAt: new Map(),
    changes: source.changes.map((change) => toChangeItem(change, change.tool, BASE)),
    removed: source.removed,
    methodology: source.methodology,
  }
}

/** The served records, graded. */
export function detailsOf(source: CatalogSource, live?: Live): ToolDetail[] {
  const gradings = gradeAll(source, new Map(), TODAY, new Map())
  const context = recordContext(source, BASE, new Map(), TODAY)
  return source.tools.map((tool) => {
    const grading = gradings.get(tool.slug)
    if (!grading) throw new Error(`no grading of ${tool.slug}`)
    return toToolDetail(tool, context, live ?? notMeasured(tool.slug), grading)
  })
}

/** One served record of a catalog that has only this tool. */
export function detailOf(source: CatalogSource, tool: AuthoredTool, live?: Live): ToolDetail {
  const [detail] = detailsOf({ ...source, tools: [tool] }, live)
  if (!detail) throw new Error('no tool')
  return detail
}

/** One change as it is served. */
export function changeItem(own: Partial<ChangeItem> = {}): ChangeItem {
  return {
    date: '2026-12-31',
    kind: 'shutdown',
    name: 'Example API',
    tool: 'tool-0000',
    url: `${BASE}/tools/tool-0000`,
    source: 'https://vendor.example/news',
    what: 'The interface ends.',
    id: 'example-ends',
    datePrecision: 'day',
    status: 'announced',
    sequence: 0,
    updated: '2026-11-01',
    ...own,
  }
}

/** The record with `text` in every place that holds free text; slugs, days and addresses stay. */
export function filledWith(tool: ToolDetail, text: string): ToolDetail {
  const filled = fill(tool, text) as ToolDetail
  const list = [text, text]
  return {
    ...filled,
    connect: { install: text, http: text, claudeCode: text, config: text, x402: text },
    x402: {
      level: text,
      evidence: text,
      endpoints: [
        { url: `javascript:alert(1)//${text}`, priceUsd: 0.01, network: text },
        { url: 'https://vendor.example/paid', priceUsd: null, network: text },
      ],
    },
    capabilities: list,
    tags: list,
    notable: list,
    details: [{ label: text, value: text }],
    packages: [{ registry: text, name: text }],
    docsUrl: `https://vendor.example/${text}`,
    repo: `https://user:pass@vendor.example/${text}`,
    llmsTxt: 'data:text/html,<script>alert(1)</script>',
    reviews: [
      {
        id: 'one',
        kind: text,
        date: '2026-10-10',
        rating: 3,
        title: text,
        body: `${text}\n\n${text}\n${text}`,
        pros: list,
        cons: list,
        themes: list,
        source: text,
        basis: text,
        outcome: text,
        signature: null,
      },
    ],
  }
}

const KEPT = /^(slug|url|.*Url|jsonUrl|sameCompany|date|run|asOf|checked|lastRelease|updated)$/

function fill(value: unknown, text: string, key = ''): unknown {
  if (typeof value === 'string') return KEPT.test(key) ? value : text
  if (Array.isArray(value)) return value.map((item) => fill(item, text, key))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, fill(own, text, name)]),
  )
}

/** Text that tries to leave its place in Markdown, XML, JSON-LD or a calendar, and in HTML. */
export const HOSTILE_TEXTS = [...MARKDOWN, ...FORMATS, ...STRANGE, ...MARKUP.slice(0, 20)]
