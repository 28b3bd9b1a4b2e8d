import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropViewer } from './model/store.ts'

/** What was shown to a removed person is shown to nobody in their place. */
export const VISIBILITY_OF_GONE: PersonGone = {
  columns: { 'viewers.who': 'nothing' },
  async end(tx, { personId }) {
    await dropViewer(tx, personId)
    return undefined
  },
}
