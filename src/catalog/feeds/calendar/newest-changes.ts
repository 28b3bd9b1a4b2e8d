import type { ChangeItem } from '../../records/change.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'

// Readers keep what they have seen; the whole list is in the change feed.
const FEED_ITEMS = 200

type Times = Pick<CatalogSnapshot, 'settings' | 'today'>

/**
 * The day on which the entry last changed; never one to come, which readers of feeds hide or
 * show as new for ever: then the day of the run.
 */
export function changedOn(change: ChangeItem, { settings, today }: Times): string {
  return change.updated <= today ? change.updated : settings.run.date
}

/** What a feed for readers holds: what was told last comes first. */
export function newestChanges(changes: readonly ChangeItem[], times: Times): ChangeItem[] {
  const key = (change: ChangeItem) => `${changedOn(change, times)} ${change.id}`
  return changes.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).slice(0, FEED_ITEMS)
}

/** The day on which any of them changed; that of the run when there is none. */
export function lastChangedOn(changes: readonly ChangeItem[], times: Times): string {
  const days = changes.map((change) => changedOn(change, times)).sort()
  return days.at(-1) ?? times.settings.run.date
}
