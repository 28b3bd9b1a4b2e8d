import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { dropFromGroups, listGroupMembers } from './model/store.ts'

/** A removed person is in no group any more. */
export const GROUPS_OF_GONE: PersonGone = {
  columns: { 'group_members.person_id': 'nothing' },
  async end(tx, whose) {
    await dropFromGroups(tx, whose)
    return undefined
  },
  async list(read, { workspaceId, personId }) {
    const rows = await listGroupMembers(read, workspaceId)
    const ids = new Set(rows.filter((one) => one.personId === personId).map((one) => one.groupId))
    return ids.size > 0 ? [`Their place in ${counted(ids.size, 'group')}.`] : []
  },
}
