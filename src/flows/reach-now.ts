import { addReach, NO_REACH, type Reach, reached } from '../delivery/receipts.ts'
import { reachOf } from '../delivery/store.ts'
import type { Opened } from './open-question.ts'

/** How far the question got, with the phones that ring later. */
export function reachNow(opened: Opened): Reach {
  if (!opened.fresh) return opened.reach
  const { sending, later, laterReach } = opened
  return addReach(sending?.reach() ?? NO_REACH, laterReach ?? reachOf(later))
}

/** Nobody was there to tell, or nobody could be told. */
export function nobodyToTell(opened: Opened): boolean {
  const reach = reachNow(opened)
  return reached(reach) === 0 && !reach.pending
}
