import type { DeliveryRow } from '../delivery/store.ts'
import type { Plan } from '../policy/plan.ts'

/** Rows to send at once, rows whose time comes later, and whether phones were held back. */
export type Routed = { now: DeliveryRow[]; later: DeliveryRow[]; heldBack: boolean }

/** Phones wait for the grace to pass, or stay silent; every other row goes its way at once. */
export function routePhones(rows: DeliveryRow[], { phone }: Plan): Routed {
  const isPhone = (row: DeliveryRow) => row.kind === 'phone' && row.state === 'waiting'
  const phones = rows.filter(isPhone)
  const others = rows.filter((row) => !isPhone(row))
  if (phone === 'suppressed') return { now: others, later: [], heldBack: phones.length > 0 }
  if (phone.delayMs === 0) return { now: rows, later: [], heldBack: false }
  return { now: others, later: phones.map((row) => delayed(row, phone.delayMs)), heldBack: false }
}

/** In nobody's hands until it is due: whoever looks then sends it, also after a restart. */
function delayed(row: DeliveryRow, ms: number): DeliveryRow {
  return { ...row, nextAt: row.createdAt + ms, claimedBy: null, claimedUntil: 0 }
}
