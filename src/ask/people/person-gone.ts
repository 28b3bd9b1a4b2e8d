import { dropInvitationsBy, dropPairings } from '../accounts/model/gone-store.ts'
import { listInvitationsBy } from '../accounts/model/invitation-store.ts'
import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { leaveWorkspace } from '../accounts/model/person-store.ts'
import { endAllSignIns } from '../accounts/model/sign-in-store.ts'
import { afterSignOut } from '../sign-in/after-sign-out.ts'

/**
 * Ends the ways in of a removed person, and the invitations that they made. `removePerson` has
 * ended their tokens before.
 */
export const ACCOUNT_OF_GONE: PersonGone = {
  columns: {
    'people.id': 'nothing',
    'members.person_id': 'nothing',
    'identities.person_id': 'nothing',
    'sign_ins.user_id': 'nothing',
    'credentials.user_id': 'nothing',
    'credentials.account_id': 'nothing',
    'passkeys.user_id': 'nothing',
    'pairing_codes.person_id': 'nothing',
    'verifications.value': 'nothing',
    'verifications.invited_by': 'nothing',
    'agent_tokens.created_by': { stays: 'who made a token that is revoked' },
  },
  async end(tx, { workspaceId, personId }) {
    await dropInvitationsBy(tx, personId)
    await dropPairings(tx, { workspaceId, personId })
    await leaveWorkspace(tx, workspaceId, personId)
    return undefined
  },
  async off(tx, { workspaceId, personId, at, is }) {
    await dropInvitationsBy(tx, personId)
    if (is === 'auditor') return undefined
    await dropPairings(tx, { workspaceId, personId })
    await endAllSignIns(tx, personId)
    await afterSignOut(tx, personId, at)
    return undefined
  },
  async list(read, { personId }, now) {
    const { length } = await listInvitationsBy(read, personId, now)
    const links = `${counted(length, 'invitation')} of others, not used yet.`
    return ['Sign-ins, password and passkeys.', ...(length > 0 ? [links] : [])]
  },
}
