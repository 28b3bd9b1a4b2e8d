import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type WrongField, wrongFields } from '../../platform/failure.ts'
import { isTimeZone } from '../../platform/wall-time.ts'
import type { Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { putOwnQuietHours, readOwnQuietHours } from '../subscribers/model/own-quiet-store.ts'
import type { QuietHours } from '../subscribers/model/quiet-hours.ts'
import {
  eachChange,
  readSwitchedOff,
  type SwitchChanges,
  type Switches,
  setSwitch,
  switchesOf,
} from '../subscribers/model/switch-store.ts'

type Deps = { db: Db; clock: Clock }
type Own = Pick<Person, 'id' | 'workspaceId'>

/** The switches of a person. */
export async function readSwitches({ db }: Pick<Deps, 'db'>, of: Own): Promise<Switches> {
  const off = await readSwitchedOff(db.read, of.workspaceId)
  return switchesOf(off.get(of.id) ?? [])
}

/** The quiet hours of a person; null without any. */
export async function readQuietHours(
  { db }: Pick<Deps, 'db'>,
  of: Own,
): Promise<QuietHours | null> {
  return (await readOwnQuietHours(db.read, of.workspaceId)).get(of.id) ?? null
}

/** Sets a person's own quiet hours, from the next message on; null: none. Throws `invalid_input`. */
export async function changeQuietHours(
  { db, clock }: Deps,
  { workspaceId, id: personId }: Own,
  hours: QuietHours | null,
): Promise<void> {
  const wrong = hours ? wrongHours(hours) : []
  if (wrong.length > 0) throw wrongFields(wrong)
  const stamp = auditStamp(clock.now())
  const detail = hours
    ? `quiet from ${hours.from} to ${hours.to} in ${hours.zone}`
    : 'no quiet hours'
  await db.write(async (tx) => {
    const before = (await readOwnQuietHours(tx, workspaceId)).get(personId) ?? null
    if (Bun.deepEquals(before, hours)) return
    await putOwnQuietHours(tx, { workspaceId, personId }, hours)
    await recordChange(tx, stamp, { workspaceId, kind: 'switches.changed', personId, detail })
  })
}

function wrongHours({ from, to, zone }: QuietHours): WrongField[] {
  const wrong: WrongField[] = []
  if (from === to) wrong.push({ field: 'quietHours.to', must: 'must differ from when they begin' })
  if (!isTimeZone(zone))
    wrong.push({ field: 'quietHours.zone', must: 'must be a time zone like Europe/Berlin' })
  return wrong
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
