import { CHANGE_KIND_NAMES, type ChangeItem } from '../../records/change.ts'

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
