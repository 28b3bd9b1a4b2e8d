import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../src/platform/db/backup.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { findDatabase } from '../../src/platform/db/find-database.ts'
import { keptRows, killedFolder } from '../support/killed-folder.ts'
import { PROGRAM } from '../support/program.ts'
import { isWide } from '../support/share.ts'
import { tempFolder } from '../support/temp-folder.ts'

// All that changes a name, removes a file or waits for the disk; in the wide run every write too.
const NAMES = 'rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,ftruncate'
const CALLS = isWide ? `${NAMES},pwrite64,write` : NAMES
const MOST = 5_000

/** Runs `beckon restore` and kills it at its `n`th call; whether it came that far. */
function killedAt(n: number, folder: string, file: string): boolean {
  const { exitCode, signalCode } = Bun.spawnSync(
    [
      ...['strace', '-f', '-o', '/dev/null', '-e', `trace=${CALLS}`],
      ...['-e', `inject=${CALLS}:signal=SIGKILL:when=${n}`],
      ...[...PROGRAM, 'restore', file, '--data', folder],
    ],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  if (exitCode !== 0 && signalCode !== 'SIGKILL' && exitCode !== 137) {
    throw new Error(`restore ended with ${exitCode ?? signalCode}`)
  }
  return exitCode !== 0
}

type After = 'old' | 'new' | 'refused'

/** What the next start finds, once it has opened the folder. */
async function nextStart(folder: string): Promise<After> {
  if (findDatabase(folder).state === 'unknown') return 'refused'
  await openDataFolder(folder)[Symbol.asyncDispose]()
  using database = new Database(join(folder, 'beckon.db'), { readonly: true })
  const [table] = database.query("select 1 from sqlite_master where name = 'restored'").values()
  if (table) return 'new'
  expect(keptRows(join(folder, 'beckon.db'))).toBe(3)
  return 'old'
}

/** What the restore has replaced is beside it, with its rows or with its log. */
function requireKept(folder: string) {
  const names = readdirSync(folder).filter((name) => name.startsWith('beckon.db.before-restore-'))
  const isWhole = names.some((name) =>
    name.endsWith('-wal')
      ? statSync(join(folder, name)).size > 0
      : !name.endsWith('-shm') && keptRows(join(folder, name)) === 3,
  )
  expect(isWhole).toBe(true)
}

async function backupOf(parent: string): Promise<string> {
  const folder = join(parent, 'other')
  await openDataFolder(folder)[Symbol.asyncDispose]()
  {
    using database = new Database(join(folder, 'beckon.db'))
    database.run('create table restored (n integer)')
  }
  const file = join(parent, 'backup.db')
  backUp(folder, file, { replace: false })
  return file
}

async function killEverywhere(spoil: (folder: string) => void): Promise<After[]> {
  using temporary = tempFolder()
  const saved = await killedFolder(temporary.path)
  spoil(saved)
  const file = await backupOf(temporary.path)
  const folder = join(temporary.path, 'tried')
  const after: After[] = []
  for (let n = 1; n < MOST; n++) {
    rmSync(folder, { recursive: true, force: true })
    cpSync(saved, folder, { recursive: true })
    const isKilled = killedAt(n, folder, file)
    const found = await nextStart(folder)
    if (found === 'new') requireKept(folder)
    after.push(found)
    if (!isKilled) return after
  }
  throw new Error('restore does not end')
}

const canTrace = Bun.which('strace') !== null

test.skipIf(!canTrace)(
  'a restore that is killed at any call leaves the old database with its log, or the new one',
  async () => {
    const after = await killEverywhere(() => {})
    expect(after.length).toBeGreaterThan(10)
    expect(after.at(-1)).toBe('new')
    expect(new Set(after)).toEqual(new Set(['old', 'new']))
  },
  600_000,
)

test.skipIf(!canTrace)(
  'beside a database that cannot be opened, it leaves the new one or a folder that is refused',
  async () => {
    const after = await killEverywhere((folder) => writeFileSync(join(folder, 'beckon.db'), ''))
    expect(after.at(-1)).toBe('new')
    expect(new Set(after)).toEqual(new Set(['refused', 'new']))
  },
  600_000,
)
