import type { Db } from '../../platform/db/database.ts'
import { listPeople, whoCanSignIn } from '../accounts/model/person-store.ts'
import { paths } from '../pages/paths.ts'
import type { SettingsRow } from '../settings-row.ts'

/** Who signs in. */
export function peopleRows({ db }: { db: Db }): SettingsRow[] {
  return [
    {
      group: 'people',
      to: paths.people,
      icon: 'person',
      name: 'People',
      async state({ person }) {
        const people = await listPeople(db.read, person.workspaceId)
        const ways = await whoCanSignIn(db.read)
        const invited = people.filter(({ id }) => !ways.has(id)).length
        const words = people.length === 1 ? 'Only you' : `${people.length} people`
        return { words: invited > 0 ? `${words}, ${invited} not signed in yet` : words }
      },
    },
  ]
}
