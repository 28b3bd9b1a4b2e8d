import type { ChangeItem } from '../record/change.ts'
import type { CatalogView } from './catalog-view.ts'

// A circle of renames must not hold anybody.
const RENAMES_MAX = 16

/** The slug that a record has today: old names lead to the one it was renamed to. */
export function slugsToday({ removed }: Pick<CatalogView, 'removed'>): (slug: string) => string {
  const renamed = new Map(removed.map(({ slug, renamedTo }) => [slug, renamedTo]))
  return (slug) => {
    let today = slug
    for (let at = 0; at < RENAMES_MAX; at++) today = renamed.get(today) ?? today
    return today
  }
}

/** The changes of each tool by its slug of today, in the order of the view. */
export function changesByTool(view: CatalogView): ReadonlyMap<string, readonly ChangeItem[]> {
  const today = slugsToday(view)
  return Map.groupBy(view.changes, ({ tool }) => today(tool))
}
