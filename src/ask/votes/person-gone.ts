import type { PersonGone } from '../accounts/model/person-gone.ts'

/** The votes of a removed person count no more, and stay under the name that they had. */
export const VOTES_OF_GONE: PersonGone = {
  columns: { 'votes.person_id': { stays: 'who voted is a part of what was decided' } },
}
