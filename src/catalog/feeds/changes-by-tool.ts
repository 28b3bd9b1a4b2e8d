import type { ChangeItem } from '../records/change.ts'
import { withdrawnAsNotice } from '../records/change.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { byText } from './listing-order.ts'

// A circle of renames must not hold anybody.
const RENAMES_MAX = 16

/** The slug that a record has today: old names lead to the one it was renamed to. */
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

const told = new WeakMap<CatalogSnapshot, ChangeItem[]>()

/** Every change as feeds and pages tell it, newest first: what was withdrawn is a notice. */
export function publishedChanges(snapshot: CatalogSnapshot): readonly ChangeItem[] {
  const made = told.get(snapshot) ?? makeTold(snapshot)
  told.set(snapshot, made)
  return made
}

function makeTold({ changes, today, settings }: CatalogSnapshot): ChangeItem[] {
  return changes
    .map((change) => withdrawnAsNotice(change, today, settings.run.date))
    .sort((a, b) => byText(b.date, a.date) || byText(a.id, b.id))
}

const byTool = new WeakMap<CatalogSnapshot, ReadonlyMap<string, readonly ChangeItem[]>>()

/** The changes of each tool by its slug of today, newest first; grouped once for each snapshot. */
export function changesByTool(
  snapshot: CatalogSnapshot,
): ReadonlyMap<string, readonly ChangeItem[]> {
  const known = byTool.get(snapshot)
  if (known) return known
  const today = slugsToday(snapshot)
  const made = Map.groupBy(publishedChanges(snapshot), ({ tool }) => today(tool))
  byTool.set(snapshot, made)
  return made
}
