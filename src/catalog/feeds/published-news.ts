import { Type } from '@sinclair/typebox'
import { oncePer } from '../../platform/once.ts'
import { shape } from '../../platform/schema.ts'
import { NewsItem } from '../records/news.ts'
import { currentSlugs } from '../records/renames.ts'
import type { BuiltSite } from './built-site.ts'
import { NEWS_PATH } from './news/module.ts'

/** What watches read of the site that is served, its own or a mirrored one. */
export type PublishedNews = {
  news: readonly NewsItem[]
  has(slug: string): boolean
  current(slug: string): string
  categories: ReadonlyArray<{ id: string; name: string }>
  capabilities: readonly string[]
}

// Of a mirror they come from somebody else, whose version may be a later one.
const mirroredItem = shape(Type.Object(NewsItem.properties))
const isNews = (item: unknown) => mirroredItem.wrong(item).length === 0

/** Reads the documents of a site, once for each site: what a mirror serves is all that it knows. */
export const readPublishedNews = oncePer(async (site: BuiltSite): Promise<PublishedNews> => {
  const { snapshot, documents } = site
  const [{ news }, { categories }, { capabilities }] = await Promise.all([
    read<{ news: NewsItem[] }>(site, NEWS_PATH, { news: [] }),
    read<{ categories: PublishedNews['categories'] }>(site, '/api/v1/categories.json', {
      categories: [],
    }),
    read<{ capabilities: Array<{ id: string }> }>(site, '/api/v1/capabilities.json', {
      capabilities: [],
    }),
  ])
  return {
    news: news.filter(isNews),
    has: (slug) => documents.has(`/api/v1/tools/${slug}.json`),
    current: currentSlugs(snapshot.removed),
    categories: categories.map(({ id, name }) => ({ id, name })),
    capabilities: capabilities.map(({ id }) => id),
  }
})

/** A document, or `without` for a site that does not have it. */
async function read<T>({ documents }: BuiltSite, path: string, without: T): Promise<T> {
  const body = await documents.get(path)?.written('identity')
  return body ? await new Response(body.content()).json() : without
}
