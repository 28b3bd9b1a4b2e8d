import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropAccounts } from './model/store.ts'

/** The accounts of a removed person answer nothing any more. */
export const CHAT_ACCOUNTS_OF_GONE: PersonGone = {
  columns: { 'chat_accounts.person_id': 'nothing' },
  async end(tx, { personId }) {
    await dropAccounts(tx, personId)
    return undefined
  },
}
