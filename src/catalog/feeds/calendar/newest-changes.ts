import type { ChangeItem } from '../../records/change.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'

// Readers keep old entries; the whole list is in the change feed.
const FEED_ITEMS = 200

type Times = Pick<CatalogSnapshot, 'settings' | 'today'>

/**
 * The day on which the entry last changed, or the day of the run if that is in the future: feed
 * readers hide future entries or show them as new for ever.
 */
export function changedOn(change: ChangeItem, { settings, today }: Times): string {
  return change.updated <= today ? change.updated : settings.run.date
}

/** The entries of a feed for readers, last changed first. */
export function newestChanges(changes: readonly ChangeItem[], times: Times): ChangeItem[] {
  const key = (change: ChangeItem) => `${changedOn(change, times)} ${change.id}`
  return changes.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).slice(0, FEED_ITEMS)
}

/** The last day on which any of `changes` changed; the day of the run if `changes` is empty. */
export function lastChangedOn(changes: readonly ChangeItem[], times: Times): string {
  const days = changes.map((change) => changedOn(change, times)).sort()
  return days.at(-1) ?? times.settings.run.date
}
