import type { ChangeItem } from '../records/change.ts'
import { withdrawnAsNotice } from '../records/change.ts'
import type { CatalogView } from './catalog-view.ts'
import { byText } from './listing-order.ts'

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

const told = new WeakMap<CatalogView, ChangeItem[]>()

/** Every change as feeds and pages tell it, newest first: what was withdrawn is a notice. */
export function toldChanges(view: CatalogView): readonly ChangeItem[] {
  const made = told.get(view) ?? makeTold(view)
  told.set(view, made)
  return made
}

function makeTold({ changes, today, settings }: CatalogView): ChangeItem[] {
  return changes
    .map((change) => withdrawnAsNotice(change, today, settings.run.date))
    .sort((a, b) => byText(b.date, a.date) || byText(a.id, b.id))
}

const byTool = new WeakMap<CatalogView, ReadonlyMap<string, readonly ChangeItem[]>>()

/** The changes of each tool by its slug of today, newest first; grouped once for each view. */
export function changesByTool(view: CatalogView): ReadonlyMap<string, readonly ChangeItem[]> {
  const known = byTool.get(view)
  if (known) return known
  const today = slugsToday(view)
  const made = Map.groupBy(toldChanges(view), ({ tool }) => today(tool))
  byTool.set(view, made)
  return made
}
