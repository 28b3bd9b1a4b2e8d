import type { Clock } from '../../platform/clock.ts'
import { isLoopbackName } from '../../platform/config/origins.ts'
import type { Db } from '../../platform/db/database.ts'
import { keepSetting, readSecrets, readSetting } from '../../platform/db/settings-store.ts'

/** The default of a folder when it was new: sign-ins of clients `on` or `off`. */
const SETTING = 'oauth_default'

/**
 * Returns true if MCP clients may sign in. The configuration decides. Without it, a data folder
 * that is served for the first time begins with sign-ins, and an older one stays without, because
 * its owner was not told. Over plain http only on this machine: codes and tokens would be readable
 * on the way. Call it before the server makes its secrets, which tell whether it is the first time.
 */
export async function oauthFor(
  { db, clock }: { db: Db; clock: Clock },
  { oauth, baseUrl }: { oauth: boolean | undefined; baseUrl: string },
): Promise<boolean> {
  const setting = await readSetting(db.read, SETTING)
  const begins = setting ?? (await keepDefault({ db, clock }))
  if (oauth !== undefined) return oauth
  return begins === 'on' && mayBeOn(baseUrl)
}

async function keepDefault({ db, clock }: { db: Db; clock: Clock }): Promise<string> {
  const value = (await readSecrets(db.read)) ? 'off' : 'on'
  const now = clock.now()
  return await db.write((tx) => keepSetting(tx, SETTING, value, now))
}

/**
 * Returns true if tokens are protected on their way: over https, or without leaving this machine.
 */
function mayBeOn(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'https:' || isLoopbackName(hostname)
}
