import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { paths } from '../pages/paths.ts'
import type { SettingsRow } from '../settings-row.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'
import { listSubscribers } from '../subscribers/model/store.ts'
import { reachState } from '../subscribers/reach-state.ts'
import { readSwitches } from './own-switches.ts'

/** The devices of the workspace, and what reaches those of the person. */
export function deviceRows(deps: { db: Db; clock: Clock }): SettingsRow[] {
  const { read } = deps.db
  return [
    {
      group: 'you',
      to: paths.ownSwitches,
      icon: 'bell',
      name: 'Notifications',
      async state({ person }) {
        const { id: personId, workspaceId } = person
        const switches = await readSwitches(deps, person)
        const own = await listOwnSubscribers(read, { workspaceId, personId })
        if (own.length > 0 && own.every(({ kind }) => !switches.question[kind])) {
          return { words: 'Questions reach none of your devices', tone: 'wait' }
        }
        const kinds = new Set(own.map(({ kind }) => kind))
        const all = Object.values(switches).every((on) => [...kinds].every((kind) => on[kind]))
        return { words: all ? 'Everything reaches your devices' : 'Some messages are switched off' }
      },
    },
    {
      group: 'reach',
      to: paths.devices,
      icon: 'phone',
      name: 'Devices',
      async state({ person }) {
        const devices = await listSubscribers(read, person.workspaceId)
        return reachState(devices, 'device', { words: 'None yet: nothing rings', tone: 'wait' })
      },
    },
  ]
}
