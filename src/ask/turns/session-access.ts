import type { Clock } from '../../platform/clock.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { SessionAccess } from '../delivery/channel-module.ts'
import { findSessionByKey } from '../sessions/model/store.ts'
import type { NotificationId } from '../wire/ids.ts'
import { instructSession } from './instruct.ts'
import { findTurn } from './model/turn-store.ts'

type Deps = {
  db: Db
  clock: Clock
  /** Passed in, because notifications come after turns. */
  findNotification(
    read: Read,
    workspaceId: WorkspaceId,
    id: NotificationId,
  ): Promise<{ machineId: string | undefined; sessionId: string | undefined } | undefined>
}

/** What channels may do with sessions. */
export function sessionAccess({ findNotification, ...deps }: Deps): SessionAccess {
  const { read } = deps.db
  return {
    async ofMessage({ message, subjectId }, workspaceId) {
      if (message.kind !== 'notification' || !subjectId.startsWith('n_')) return undefined
      const id = subjectId as NotificationId
      const notification = await findNotification(read, workspaceId, id)
      if (notification?.machineId === undefined || notification.sessionId === undefined)
        return undefined
      const { machineId, sessionId } = notification
      const session = await findSessionByKey(read, { workspaceId, machineId, sessionId })
      return session && (await findTurn(read, workspaceId, session.id))?.id
    },
    async instruct(person, session, draft) {
      await instructSession(deps, person, session, draft)
    },
  }
}
