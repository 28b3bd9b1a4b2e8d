import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { readGrants } from '../grants/grants.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'

/** What people allowed for a while. */
export function grantRows(deps: { db: Db; clock: Clock }): SettingsRow[] {
  return [
    {
      group: 'agents',
      to: paths.allowed,
      icon: 'clock',
      name: 'Allowed for now',
      async state({ person }) {
        const grants = await readGrants(deps, person.workspaceId)
        return { words: countWords(grants.length, 'call', 'Nothing passes without asking') }
      },
    },
  ]
}
