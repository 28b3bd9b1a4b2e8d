import type { ToolDetail } from '../../records/tool.ts'
import { DOTTED_WORD } from '../../records/words.ts'
import type { BuiltDocument, FeedModule } from '../built-site.ts'
import { ATOM_TYPE, atomOf, type FeedPlace } from '../calendar/atom.ts'
import { changeUuid } from '../calendar/feed-entries.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { changesByTool } from '../changes-by-tool.ts'
import { JSON_TYPE, withArray } from '../json-document.ts'
import { feedMeta } from '../meta.ts'
import { latestNews, toolNews } from './news-of.ts'

export const NEWS_PATH = '/api/v1/news.json'

/** What happened to tools lately; and for feed readers, of each tool, category and capability. */
export const NEWS_FEEDS: FeedModule = {
  *build(snapshot) {
    yield { path: NEWS_PATH, type: JSON_TYPE, body: () => newsDocument(snapshot) }
    for (const tool of snapshot.tools) {
      const path = `/tools/${tool.slug}.atom`
      const page = `/tools/${tool.slug}`
      yield feed(snapshot, [tool], { title: `${tool.name}: changes`, path, page })
    }
    const { categories } = snapshot.settings
    const byCategory = Map.groupBy(snapshot.tools, ({ category }) => category)
    for (const { id, name } of categories) {
      const [path, page] = [`/categories/${id}.atom`, `/tools?category=${id}`]
      yield feed(snapshot, byCategory.get(id) ?? [], { title: `${name}: changes`, path, page })
    }
    for (const [id, tools] of byCapability(snapshot.tools)) {
      const [path, page] = [`/capabilities/${id}.atom`, `/tools?q=${id}`]
      yield feed(snapshot, tools, { title: `${id}: changes`, path, page })
    }
  },
}

function newsDocument(snapshot: CatalogSnapshot): string {
  const { days, items } = latestNews(snapshot)
  const head = { meta: feedMeta(snapshot), days, count: items.length }
  return withArray(
    head,
    'news',
    items.map((item) => JSON.stringify(item)),
  )
}

function byCapability(tools: readonly ToolDetail[]): Map<string, ToolDetail[]> {
  const all = tools.flatMap((tool) =>
    // Only what a path can hold as it is: texts of a foreign catalog may be anything.
    [...new Set(tool.capabilities)].flatMap((id) => (DOTTED_WORD.test(id) ? { id, tool } : [])),
  )
  const groups = [...Map.groupBy(all, ({ id }) => id)]
  return new Map(groups.map(([id, own]) => [id, own.map(({ tool }) => tool)]))
}

function feed(
  snapshot: CatalogSnapshot,
  tools: readonly ToolDetail[],
  place: FeedPlace,
): BuiltDocument {
  const body = () => {
    const changes = tools.flatMap(({ slug }) => changesByTool(snapshot).get(slug) ?? [])
    const dated = new Set(changes.map(({ id }) => changeUuid(id)))
    const news = tools.flatMap((tool) => toolNews(snapshot, tool))
    return atomOf(
      snapshot,
      changes,
      place,
      news.filter(({ subject }) => !dated.has(subject)),
    )
  }
  return { path: place.path, type: ATOM_TYPE, body }
}
