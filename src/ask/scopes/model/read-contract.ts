import type { Clock } from '../../../platform/clock.ts'
import type { Db, Read } from '../../../platform/db/database.ts'
import type { Ratified } from './contract.ts'
import { type ContractKey, findInForce, listWidenings } from './store.ts'

/** The contract of a session, and the exact paths that were added to it. */
export type InForce = { contract: Ratified; widened: string[] }

/**
 * What holds for a session now; undefined if nothing does. A session is identified by its id alone:
 * machines that report the same id share the contract.
 */
export async function readInForce(
  { db, clock }: { db: Db; clock: Clock },
  of: ContractKey,
): Promise<InForce | undefined> {
  const contract = await findInForce(db.read, of, clock.now())
  return contract && { contract, widened: await widenedBy(db.read, contract) }
}

async function widenedBy(read: Read, { questionId }: Ratified): Promise<string[]> {
  const widenings = await listWidenings(read, [questionId])
  return [...new Set(widenings.map(({ path }) => path))]
}
