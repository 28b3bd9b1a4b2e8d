import { addReach, NO_REACH, type Reach, reached } from '../delivery/receipts.ts'
import { reachOf } from '../delivery/store.ts'
import type { Opened } from './open-question.ts'

/**
 * How far the question got, with the phones that ring later; undefined when that cannot be read. Of
 * a question that has ended (`isLive` false) no phone rings later any more.
 */
export function reachNow(opened: Opened, isLive = true): Reach | undefined {
  if (!opened.fresh) return opened.reach
  const { sending, later, laterReach = reachOf(later) } = opened
  const rung = isLive ? laterReach : { ...laterReach, pending: false }
  return addReach(sending?.reach() ?? NO_REACH, rung)
}

/** Nobody was there to tell, or nobody could be told; false as long as somebody may be yet. */
export function nobodyToTell(opened: Opened): boolean {
  // One push tells of several together.
  if (opened.question.detail.collapsed) return false
  const reach = reachNow(opened)
  return reach !== undefined && reached(reach) === 0 && !reach.pending
}
