import { oncePer } from '../../platform/once.ts'
import { type ChangeItem, withdrawnAsNotice } from '../records/change.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { byText } from './listing-order.ts'

// Renames may form a circle.
const RENAMES_MAX = 16

/** Finds the current slug of a record from an old one. */
export function slugsToday({
  removed,
}: Pick<CatalogSnapshot, 'removed'>): (slug: string) => string {
  const renamed = new Map(removed.map(({ slug, renamedTo }) => [slug, renamedTo]))
  return (slug) => {
    let today = slug
    for (let at = 0; at < RENAMES_MAX; at++) today = renamed.get(today) ?? today
    return today
  }
}

/** Every change as feeds and pages show it, newest first; a withdrawn one becomes a notice. */
export const publishedChanges = oncePer(
  ({ changes, today, settings }: CatalogSnapshot): readonly ChangeItem[] =>
    changes
      .map((change) => withdrawnAsNotice(change, today, settings.run.date))
      .sort((a, b) => byText(b.date, a.date) || byText(a.id, b.id)),
)

/** The changes of each tool by its current slug, newest first. */
export const changesByTool = oncePer(
  (snapshot: CatalogSnapshot): ReadonlyMap<string, readonly ChangeItem[]> => {
    const today = slugsToday(snapshot)
    return Map.groupBy(publishedChanges(snapshot), ({ tool }) => today(tool))
  },
)
