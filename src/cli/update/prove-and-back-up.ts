import { join } from 'node:path'
import { isoTime, systemClock } from '../../platform/clock.ts'
import type { Config, DatabaseConfig } from '../../platform/config/config.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { backUp } from '../../platform/db/backup.ts'
import { isKnownFolder } from '../../platform/db/data-folder.ts'
import { dataPlace } from '../../platform/db/data-place.ts'
import { Failure } from '../../platform/failure.ts'
import { VERSION } from '../../platform/program.ts'
import { note } from '../../platform/terminal/terminal.ts'
import { cutText } from '../../platform/text.ts'
import type { Staged } from './replace-program.ts'

const SAID_MAX = 500

/** The path of the backup; data in PostgreSQL must be backed up separately. */
export type Backup =
  | { kind: 'file'; path: string; folder: string }
  | { kind: 'postgres' }
  | { kind: 'none' }

/**
 * Makes the new program show that it can serve the data, and backs the data up if it is in a
 * folder. Throws a `Failure` with its reason if it cannot.
 */
export async function proveAndBackUp(
  staged: Staged,
  version: string,
  config: Config,
): Promise<Backup> {
  const { dataFolder, database } = config
  if (database) {
    note(`Trying ${version} on ${dataPlace(config)} …`)
    await prove(staged, version, config)
    return { kind: 'postgres' }
  }
  if (!isKnownFolder(dataFolder)) {
    note(`There is no data at ${dataFolder}, so none was backed up; --data names another folder.`)
    return { kind: 'none' }
  }
  note(`Trying ${version} on a copy of ${dataFolder} …`)
  await prove(staged, version, config)
  const day = isoTime(systemClock.now()).replaceAll(':', '')
  const path = join(dataFolder, `beckon.db.before-${version}-${day}`)
  backUp(dataFolder, path, { replace: false })
  note(`The data is backed up in ${path}.`)
  return { kind: 'file', path, folder: dataFolder }
}

async function prove({ path }: Staged, version: string, config: Config): Promise<void> {
  const { dataFolder, database } = config
  const tried = Bun.spawn([path, 'serve', '--check', '--data', dataFolder], {
    env: withDatabase(wholeEnvironment(), database),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errorText = cutText((await new Response(tried.stderr).text()).trim(), SAID_MAX)
  if ((await tried.exited) === 0) return
  const data = database ? dataPlace(config) : `the data in ${dataFolder}`
  throw new Failure(
    'unavailable',
    `beckon ${version} cannot serve ${data}: ${errorText || 'it ended without a message'}\nNothing was changed; ${VERSION} goes on.`,
  )
}

/**
 * The database is that of the service, which may differ from the shell's. It is not passed as an
 * option, because others can read a command line.
 */
function withDatabase(env: Environment, database: DatabaseConfig | undefined): Environment {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('BECKON_DATABASE_'))
  return {
    ...Object.fromEntries(others),
    ...(database && { BECKON_DATABASE_URL: database.url }),
    ...(database?.listenUrl && { BECKON_DATABASE_LISTEN_URL: database.listenUrl }),
  }
}
