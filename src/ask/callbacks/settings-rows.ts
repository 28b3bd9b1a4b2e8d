import type { Db } from '../../platform/db/database.ts'
import { paths } from '../pages/paths.ts'
import type { SettingsRow } from '../settings-row.ts'
import { listCallbacks } from './model/store.ts'

// As many as the first page of the list shows.
const LAST = 20

/** Answers that are posted to programs. */
export function callbackRows({ db }: { db: Db }): SettingsRow[] {
  return [
    {
      group: 'agents',
      to: paths.callbacks,
      icon: 'link',
      name: 'Callbacks',
      needs: 'callbacks',
      async state({ person }) {
        const page = { before: undefined, limit: LAST }
        const last = await listCallbacks(db.read, person.workspaceId, page)
        const lapsed = last.filter(({ state }) => state === 'lapsed').length
        if (lapsed > 0)
          return { words: `${lapsed} of the last ${last.length} given up`, tone: 'bad' }
        return { words: last.length === 0 ? 'Nothing posted yet' : 'The last ones arrived' }
      },
    },
  ]
}
