import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { deleteWatches, listWatches } from './model/store.ts'

/** Nobody is told in the place of a removed person; one who is switched off is not told. */
export const WATCHES_OF_GONE: PersonGone = {
  columns: { 'watches.person_id': 'nothing' },
  async end(tx, { workspaceId, personId }) {
    await deleteWatches(tx, { workspaceId, personId })
    return undefined
  },
  async list(read, { workspaceId, personId }) {
    const { length } = await listWatches(read, { workspaceId, personId })
    return length > 0 ? [`Their ${counted(length, 'watch').replace(/watchs$/, 'watches')}.`] : []
  },
}
