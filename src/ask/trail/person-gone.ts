import type { PersonGone } from '../accounts/model/person-gone.ts'

const NAMES = { stays: 'the trail names people as they were' }

export const TRAIL_OF_GONE: PersonGone = {
  columns: { 'audit.person_id': NAMES, 'audit.subject_id': NAMES },
}
