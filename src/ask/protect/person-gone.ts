import type { PersonGone } from '../accounts/model/person-gone.ts'

/** What somebody proposed stays: others decide it, and it says who wanted it. */
export const PROPOSALS_OF_GONE: PersonGone = {
  columns: {
    'proposed_changes.change': { stays: 'who proposed what others decide' },
    'policy_tokens.created_by': { stays: 'who made a token that others use' },
  },
}
