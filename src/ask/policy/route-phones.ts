import type { DeliveryRow } from '../delivery/store.ts'
import type { Plan } from './plan.ts'

/** Rows to send at once, and rows whose time comes later. */
export type Routed = { now: DeliveryRow[]; later: DeliveryRow[] }

/** Phones wait for the grace and for an active terminal; every other row goes its way at once. */
export function routePhones(rows: DeliveryRow[], { phone }: Plan, askedAt: number): Routed {
  const delayMs = Math.max(phone.graceMs, phone.heldMs)
  if (delayMs === 0) return { now: rows, later: [] }
  const { now = [], later = [] } = Object.groupBy(rows, (row) => (isPhone(row) ? 'later' : 'now'))
  return { now, later: later.map((row) => delayed(row, askedAt + delayMs)) }
}

function isPhone({ kind, state }: DeliveryRow): boolean {
  return kind === 'phone' && state === 'waiting'
}

/** In nobody's hands until it is due: whoever looks then sends it, also after a restart. */
function delayed(row: DeliveryRow, nextAt: number): DeliveryRow {
  return { ...row, nextAt, claimedBy: null, claimedUntil: 0 }
}
