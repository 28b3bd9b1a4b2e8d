import { join } from 'node:path'
import { anyPerson } from '../../ask/accounts/model/person-store.ts'
import { DATABASE_FILE } from '../../platform/db/data-folder.ts'
import { openReader } from '../../platform/db/sqlite.ts'

// The server writes the link right after it is ready.
const TRIES = 20
const PAUSE_MS = 100

/**
 * The link for the first account, as the server wrote it when it last started; undefined when there
 * is an account, empty when the link was not found in the log.
 */
export async function findSetUpLink(
  dataFolder: string,
  readLog: () => Promise<string>,
): Promise<string | undefined> {
  if (await hasAccount(dataFolder)) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const log = await readLog()
    const start = log.slice(log.lastIndexOf(' listens on '))
    const link = /https?:\/\/\S+\/setup\?key=\w+/.exec(start)?.[0]
    if (link) return link
    await Bun.sleep(PAUSE_MS)
  }
  return ''
}

async function hasAccount(dataFolder: string): Promise<boolean> {
  try {
    using database = openReader(join(dataFolder, DATABASE_FILE))
    return await anyPerson(database.read)
  } catch {
    // Closed to this user: the log decides.
    return false
  }
}
