import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { listPolicyTokens } from '../policy-file/model/store.ts'

/** What somebody proposed stays: others decide it, and it says who wanted it. */
export const PROPOSALS_OF_GONE: PersonGone = {
  columns: {
    'proposed_changes.change': { stays: 'who proposed what others decide' },
    'policy_tokens.created_by': { stays: 'who made a token that is refused from then on' },
  },
  async list(read, { workspaceId, personId }) {
    const tokens = await listPolicyTokens(read, workspaceId)
    const { length } = tokens.filter(({ createdBy }) => createdBy === personId)
    const cure = 'refused from then on: make others first'
    return length > 0 ? [`${counted(length, 'token')} for the policy file, ${cure}.`] : []
  },
}
