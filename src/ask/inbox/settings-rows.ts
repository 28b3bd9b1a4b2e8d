import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { hasUndo } from '../accounts/model/undo-store.ts'
import { readGrants } from '../grants/grants.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'

/** What people allowed for a while, and whether a person can undo their answers. */
export function answerRows(deps: { db: Db; clock: Clock }): SettingsRow[] {
  return [
    {
      group: 'you',
      to: paths.ownUndo,
      icon: 'undo',
      name: 'Undo',
      async state({ person }) {
        const isOn = await hasUndo(deps.db.read, person)
        return { words: isOn ? 'Five seconds after an answer' : 'Off: answers are sent at once' }
      },
    },
    {
      group: 'agents',
      to: paths.allowed,
      icon: 'clock',
      name: 'Allowed for now',
      async state({ person }) {
        const grants = await readGrants(deps, person)
        return { words: countWords(grants.length, 'call', 'Nothing passes without asking') }
      },
    },
  ]
}
