import { asc, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { alarms } from './table.ts'

/** A problem with the server's own set-up, until it is solved. */
export type Alarm = { name: string; text: string; at: number }

/** Raises the alarm, or updates its text. */
export async function raiseAlarm(tx: Tx, alarm: Alarm): Promise<void> {
  await tx
    .insert(alarms)
    .values({ ...alarm, since: alarm.at })
    .onConflictDoUpdate({ target: alarms.name, set: { text: alarm.text, at: alarm.at } })
}

export async function clearAlarms(tx: Tx, names: string[]): Promise<void> {
  if (names.length > 0) await tx.delete(alarms).where(inArray(alarms.name, names))
}

/** The alarms for the devices page and the doctor, the oldest first. */
export async function listAlarms(read: Read): Promise<Array<Alarm & { since: number }>> {
  return read.select().from(alarms).orderBy(asc(alarms.since), asc(alarms.name))
}
