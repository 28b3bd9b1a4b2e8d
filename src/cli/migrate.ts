import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '../platform/command.ts'
import { POSTGRES_URL } from '../platform/config/values.ts'
import { isKnownFolder, requireKnownFolder } from '../platform/db/data-folder.ts'
import type { Moved, OnProgress } from '../platform/db/move/move.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { WrongUsage } from '../platform/failure.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { progress } from '../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

const OPTIONS = {
  ...DATA_OPTION,
  to: { type: 'string' },
  from: { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** `beckon migrate`: migrates the database, or copies it to PostgreSQL or back. */
export async function migrate(args: string[]): Promise<number> {
  const { data, to, from, force = false, json = false } = readArguments(args, OPTIONS)
  const config = readConfig({ data })
  if (to !== undefined && from !== undefined) {
    throw new WrongUsage('--to and --from are two directions; give one of them.')
  }
  if (to === undefined && from === undefined) {
    if (force || json) throw new WrongUsage('--force and --json belong to --to and --from.')
    return await bringUpToDate(config)
  }
  const folder = config.dataFolder
  // PostgreSQL is only loaded by commands that use it.
  const { moveToFolder, moveToPostgres } = await import('../platform/db/move/move.ts')
  const isWatched = isTerminal(2) && !json
  const bars = {
    copied: progress('rows copied', isWatched),
    compared: progress('rows compared', isWatched),
  }
  const end = () => {
    for (const bar of Object.values(bars)) bar.end()
  }
  const onProgress: OnProgress = (stage, done, of, table) => {
    if (stage === 'compared') bars.copied.end()
    bars[stage].step(done, of, table)
  }
  try {
    if (to !== undefined) {
      const url = address('--to', to)
      const moved = await moveToPostgres({ folder, url, replace: force, onProgress })
      end()
      report(moved, `the PostgreSQL database ${safeUrl(url)}`, json)
      note('Set BECKON_DATABASE_URL to that address with its password, and start the servers.')
      for (const name of LEFT.filter((name) => existsSync(join(folder, name)))) {
        note(`${join(folder, name)} is not in it.`)
      }
    } else {
      const url = address('--from', from)
      const moved = await moveToFolder({ folder, url, onProgress })
      end()
      report(moved, folder, json)
      if (moved.kept) note(`What was there before is kept as ${moved.kept}.`)
      note('Unset BECKON_DATABASE_URL, and start the server.')
    }
  } finally {
    end()
  }
  return EXIT.done
}

// The content of a data folder that is not moved with the database: settings, and certificates of --domain.
const LEFT = ['beckon.toml', 'https']

async function bringUpToDate(config: ReturnType<typeof readConfig>): Promise<number> {
  await refuseBesideService(config)
  if (!config.database) requireOwnFolder(config.dataFolder)
  await using db = await openDatabase(config)
  const applied = db.migrated.length === 0 ? '' : `; applied ${db.migrated.join(', ')}`
  say(`${db.place} is up to date${applied}.`)
  return EXIT.done
}

// A new file system has the last one.
const NO_DATA: ReadonlySet<string> = new Set([...LEFT, 'lost+found'])

/**
 * An empty folder becomes a data folder. Any other folder without a database was mistyped; throws
 * `not_found` for it.
 */
function requireOwnFolder(folder: string): void {
  if (isKnownFolder(folder)) return
  const names = namesIn(folder)
  if (!names?.every((name) => NO_DATA.has(name))) requireKnownFolder(folder)
}

/** Undefined if there is no such folder. If it cannot be used, opening the database says why. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : []
  }
}

function address(option: string, text: string | undefined): string {
  const url = POSTGRES_URL.read(text ?? '')
  if (url === undefined) throw new WrongUsage(`${option} must be ${POSTGRES_URL.must}.`)
  return url
}

/** An address without its password. */
function safeUrl(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

function report({ tables, mended }: Moved, place: string, json: boolean): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  if (json) {
    say(JSON.stringify({ rows, tables, mended }))
    return
  }
  const full = tables.filter((table) => table.rows > 0)
  say(
    `${rows} rows of ${full.length} tables are in ${place} now; counts and checksums of every table agree.`,
  )
  if (mended > 0) {
    note(
      `${mended} texts had a character that PostgreSQL cannot keep (U+0000); it is U+FFFD there.`,
    )
  }
}
