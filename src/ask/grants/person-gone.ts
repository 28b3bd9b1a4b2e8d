import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { endGrantsOf } from './grants.ts'
import { listGrants } from './model/store.ts'

/** Ends the grants of a removed person. */
export const GRANTS_OF_GONE: PersonGone = {
  columns: { 'grants.person_id': { stays: 'who gave a grant that is over' } },
  async end(tx, removal) {
    await endGrantsOf(tx, removal)
    return undefined
  },
  async off(tx, { workspaceId, personId, tokens, at, by }) {
    await endGrantsOf(tx, { workspaceId, personId, revoked: tokens, at, by })
    return undefined
  },
  async list(read, { workspaceId, personId }, now) {
    const grants = await listGrants(read, { workspaceId }, now)
    const count = grants.filter((grant) => grant.personId === personId).length
    return count > 0 ? [`${counted(count, 'call')} that was allowed for a while.`] : []
  },
}
