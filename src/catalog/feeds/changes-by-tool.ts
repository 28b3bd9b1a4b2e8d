import { oncePer } from '../../platform/once.ts'
import { type ChangeItem, withdrawnAsNotice } from '../records/change.ts'
import { currentSlugs } from '../records/renames.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { byText } from './listing-order.ts'

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
    const today = currentSlugs(snapshot.removed)
    return Map.groupBy(publishedChanges(snapshot), ({ tool }) => today(tool))
  },
)
