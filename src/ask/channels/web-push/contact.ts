import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { type Check, failedCheck, passedCheck, warnedCheck } from '../../check.ts'
import { serviceOrigin } from '../../delivery/model/channel.ts'
import { clearAlarms, listAlarms, raiseAlarm } from '../../delivery/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { isApple, SUBJECT_ALARM, SUBJECT_HINT, vapidSubject } from './channel.ts'

export type PushContactDeps = {
  db: Db
  clock: Clock
  log: Log
  vapidSubject: string | undefined
  baseUrl: string
}

const ALARM = 'push contact'

/**
 * Raises an alarm while pushes name no contact that Apple accepts, and clears it after that. Logged
 * when it is raised, not at each start: the devices page and the doctor show it until then.
 */
export async function checkPushContact(deps: PushContactDeps): Promise<void> {
  const { reachable } = vapidSubject(deps.vapidSubject, deps.baseUrl)
  const alarms = await listAlarms(deps.db.read)
  const isNew = alarms.every(({ name }) => name !== ALARM)
  if (!reachable && isNew) deps.log.warn(SUBJECT_HINT)
  const at = deps.clock.now()
  await deps.db.write((tx) =>
    reachable ? clearAlarms(tx, [ALARM]) : raiseAlarm(tx, { name: ALARM, text: SUBJECT_ALARM, at }),
  )
}

/** The contact for this server's pushes; Apple accepts none without one. */
export function contactCheck(
  configured: string | undefined,
  baseUrl: string,
  devices: readonly Subscriber[],
): Check {
  const name = 'Push contact'
  const { subject, reachable } = vapidSubject(configured, baseUrl)
  if (reachable) return passedCheck('push', name, `Push services are told to write to ${subject}.`)
  const message = 'Pushes name no contact that can be reached; Apple refuses those.'
  const cure = 'Set BECKON_VAPID_SUBJECT to a mailto: or https: address of yours.'
  return devices.some((device) => isApple(serviceOrigin(device)))
    ? failedCheck('push', name, message, cure)
    : warnedCheck('push', name, message, cure)
}
