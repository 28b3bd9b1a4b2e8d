import canonicalize from 'canonicalize'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import { KEY_KEPT_MS, nameSome } from '../questions/model/key.ts'
import { matchesNothing } from '../subscribers/model/unmatched.ts'
import type { SendNotificationInput, SendNotificationResult } from '../wire/notification-fields.ts'
import { type Notification, subjectOf } from './model/notification.ts'
import { findByKey, forgetKey, type KeyedNotification } from './model/store.ts'
import { notificationResult } from './notification-result.ts'

/**
 * The key under which a retry finds its notification, within its workspace; undefined for a call
 * without an id. As for questions, clients reuse ids, so the place is part of it.
 */
export function keyOfNotification(of: Notification, { id }: CallContext): string | undefined {
  if (id === undefined) return undefined
  const { tokenId, machineId = null, sessionId = null, test } = of
  return JSON.stringify([test ? 'test' : 'live', tokenId, machineId, sessionId, id])
}

/**
 * The notification that was sent under `key` within the last hour. An older one loses its key, so
 * that another can have it.
 */
export async function findRepeated(
  tx: Tx,
  { workspaceId, createdAt: now }: Notification,
  key: string,
): Promise<KeyedNotification | undefined> {
  await tx.lock(`notification ${workspaceId} ${key}`)
  const existing = await findByKey(tx, workspaceId, key)
  if (!existing || existing.notification.createdAt > now - KEY_KEPT_MS) return existing
  await forgetKey(tx, existing.notification)
  return undefined
}

/**
 * Returns the result of a call whose id was used: that of the first call; if it says something
 * else, that it was not sent.
 */
export async function repeatedResult(
  { db }: { db: Db },
  { notification, result }: KeyedNotification,
  again: Notification,
  { context, url }: SendNotificationInput,
): Promise<SendNotificationResult> {
  const different = differences(notification, again)
  if (different.length > 0) return notSent(again, different)
  if (result) return result
  // The server ended, or still waits for the push services.
  const { workspaceId, targeting, held } = notification
  const rows = await listDeliveries(db.read, workspaceId, subjectOf(notification))
  const isMissed = rows.length === 0 && !notification.test && !held
  const isNothing = isMissed && (await matchesNothing(db.read, workspaceId, targeting))
  const unmatched = isNothing ? { targeting, byCall: false } : undefined
  return notificationResult(notification, countDeliveries(rows), unmatched, {
    collapsed: held === 'collapsed' ? 1 : 0,
    removed: 0,
    urlUnused: context !== undefined && url !== undefined,
  })
}

const CONTENT = [
  'title',
  'body',
  'agentName',
  'context',
  'url',
  'iconUrl',
  'imageUrl',
  'targeting',
] as const

function differences(one: Notification, other: Notification): string[] {
  return CONTENT.filter((name) => canonicalize(one[name]) !== canonicalize(other[name]))
}

const NOT_SENT = 'Not sent: an earlier notification has this id.'

function notSent({ test }: Notification, different: string[]): SendNotificationResult {
  return {
    sent: 0,
    delivery: {
      web: { recipients: 0, status: NOT_SENT },
      mobile: { recipients: 0, status: NOT_SENT },
    },
    ...(test ? { env: 'test' as const } : {}),
    hint: `An earlier notification has this id, so this one was not sent (different: ${nameSome(different)}). Send it under another id.`,
  }
}
