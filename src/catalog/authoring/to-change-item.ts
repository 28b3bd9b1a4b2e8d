import { addressesOf } from '../records/address.ts'
import type { AuthoredChange } from '../records/authored.ts'
import type { ChangeItem } from '../records/change.ts'

/** A change as it is served; `toolName` is the name in its record. */
export function toChangeItem(
  change: AuthoredChange,
  toolName: string | undefined,
  baseUrl: string,
): ChangeItem {
  const { date, kind, tool, source, what, id, announced, replacement } = change
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
    status: change.status ?? 'announced',
    sequence: change.sequence ?? 0,
    updated: change.updated ?? announced ?? date,
  }
}
