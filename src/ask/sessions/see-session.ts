import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { cutText } from '../../platform/text.ts'
import type { Notification } from '../notifications/model/notification.ts'
import type { Question } from '../questions/model/question.ts'
import { type Sighting, sightSession } from './model/store.ts'

const ACTION_MAX = 200

/** Returns the sighting that a question reports of its session; undefined if it names none. */
export function questionSighting(question: Question): Sighting | undefined {
  const { agentName, repoKey, createdAt, detail } = question
  const { action, intent } = detail
  const lastAction = action ?? question.question
  return sighting(question, {
    agentName,
    repoKey,
    intent,
    lastAction,
    errored: false,
    at: createdAt,
  })
}

/** Returns the sighting that a notification reports of its session; undefined if it names none. */
export function notificationSighting(notification: Notification): Sighting | undefined {
  const { agentName, title, context, createdAt } = notification
  const errored = context?.type === 'error'
  const facts = { agentName, repoKey: undefined, lastAction: title, errored, at: createdAt }
  return sighting(notification, facts)
}

/** Stores the sighting and notifies pages that show the session; resolves to whether it is new. */
export async function seeSession(tx: Tx, current: Sighting): Promise<boolean> {
  const id = await sightSession(tx, current)
  if (id !== undefined) tx.emit('session', id)
  return id === current.id
}

type SessionSubject = Pick<
  Question,
  'workspaceId' | 'machineId' | 'sessionId' | 'createdAt' | 'test'
>
type SightingDetails = Required<
  Pick<Sighting, 'agentName' | 'repoKey' | 'lastAction' | 'errored' | 'at'>
> &
  Pick<Sighting, 'intent'>

function sighting(of: SessionSubject, facts: SightingDetails): Sighting | undefined {
  const { workspaceId, machineId = '', sessionId, createdAt, test } = of
  if (sessionId === undefined) return undefined
  return {
    ...facts,
    workspaceId,
    machineId,
    sessionId,
    test,
    id: newId('ses', createdAt),
    client: undefined,
    lastAction: cutText(facts.lastAction, ACTION_MAX),
  }
}
