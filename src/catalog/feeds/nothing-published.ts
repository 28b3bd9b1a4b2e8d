import type { CatalogSettings } from '../record/authored.ts'
import type { CatalogSource } from '../source/catalog-source.ts'

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
