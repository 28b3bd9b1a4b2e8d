import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { CatalogSettings } from '../records/authored.ts'

/** What is served before the first publish: all feeds, and nothing in them. */
export function nothingPublished(
  today: string,
  methodology: CatalogSource['methodology'],
): CatalogSource {
  const settings: CatalogSettings = {
    name: 'Catalog',
    description: 'Nothing has been published here yet.',
    attribution: 'Nothing has been published here yet.',
    preview: true,
    run: { date: today, label: 'No run yet' },
    categories: [],
  }
  return { settings, methodology, vendors: [], tools: [], reviews: [], changes: [], removed: [] }
}
