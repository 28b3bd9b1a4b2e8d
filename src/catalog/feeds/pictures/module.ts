import { pictureHref } from '../../page-paths.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { stateOf } from '../badges.ts'
import type { BuiltDocument, FeedModule } from '../built-site.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { countsOf } from '../listing.ts'
import { feedMeta } from '../meta.ts'
import { type Card, drawCard } from './card.ts'

export const PNG_TYPE = 'image/png'

// A server makes all documents again when something was measured; pictures seldom differ then.
const CACHE_BYTES = 16 * 1024 * 1024
const cache = new Map<string, Uint8Array>()
let cachedBytes = 0

/** The pictures that are shown where somebody sends a link to a page (Open Graph). */
export const PICTURES: FeedModule = {
  *build(snapshot) {
    yield picture(pictureHref.front(), () => frontCard(snapshot))
    for (const category of snapshot.settings.categories) {
      yield picture(pictureHref.category(category.id), () => categoryCard(snapshot, category))
    }
    for (const tool of snapshot.tools) {
      const path = pictureHref.tool(snapshot.tools.length, tool)
      // The category's.
      if (!path.startsWith('/tools/')) return
      yield picture(path, () => toolCard(snapshot, tool))
    }
  },
}

function picture(path: string, card: () => Card): BuiltDocument {
  return { path, type: PNG_TYPE, body: () => drawOnce(card()) }
}

function drawOnce(card: Card): Uint8Array {
  const key = JSON.stringify(card)
  const drawn = cache.get(key) ?? drawCard(card)
  if (!cache.delete(key)) cachedBytes += drawn.length
  cache.set(key, drawn)
  for (const [oldest, { length }] of cache) {
    if (cachedBytes <= CACHE_BYTES) break
    cache.delete(oldest)
    cachedBytes -= length
  }
  return drawn
}

function toolCard(snapshot: CatalogSnapshot, tool: ToolDetail): Card {
  const { words, tone } = stateOf(tool)
  const [state = '', ...others] = words
  const { score, pending } = tool.catalog
  const points = pending.length > 0 ? `at least ${score} of 100` : `${score} of 100`
  const more = [...(score === null ? [] : [points]), ...others, categoryName(snapshot, tool)]
  const { name, slug, summary } = tool
  const text = { title: name, plainTitle: slug, text: summary }
  return { ...about(snapshot), ...text, state, more: more.join(' · '), tone }
}

function categoryCard(
  snapshot: CatalogSnapshot,
  { id, name, description = '' }: CatalogSnapshot['settings']['categories'][number],
): Card {
  const tools = snapshot.tools.filter(({ category }) => category === id)
  const best = tools.filter(({ graded }) => graded).slice(0, 3)
  const names = best.map(({ name: own, catalog }) => `${own} (${catalog.grade})`)
  const text = names.length > 0 ? `Best grades: ${names.join(', ')}.` : description
  return { ...about(snapshot), title: name, plainTitle: id, text, ...counts(tools), tone: 'plain' }
}

function frontCard(snapshot: CatalogSnapshot): Card {
  const { name, description = '' } = snapshot.settings
  const { host } = new URL(snapshot.baseUrl)
  const catalog = feedMeta(snapshot).preview ? `${host} · preview` : host
  const title = { catalog, title: name, plainTitle: 'Tools for agents', text: description }
  return { ...title, ...counts(snapshot.tools), tone: 'plain' }
}

function counts(tools: readonly ToolDetail[]): Pick<Card, 'state' | 'more'> {
  const { count, graded } = countsOf(tools)
  return { state: `${count} ${count === 1 ? 'tool' : 'tools'}`, more: `${graded} graded` }
}

function about(snapshot: CatalogSnapshot): Pick<Card, 'catalog'> {
  const { name } = snapshot.settings
  return { catalog: feedMeta(snapshot).preview ? `${name} · preview` : name }
}

function categoryName({ settings }: CatalogSnapshot, { category }: ToolDetail): string {
  return settings.categories.find(({ id }) => id === category)?.name ?? category
}
