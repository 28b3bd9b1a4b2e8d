import type { CatalogSnapshot } from '../catalog-snapshot.ts'

export type CategoryCount = { id: string; name: string; description: string; count: number }

/** The categories that have tools, in the order of the settings. */
export function toolCounts(snapshot: CatalogSnapshot): CategoryCount[] {
  const counts = new Map<string, number>()
  for (const { category } of snapshot.tools) counts.set(category, (counts.get(category) ?? 0) + 1)
  return snapshot.settings.categories
    .map(({ id, name, description = '' }) => ({
      id,
      name,
      description,
      count: counts.get(id) ?? 0,
    }))
    .filter(({ count }) => count > 0)
}
