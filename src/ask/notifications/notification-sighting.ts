import type { Sighting } from '../sessions/model/store.ts'
import { sightingOf } from '../sessions/see-session.ts'
import type { Notification } from './model/notification.ts'

/** Returns the sighting that a notification reports of its session; undefined if it names none. */
export function notificationSighting(notification: Notification): Sighting | undefined {
  const { agentName, title, context, createdAt } = notification
  const errored = context?.type === 'error'
  const facts = { agentName, repoKey: undefined, lastAction: title, errored, at: createdAt }
  return sightingOf(notification, facts)
}
