import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../src/platform/db/backup.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { CAN_TRACE, callsOf, killAt, NAMES, WRITES } from '../support/kill-at-call.ts'
import { isKept, killedFolder, nextStart, unfinishedIn } from '../support/killed-folder.ts'
import { PROGRAM } from '../support/program.ts'
import { everyNth, isWide } from '../support/share.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Of several hundred.
const WRITES_APART = isWide ? 20 : 100

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

const isRestored = (database: Database) =>
  database.query("select 1 from sqlite_master where name = 'restored'").values().length > 0

/** What the next start finds after `beckon restore` was killed at each of its calls, in order. */
async function killEverywhere(spoil: (folder: string) => void, namesApart = 1) {
  using temporary = tempFolder()
  const saved = await killedFolder(temporary.path)
  spoil(saved)
  const file = await backupOf(temporary.path)
  const folder = join(temporary.path, 'tried')
  const command = [...PROGRAM, 'restore', file, '--data', folder]
  const again = () => {
    rmSync(folder, { recursive: true, force: true })
    cpSync(saved, folder, { recursive: true })
  }
  again()
  const names = await callsOf(command, NAMES)
  again()
  const writes = await callsOf(command, WRITES)
  const renames = names.filter(({ text }) => text.startsWith('rename'))
  const some = new Set([...everyNth(names, namesApart), ...renames])
  const calls = [...names.filter((call) => some.has(call)), ...everyNth(writes, WRITES_APART)]
  const after: Record<string, string> = {}
  for (const call of calls) {
    again()
    await killAt(call, command)
    const state = await nextStart(folder, isRestored)
    if (state === 'new') expect([call.text, isKept(folder)]).toEqual([call.text, true])
    if (state !== 'refused') {
      expect([call.text, unfinishedIn(folder)]).toEqual([call.text, []])
    }
    after[call.text] = state
    // What was cut off can be done again.
    const { exitCode } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' })
    expect([call.text, exitCode]).toEqual([call.text, 0])
    expect([call.text, await nextStart(folder, isRestored)]).toEqual([call.text, 'new'])
  }
  const of = (name: string) =>
    Object.entries(after).flatMap(([text, outcome]) => (text.startsWith(name) ? [outcome] : []))
  return { all: new Set(Object.values(after)), of, count: calls.length }
}

test.skipIf(!CAN_TRACE)(
  'a restore that is killed at any call leaves the old database with its log, or the new one',
  async () => {
    const after = await killEverywhere(() => {})
    expect(after.count).toBeGreaterThan(25)
    expect(after.all).toEqual(new Set(['old', 'new']))
    // One rename decides.
    expect(after.of('rename')).toEqual(['old'])
  },
  600_000,
)

test.skipIf(!CAN_TRACE)(
  'beside a database that cannot be opened, it leaves the new one or a folder that is refused',
  async () => {
    const spoil = (folder: string) => writeFileSync(join(folder, 'beckon.db'), '')
    const after = await killEverywhere(spoil, 3)
    expect(after.all).toEqual(new Set(['refused', 'new']))
    expect(after.of('rename')).toEqual(['refused', 'refused'])
  },
  600_000,
)
