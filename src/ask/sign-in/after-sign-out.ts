import type { Tx } from '../../platform/db/database.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { endWaitingCodes } from '../accounts/model/pairing-store.ts'
import { endClaimsOf } from '../claims/claim-question.ts'
import { dropConnectCodes } from '../subscribers/model/connect-code-store.ts'

/**
 * After sign-ins of this person ended, in the same transaction: their pages stop, they look after no
 * question, and no code that they began signs in a phone or connects a chat.
 */
export async function afterSignOut(tx: Tx, personId: PersonId, now: number): Promise<void> {
  await endWaitingCodes(tx, personId, now)
  await dropConnectCodes(tx, personId)
  await endClaimsOf(tx, personId, now)
  tx.emit('sign_in', personId)
}
