import type { Clock } from '../clock.ts'
import { makePrivatePem, readPrivatePem, type SignKey } from '../signing/ed25519.ts'
import type { Db, Read } from './database.ts'
import { keepSetting, readSetting } from './settings-store.ts'

const SETTING = 'server_signing_key'

/**
 * The key that the server signs with; made when it is first needed. If several processes make one
 * at once, all use the first one's.
 */
export async function loadServerKey({ db, clock }: { db: Db; clock: Clock }): Promise<SignKey> {
  const existing = await readServerKey(db.read)
  if (existing) return existing
  const pem = makePrivatePem()
  const now = clock.now()
  return readPrivatePem(await db.write((tx) => keepSetting(tx, SETTING, pem, now)))
}

/** The key, if it exists already. */
export async function readServerKey(read: Read): Promise<SignKey | undefined> {
  const pem = await readSetting(read, SETTING)
  return pem === undefined ? undefined : readPrivatePem(pem)
}
