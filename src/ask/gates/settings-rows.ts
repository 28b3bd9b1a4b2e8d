import type { Db } from '../../platform/db/database.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'
import { readSeenGates } from './read-gates.ts'

/** What stands before the MCP servers of agents. */
export function gateRows({ db }: { db: Db }): SettingsRow[] {
  return [
    {
      group: 'agents',
      to: paths.gates,
      icon: 'filter',
      name: 'Gates',
      async state({ person }) {
        const gates = await readSeenGates(db.read, person.workspaceId)
        const toLookAt = gates.filter((gate) => gate.toLookAt > 0).length
        if (toLookAt > 0) {
          return { words: `${toLookAt} of ${gates.length} to look at`, tone: 'wait' }
        }
        return { words: countWords(gates.length, 'server', 'No server behind a gate yet') }
      },
    },
  ]
}
