import type { PersonGone } from '../accounts/model/person-gone.ts'
import { endClaimsOf } from './claim-question.ts'
import { deleteClaimsOf } from './model/store.ts'

/** What they looked after goes on without them. */
export const CLAIMS_OF_GONE: PersonGone = {
  columns: { 'claims.person_id': 'nothing' },
  async end(tx, removal) {
    await endClaimsOf(tx, removal.personId, removal.at)
    await deleteClaimsOf(tx, removal)
    return undefined
  },
  async off(tx, { personId, at }) {
    await endClaimsOf(tx, personId, at)
    return undefined
  },
}
