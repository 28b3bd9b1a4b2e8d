import { isoTime } from '../../platform/clock.ts'
import { addressesOf } from '../records/address.ts'
import type { AuthoredChange } from '../records/authored.ts'
import type { ChangeItem } from '../records/change.ts'

/** When a change was first published here, and when it last changed: milliseconds since 1970. */
export type ChangeTimes = { addedAt: number; updatedAt: number }

/**
 * A change as it is served; `toolName` is the name in its record. Without `times` it is not
 * published, and only the file knows when it changed.
 */
export function toChangeItem(
  change: AuthoredChange,
  toolName: string | undefined,
  baseUrl: string,
  times?: ChangeTimes,
): ChangeItem {
  const { date, kind, tool, source, what, id, announced, replacement, endsPart } = change
  return {
    date,
    kind,
    tool,
    source,
    what,
    id,
    name: change.name ?? toolName ?? tool,
    url: addressesOf(baseUrl, tool).url,
    ...(announced === undefined ? {} : { announced }),
    datePrecision: change.datePrecision ?? 'day',
    ...(replacement === undefined ? {} : { replacement }),
    ...(endsPart === undefined ? {} : { endsPart }),
    status: change.status ?? 'announced',
    sequence: (change.sequence ?? 0) + (times ? revisionOf(times) : 0),
    ...updatedField(change, times),
  }
}

/** Seconds from the first publish to the last change: 0 at first, and more with every change. */
function revisionOf({ addedAt, updatedAt }: ChangeTimes): number {
  return Math.max(0, Math.ceil((updatedAt - addedAt) / 1000))
}

function updatedField({ updated }: AuthoredChange, times: ChangeTimes | undefined) {
  const day = times ? isoTime(times.updatedAt).slice(0, 10) : updated
  return day === undefined ? {} : { updated: day }
}
