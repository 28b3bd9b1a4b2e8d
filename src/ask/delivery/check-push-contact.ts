import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { clearAlarms, raiseAlarm } from './alarm-store.ts'
import { SUBJECT_ALARM, vapidSubject } from './channels/web-push/vapid.ts'

export type PushContactDeps = {
  db: Db
  clock: Clock
  log: Log
  vapidSubject: string | undefined
  baseUrl: string
}

const ALARM = 'push contact'

/** Raises an alarm while pushes name no contact that Apple accepts, and takes it back after that. */
export async function checkPushContact(deps: PushContactDeps): Promise<void> {
  const { reachable } = vapidSubject(deps.vapidSubject, deps.baseUrl)
  if (!reachable) deps.log.warn(SUBJECT_ALARM)
  const at = deps.clock.now()
  await deps.db.write((tx) =>
    reachable ? clearAlarms(tx, [ALARM]) : raiseAlarm(tx, { name: ALARM, text: SUBJECT_ALARM, at }),
  )
}
