import { and, desc, eq, inArray, or } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { createdWithin, type TimeRange } from '../../../platform/db/sql.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { NotificationId } from '../../wire/ids.ts'
import { isShown } from './store.ts'
import { notifications } from './table.ts'

/** The fields that the audit trail shows. */
const TRAIL = {
  id: notifications.id,
  tokenId: notifications.tokenId,
  title: notifications.title,
  agentName: notifications.agentName,
  machineId: notifications.machineId,
  sessionId: notifications.sessionId,
  test: notifications.test,
  createdAt: notifications.createdAt,
}

export type TrailNotification = Awaited<ReturnType<typeof listSent>>[number]

/**
 * Notifications by when they were sent; `agent` is an agent's name or the id of its token. With
 * `subjectIds` only those of them that are ids of notifications.
 */
export async function listSent(
  read: Read,
  workspaceId: WorkspaceId,
  filter: {
    agent: string | undefined
    sessionId: string | undefined
    subjectIds?: readonly string[] | undefined
  },
  range: TimeRange,
) {
  const { agent, sessionId, subjectIds } = filter
  return read
    .select(TRAIL)
    .from(notifications)
    .where(
      and(
        eq(notifications.workspaceId, workspaceId),
        createdWithin(notifications.id, 'n', range),
        subjectIds && inArray(notifications.id, subjectIds as NotificationId[]),
        agent === undefined
          ? undefined
          : or(eq(notifications.agentName, agent), eq(notifications.tokenId, agent as TokenId)),
        sessionId === undefined ? undefined : eq(notifications.sessionId, sessionId),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(range.limit)
}

/** The notifications with these ids that exist, by id. */
export async function readTrailNotifications(
  read: Read,
  ids: readonly NotificationId[],
): Promise<Map<NotificationId, TrailNotification>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select(TRAIL)
    .from(notifications)
    .where(inArray(notifications.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those of these notifications that a viewer sees. */
export async function listVisibleNotifications(
  read: Read,
  viewer: Viewer,
  ids: readonly NotificationId[],
): Promise<NotificationId[]> {
  if (ids.length === 0) return []
  const rows = await read
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(inArray(notifications.id, [...ids]), isShown(read, viewer)))
  return rows.map(({ id }) => id)
}
