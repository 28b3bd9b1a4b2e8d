import type { Db, Tx } from '../../platform/db/database.ts'
import { newId, type TokenId } from '../../platform/ids.ts'
import { cutText } from '../../platform/text.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { Notification } from '../notifications/model/notification.ts'
import { insertNotification } from '../notifications/model/store.ts'
import { notificationMessage } from '../notifications/notification-message.ts'
import type { Hook } from './model/hook.ts'

type Deps = { db: Db; sender: Sender }

/** A message of the server itself about the hook of a session. */
export type HookNotice = {
  hook: Pick<Hook, 'workspaceId' | 'sessionId' | 'machineId'>
  /** The token of the agent. */
  tokenId: TokenId
  agentName: string | undefined
  title: string
  body: string
  nextSteps: string
  at: number
}

const SUMMARY_MAX = 200

/**
 * Notifies the person, on every device, if `isNew` says in the transaction that this was not done
 * before; the notification is of type `error`, so that quiet hours do not hold it. Resolves to
 * whether it was sent.
 */
export async function tellOfHook(
  { db, sender }: Deps,
  notice: HookNotice,
  isNew: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const notification = notificationOf(notice)
  const rows = await sender.address(db.read, notificationMessage(notification))
  const told = await db.write(async (tx) => {
    if (!(await isNew(tx))) return false
    // It is not the token's own traffic, so it does not count towards its limits.
    await insertNotification(tx, notification, 0)
    await sender.store(tx, rows)
    tx.emit('notification', notification.id)
    return true
  })
  if (told) sender.send(rows)
  return told
}

function notificationOf({ hook, tokenId, agentName, title, body, nextSteps, at }: HookNotice) {
  const { workspaceId, sessionId, machineId } = hook
  const context = { type: 'error' as const, summary: cutText(body, SUMMARY_MAX), nextSteps }
  const nothing = {
    url: undefined,
    iconUrl: undefined,
    imageUrl: undefined,
    questionId: undefined,
    held: undefined,
    groupId: undefined,
    groupSize: undefined,
  }
  return {
    ...nothing,
    id: newId('n', at),
    workspaceId,
    sessionId,
    tokenId,
    agentName,
    title,
    body,
    context,
    machineId: machineId || undefined,
    targeting: {},
    test: false,
    createdAt: at,
  } satisfies Notification
}
