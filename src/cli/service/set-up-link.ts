import { anyPerson } from '../../ask/accounts/model/person-store.ts'
import type { Config } from '../../platform/config/config.ts'
import { lookInto } from '../../platform/db/look-into.ts'

// The server writes the link right after it is ready.
const TRIES = 20
const PAUSE_MS = 100

/**
 * The link for the first account, as the server wrote it when it last started; undefined if there
 * is an account, empty if the link was not found in the log.
 */
export async function findSetUpLink(
  config: Config,
  readLog: () => Promise<string>,
): Promise<string | undefined> {
  if (await hasAccount(config)) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const log = await readLog()
    const start = log.slice(log.lastIndexOf(' listens on '))
    const link = /https?:\/\/\S+\/setup\?key=\w+/.exec(start)?.[0]
    if (link) return link
    await Bun.sleep(PAUSE_MS)
  }
  return ''
}

async function hasAccount(config: Config): Promise<boolean> {
  try {
    await using data = await lookInto(config)
    return data !== undefined && (await anyPerson(data.read))
  } catch {
    // If the data is closed to this user, the log decides.
    return false
  }
}
