import type { PersonGone } from '../accounts/model/person-gone.ts'

export const RECEIPTS_OF_GONE: PersonGone = {
  columns: { 'receipts.payload': { stays: 'a signed receipt names who decided' } },
}
