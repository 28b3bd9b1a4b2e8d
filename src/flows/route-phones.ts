import type { DeliveryRow } from '../delivery/store.ts'
import type { Plan } from '../policy/plan.ts'

/** Rows to send at once, rows whose time comes later, and whether phones were held back. */
export type Routed = { now: DeliveryRow[]; later: DeliveryRow[]; heldBack: boolean }

/** Phones wait for the grace to pass, or stay silent; browsers and chats are told at once. */
export function routePhones(rows: DeliveryRow[], { phone }: Plan): Routed {
  const others = rows.filter((row) => row.kind !== 'phone')
  const phones = rows.filter((row) => row.kind === 'phone')
  if (phone === 'suppressed') return { now: others, later: [], heldBack: phones.length > 0 }
  if (phone.delayMs === 0) return { now: rows, later: [], heldBack: false }
  return { now: others, later: phones.map((row) => delayed(row, phone.delayMs)), heldBack: false }
}

/** In nobody's hands until it is due: whoever looks then sends it, also after a restart. */
function delayed(row: DeliveryRow, ms: number): DeliveryRow {
  return { ...row, nextAt: row.createdAt + ms, claimedBy: null, claimedUntil: 0 }
}
