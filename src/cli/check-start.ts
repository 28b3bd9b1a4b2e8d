import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXIT, type Starters } from '../platform/command.ts'
import type { Config, DatabaseConfig } from '../platform/config/config.ts'
import { backUp } from '../platform/db/backup.ts'
import { isKnownFolder } from '../platform/db/data-folder.ts'
import { DATABASE_FILE } from '../platform/db/find-database.ts'
import { CHECK_PREFIX } from '../platform/db/sweep-data-folder.ts'
import { Failure } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { VERSION } from '../platform/program.ts'
import { temporaryFolder } from '../platform/temporary-folder.ts'
import { note, say } from '../platform/terminal/terminal.ts'
import { refuseBesideService } from './service/beside-service.ts'

// The paths that people, clients and monitors request first; each reads the database.
const ASKED = ['/readyz', '/sign-in', '/openapi.json']
const ANSWER_MS = 30_000

/**
 * `beckon serve --check`: starts on a copy of the data, migrates the copy, sends itself a few
 * requests and ends. Nothing is sent to anybody, and the data itself is only read, even while
 * another server uses it. For PostgreSQL it only reports whether this version can serve the
 * database. Throws a `Failure` with the reason if this version could not serve the data.
 */
export async function checkStart(
  config: Config,
  { startApp }: Pick<Starters, 'startApp'>,
  log: Log,
): Promise<number> {
  if (config.database) return await checkDatabase(config.database)
  await refuseBesideService(config)
  const { dataFolder } = config
  const hasData = isKnownFolder(dataFolder)
  // There is more likely room for a copy beside the database than in the folder for temporary
  // files.
  using copy = hasData
    ? temporaryFolder(dataFolder, CHECK_PREFIX)
    : temporaryFolder(tmpdir(), `beckon-${CHECK_PREFIX}`)
  if (hasData) backUp(dataFolder, join(copy.path, DATABASE_FILE), { replace: false })
  const alone = {
    host: '127.0.0.1',
    port: 0,
    dataFolder: copy.path,
    catalog: { ...config.catalog, probes: false },
    https: undefined,
  }
  const app = await startApp({ ...config, ...alone }, { log, jobs: false })
  try {
    for (const path of ASKED) await requireAnswer(app.url, path)
  } finally {
    await app.stop()
  }
  const on = hasData ? `a copy of ${dataFolder}` : 'an empty folder'
  say(`beckon ${VERSION} starts and answers on ${on}.`)
  return EXIT.done
}

/** PostgreSQL cannot be copied for a check, so no server is started on it. */
async function checkDatabase(database: DatabaseConfig): Promise<number> {
  const { inspectPostgres } = await import('../platform/db/postgres/inspect.ts')
  const { place, isKnown, missing, warnings } = await inspectPostgres(database)
  for (const warning of warnings) note(warning)
  const changed = isKnown ? missing.join(', ') : 'its tables'
  const then = missing.length === 0 ? 'is up to date' : `gets ${changed} at the start`
  say(`beckon ${VERSION} can serve ${place}, which ${then}.`)
  return EXIT.done
}

async function requireAnswer(url: string, path: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const response = await fetch(new URL(path, url), { redirect: 'manual', signal }).catch(() => null)
  await response?.body?.cancel()
  // A request may redirect to the sign-in, or to the set-up of the first account.
  if (response && response.status < 400) return
  const problem = response ? `answers ${path} with ${response.status}` : `does not answer ${path}`
  throw new Failure('unavailable', `beckon ${VERSION} starts, but ${problem}.`)
}
