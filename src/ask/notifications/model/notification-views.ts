import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { omitUndefined } from '../../../platform/json.ts'
import { oneOf } from '../../../platform/schema.ts'
import { NotificationContext } from '../../wire/notification-fields.ts'
import type { Notification } from './notification.ts'

const text = Type.Optional(Type.String())

/** A notification as a person sees it. */
export const ShownNotification = Type.Object({
  id: Type.String(),
  title: Type.String(),
  body: Type.String(),
  agentName: text,
  machineId: text,
  sessionId: text,
  context: Type.Optional(NotificationContext),
  url: text,
  iconUrl: text,
  imageUrl: text,
  linkedCorrelationId: text,
  held: Type.Optional(
    oneOf(['quiet_hours', 'switched_off', 'collapsed'], {
      description: 'Why it was sent to nobody; collapsed: one push announced several together.',
    }),
  ),
  env: Type.Optional(Type.Literal('test')),
  createdAt: Type.String({ format: 'date-time' }),
})
export type ShownNotification = Static<typeof ShownNotification>

export function shownNotification(notification: Notification): ShownNotification {
  return omitUndefined({
    id: notification.id,
    title: notification.title,
    body: notification.body,
    agentName: notification.agentName,
    machineId: notification.machineId,
    sessionId: notification.sessionId,
    context: notification.context,
    url: notification.url,
    iconUrl: notification.iconUrl,
    imageUrl: notification.imageUrl,
    linkedCorrelationId: notification.questionId,
    held: notification.held,
    env: notification.test ? ('test' as const) : undefined,
    createdAt: isoTime(notification.createdAt),
  })
}
