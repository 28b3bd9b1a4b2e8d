import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/record-change.ts'
import type { DeliveryRow } from '../delivery/model/store.ts'
import type { Notification } from '../notifications/model/notification.ts'
import type { Question } from '../questions/model/question.ts'
import { readSwitchedOff, setSwitch } from './model/switch-store.ts'
import { eachChange, type SwitchChanges, type Switches, switchesOf } from './model/switches.ts'

type Deps = { db: Db; clock: Clock }
type Own = Pick<Person, 'id' | 'workspaceId'>

/** The switches of a person. */
export async function readSwitches({ db }: Pick<Deps, 'db'>, of: Own): Promise<Switches> {
  const off = await readSwitchedOff(db.read, of.workspaceId)
  return switchesOf(off.get(of.id) ?? [])
}

/** Changes some of a person's own switches, from the next message on. */
export async function changeSwitches(
  deps: Deps,
  of: Own,
  changes: SwitchChanges,
): Promise<Switches> {
  const { db, clock } = deps
  const { workspaceId, id: personId } = of
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    const changed: string[] = []
    for (const change of eachChange(changes)) {
      const { sort, kind, on } = change
      if (!(await setSwitch(tx, { workspaceId, personId }, change))) continue
      changed.push(`${sort} on ${kind}: ${on ? 'on' : 'off'}`)
    }
    if (changed.length === 0) return
    const detail = changed.join(', ')
    await recordChange(tx, stamp, { workspaceId, kind: 'switches.changed', personId, detail })
  })
  return readSwitches(deps, of)
}

/** Records on a question that people's own switches kept it from all or some of its devices. */
export function withSwitches(question: Question, rows: readonly DeliveryRow[]): Question {
  const off = rows.filter(isHeld).length
  if (off === 0) return question
  const switchedOff = off === rows.length ? 'all' : 'some'
  return { ...question, detail: { ...question.detail, switchedOff } }
}

/** Records on a notification that everybody it was for has switched it off. */
export function heldBySwitches(told: Notification, rows: readonly DeliveryRow[]): Notification {
  return rows.length > 0 && rows.every(isHeld) ? { ...told, held: 'switched_off' } : told
}

/**
 * Records on a notification that one push announces it together with others, for everybody it was
 * for.
 */
export function heldByLimit(told: Notification, rows: readonly DeliveryRow[]): Notification {
  return rows.some((row) => !isHeld(row)) ? told : { ...told, held: 'collapsed' }
}

function isHeld({ state }: DeliveryRow): boolean {
  return state === 'held'
}
