import type { Clock } from '../clock.ts'
import { makePrivatePem, readPrivatePem, type SignKey } from '../ed25519.ts'
import type { Db, Read, Tx } from './database.ts'
import { keepSetting, readSetting } from './settings-store.ts'

const SETTING = 'server_signing_key'

/**
 * The key that the server signs with what it vouches for; made when it is first needed. Processes
 * that make it at once agree on the first one's.
 */
export async function loadServerKey({ db, clock }: { db: Db; clock: Clock }): Promise<SignKey> {
  const known = await readServerKey(db.read)
  if (known) return known
  return await db.write((tx) => keepServerKey(tx, clock.now()))
}

/** The same within a transaction, which may be rolled back with the key that it made. */
export async function keepServerKey(tx: Tx, now: number): Promise<SignKey> {
  return readPrivatePem(await keepSetting(tx, SETTING, makePrivatePem(), now))
}

/** The key, if there is one already. */
export async function readServerKey(read: Read): Promise<SignKey | undefined> {
  const known = await readSetting(read, SETTING)
  return known === undefined ? undefined : readPrivatePem(known)
}
