import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
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
