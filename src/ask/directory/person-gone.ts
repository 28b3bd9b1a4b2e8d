import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropDirectoryPerson } from './model/store.ts'

/** A directory makes a removed person anew, if it still has them. */
export const DIRECTORY_OF_GONE: PersonGone = {
  columns: { 'directory_people.person_id': 'nothing' },
  async end(tx, { personId }) {
    await dropDirectoryPerson(tx, personId)
    return undefined
  },
}
