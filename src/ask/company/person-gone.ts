import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropFlowsOf } from './model/flow-store.ts'

/** Accounts that wait to be connected are forgotten; those that are, end with the person. */
export const ACCOUNTS_OF_GONE: PersonGone = {
  columns: { 'sign_in_flows.person_id': 'nothing' },
  async end(tx, { personId }) {
    await dropFlowsOf(tx, personId)
    return undefined
  },
  async off(tx, { personId, is }) {
    if (is === 'off') await dropFlowsOf(tx, personId)
    return undefined
  },
}
