import type { Tx } from '../../../platform/db/database.ts'
import { readServerKey } from '../../../platform/db/server-key.ts'
import { hashOf, signSeal } from './seal.ts'
import { addSeal, lastSeal } from './seal-store.ts'

/** The fields with which the next link of the chain begins. Call it with the chain locked. */
export async function nextLink(tx: Tx, now: number) {
  const last = await lastSeal(tx)
  return { seq: (last?.seq ?? 0) + 1, sealedAt: now, previous: last ? hashOf(last) : null }
}

/** Lets one transaction at a time add links, until that transaction ends. */
export async function lockChain(tx: Tx): Promise<void> {
  await tx.lock('seal-audit')
}

/**
 * Records in a signed link that these questions and notifications are removed on purpose, with
 * everything about them; in the transaction that removes them. Call it with the chain locked.
 */
export async function sealRemoval(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0 || !(await lastSeal(tx))) return
  const key = await readServerKey(tx)
  if (!key) return
  const link = { ...(await nextLink(tx, now)), rows: [], removed: [...ids] }
  await addSeal(tx, signSeal(link, key), [])
}
