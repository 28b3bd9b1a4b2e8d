import { cutText } from '../../../platform/text.ts'
import { CHANGE_KIND_NAMES, type ChangeItem } from '../../records/change.ts'
import { dateWords } from '../../records/date-words.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'

// A fixed namespace, as UUIDs of version 5 need one (RFC 9562, 5.5).
const NAMESPACE = '9f0c2f5e-7f0e-4c57-b6a1-c2d8f0a4be11'

/** The UUID of a change, made from its id alone. */
export function changeUuid(id: string): string {
  return Bun.randomUUIDv5(id, NAMESPACE)
}

// Calendars and feed readers show about this much in a line.
const TITLE_CHARS = 100
// However long the name is.
const WHAT_CHARS = 40

/**
 * Titles a change with its date: `AWS Lambda: The Node.js 18 runtime ends, 1 Sep 2026`. `Withdrawn:
 * …` for what no longer stands.
 */
export function changeTitle(change: ChangeItem): string {
  const { name, status } = change
  const { kind, date } = change.withdrawn ?? change
  const when = dateWords(date, change.withdrawn ? 'day' : change.datePrecision)
  const room = Math.max(WHAT_CHARS, TITLE_CHARS - name.length - when.length)
  const what = change.withdrawn ? kindWords(kind) : cutText(firstSentence(change.what), room)
  const summary =
    what.includes(when) || what.includes(date) ? what : `${what || kindWords(kind)}, ${when}`
  const title = `${name}: ${summary}`
  return status === 'withdrawn' ? `Withdrawn: ${title}` : title
}

function kindWords(kind: string): string {
  return CHANGE_KIND_NAMES.get(kind) ?? kind
}

/** Without its full stop; `Node.js` and `3.10` do not end a sentence. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return (/^.*?[.!?](?=\s+\p{Lu}|$)/u.exec(line)?.[0] ?? line).replace(/\.$/, '')
}

/** Describes a change, its date, and what to use instead: plain text in a few lines. */
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

/** The most entries of a feed: readers keep old ones, and the whole list is in the change feed. */
export const FEED_ITEMS = 200

type Times = Pick<CatalogSnapshot, 'settings' | 'today'>

/**
 * The day on which the entry last changed, or the day of the run if that is not known or in the
 * future: feeds need one, and readers hide future entries or show them as new for ever.
 */
export function changedOn(change: ChangeItem, { settings, today }: Times): string {
  const { updated } = change
  return updated !== undefined && updated <= today ? updated : settings.run.date
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
