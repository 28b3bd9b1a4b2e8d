import type { PersonGone } from '../accounts/model/person-gone.ts'

export const DELIVERIES_OF_GONE: PersonGone = {
  columns: { 'push_counts.recipient': { stays: 'for the minute that it counts' } },
}
