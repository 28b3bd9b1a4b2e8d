import type { Tx } from '../../platform/db/database.ts'
import type { PersonId } from '../../platform/ids.ts'
import { dropConnectCodes } from '../devices/model/connect-code-store.ts'
import { endWaitingCodes } from './model/pairing-store.ts'

/**
 * After sign-ins of this person ended, in the same transaction: their pages stop, and no code that
 * they began signs in a phone or connects a chat.
 */
export async function afterSignOut(tx: Tx, personId: PersonId, now: number): Promise<void> {
  await endWaitingCodes(tx, personId, now)
  await dropConnectCodes(tx, personId)
  tx.emit('sign_in', personId)
}
