import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { CatalogSettings } from '../records/authored.ts'

/** The catalog before the first publish: every feed, and all of them empty. */
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
