import type { Notification } from './notification.ts'

/** Messages this close together form one group on a device: the later replaces the earlier. */
export const COLLAPSE_MS = 5 * 60_000
/** How many of a session's last messages are searched for one that the next continues. */
export const COLLAPSE_LOOK = 20

type CollapseFields = Pick<
  Notification,
  | 'id'
  | 'tokenId'
  | 'machineId'
  | 'sessionId'
  | 'context'
  | 'questionId'
  | 'targeting'
  | 'test'
  | 'held'
  | 'createdAt'
>
type Group = Pick<Notification, 'groupId' | 'groupSize'>

const NO_GROUP: Group = { groupId: undefined, groupSize: undefined }

/**
 * Groups messages that replace each other on devices: those of one session, one type and one
 * targeting, each within five minutes of the one before. Never errors, questions, test traffic or
 * messages without a session. `before`: the session's last messages.
 */
export function groupOf(
  next: CollapseFields,
  before: ReadonlyArray<CollapseFields & Group>,
): Group {
  if (!mayCollapse(next)) return NO_GROUP
  const last = before.filter((one) => mayCollapse(one) && continues(next, one)).sort(newestFirst)[0]
  if (!last || next.createdAt - last.createdAt >= COLLAPSE_MS) {
    return { groupId: next.id, groupSize: 1 }
  }
  return { groupId: last.groupId ?? last.id, groupSize: (last.groupSize ?? 1) + 1 }
}

/** An update in a group that has already sounded makes no sound; a finished task always does. */
export function comesQuietly({ context, groupSize }: Pick<Notification, 'context' | 'groupSize'>) {
  return (groupSize ?? 1) > 1 && typeOf({ context }) === 'info'
}

/** Ids of the same millisecond have no order; the counts do. */
function newestFirst(a: CollapseFields & Group, b: CollapseFields & Group): number {
  return b.createdAt - a.createdAt || (b.groupSize ?? 1) - (a.groupSize ?? 1)
}

function mayCollapse(notification: CollapseFields): boolean {
  const { sessionId, questionId, test, held } = notification
  if (sessionId === undefined || questionId !== undefined || test || held) return false
  return typeOf(notification) !== 'error'
}

function continues(next: CollapseFields, last: CollapseFields): boolean {
  return storyOf(next) === storyOf(last)
}

function storyOf(notification: CollapseFields): string {
  const { tokenId, machineId = '', sessionId = '' } = notification
  const { externalIds = [], subscriberIds = [], tags = [] } = notification.targeting
  const targeting = [externalIds, subscriberIds, tags].map((names) => [...names].sort())
  return JSON.stringify([tokenId, machineId, sessionId, typeOf(notification), targeting])
}

function typeOf({ context }: Pick<CollapseFields, 'context'>) {
  return context?.type ?? 'info'
}
