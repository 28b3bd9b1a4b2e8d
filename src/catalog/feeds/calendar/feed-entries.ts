import { CHANGE_KIND_NAMES, type ChangeItem } from '../../records/change.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'

// A fixed namespace, as UUIDs of version 5 need one (RFC 9562, 5.5).
const NAMESPACE = '9f0c2f5e-7f0e-4c57-b6a1-c2d8f0a4be11'

/** The UUID of a change, made from its id alone. */
export function changeUuid(id: string): string {
  return Bun.randomUUIDv5(id, NAMESPACE)
}

/** `Shutdown: Example API`, and `Withdrawn: …` for what no longer stands. */
export function changeTitle(change: ChangeItem): string {
  const { kind: own } = change.withdrawn ?? change
  const kind = CHANGE_KIND_NAMES.get(own) ?? own
  const title = `${kind}: ${change.name}`
  return change.status === 'withdrawn' ? `Withdrawn: ${title}` : title
}

/** What changes, when, and what to use instead: plain text in a few lines. */
export function changeText(change: ChangeItem): string {
  const exact = change.datePrecision === 'day' ? '' : `, exact to the ${change.datePrecision}`
  return [
    change.what,
    `Date: ${change.date}${exact}`,
    ...(change.replacement ? [`Instead: ${change.replacement}`] : []),
    `Source: ${change.source}`,
  ].join('\n')
}

/** The instant at which a day starts in UTC. */
export function startOfDay(day: string): string {
  return `${day}T00:00:00Z`
}

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
