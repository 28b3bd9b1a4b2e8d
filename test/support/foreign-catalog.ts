import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { Live } from '../../src/catalog/records/live.ts'
import { measured } from './catalog-pages.ts'
import { filledFrom } from './filled-from.ts'
import { generatedCatalog } from './generated-catalog.ts'
import type { Kind } from './hostile-corpus.ts'

// Names, days and words that point at something, or say what something is.
const POINTS =
  /(^|\.)(slug|id|tool|vendor|category|area|date|expires|until|read|checked|asOf|lastRelease)$/
const MEANS = /(kind|level|state|confidence|code)$/

/**
 * A catalog of `size` tools in which every text of every record, and of what was measured, is
 * another one of `pick`, past all checks of lint.
 */
export function foreignCatalog(size: number, pick: (n: number, kind: Kind) => string) {
  const plain = generatedCatalog(size)
  let n = 0
  const swap = (text: string, path: string): string => {
    if (POINTS.test(path)) return text
    if (/packages\.name$/.test(path)) return pick(n++, 'name')
    if (/^https?:/.test(text)) return pick(n++, 'address')
    if (/^\d{4}-\d\d-\d\d/.test(text) || MEANS.test(path)) return text
    return pick(n++, 'text')
  }
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return swap(value, path)
    if (Array.isArray(value)) return value.map((one) => walk(one, path))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([key, one]) => [key, walk(one, `${path}.${key}`)]))
  }
  const each = <T>(list: T[]): T[] => list.map((one) => walk(one, '') as T)
  const { name, attribution, ...settings } = plain.settings
  const source: CatalogSource = {
    ...plain,
    settings: {
      ...settings,
      ...(walk({ name, attribution }, '') as { name: string; attribution: string }),
    },
    vendors: each(plain.vendors),
    tools: each(plain.tools),
    reviews: each(plain.reviews),
    changes: each(plain.changes),
  }
  const next = (kind: Kind) => () => pick(n++, kind)
  const live = new Map(
    source.tools.map(({ slug }, i): [string, Live] => {
      const filled = filledFrom(Live, next('text'), next('address'), i) as Live
      const { probe } = measured(slug)
      return [slug, { ...filled, slug, ...(probe ? { probe } : {}) }]
    }),
  )
  return { source, live }
}
