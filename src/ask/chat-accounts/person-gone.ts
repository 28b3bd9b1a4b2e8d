import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { dropAccounts, dropCodesFor, listAccounts } from './model/store.ts'

/** The accounts of a removed person answer nothing any more; those of one who is switched off are checked at each press. */
export const CHAT_ACCOUNTS_OF_GONE: PersonGone = {
  columns: { 'chat_accounts.person_id': 'nothing', 'account_codes.person_id': 'nothing' },
  async end(tx, whose) {
    await dropAccounts(tx, whose)
    return undefined
  },
  async off(tx, whose) {
    await dropCodesFor(tx, whose)
    return undefined
  },
  async list(read, whose) {
    const accounts = await listAccounts(read, whose)
    if (accounts.length === 0) return []
    return [`${counted(accounts.length, 'account')} in chats.`]
  },
}
