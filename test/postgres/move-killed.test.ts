import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { CAN_TRACE, callsOf, killAt, NAMES, WRITES } from '../support/kill-at-call.ts'
import { isKept, killedFolder, nextStart, unfinishedIn } from '../support/killed-folder.ts'
import { PROGRAM } from '../support/program.ts'
import { everyNth, isWide } from '../support/share.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'

// Most calls make the new database, before anything is replaced.
const BEFORE_APART = isWide ? 25 : 100
// Of several hundred.
const WRITES_APART = isWide ? 50 : 300

const isMoved = (database: Database) =>
  database.query("select 1 from agent_tokens where name = 'moved'").values().length > 0

test.skipIf(!TEST_POSTGRES || !CAN_TRACE)(
  'a move from PostgreSQL that is killed at any call leaves the old database with its log, or the new one',
  async () => {
    using temporary = tempFolder()
    await using postgres = await testDatabase()
    const env = { BECKON_DATABASE_URL: postgres.url }
    expect(await beckon(['key', 'create', '--name', 'moved'], { env })).toMatchObject({ code: 0 })
    const saved = await killedFolder(temporary.path)
    const folder = join(temporary.path, 'tried')
    const again = () => {
      rmSync(folder, { recursive: true, force: true })
      cpSync(saved, folder, { recursive: true })
    }
    const command = [...PROGRAM, 'migrate', '--from', postgres.url, '--data', folder]
    again()
    const names = await callsOf(command, NAMES)
    again()
    const writes = await callsOf(command, WRITES)
    const replacing = names.findIndex(({ text }) => text.includes('/beckon.db.part'))
    expect(names.length - replacing).toBeGreaterThan(25)

    const after: Record<string, string> = {}
    for (const call of [
      ...everyNth(names.slice(0, replacing), BEFORE_APART),
      ...names.slice(replacing),
      ...everyNth(writes, WRITES_APART),
    ]) {
      again()
      await killAt(call, command)
      const state = await nextStart(folder, isMoved)
      if (state === 'new') expect([call.text, isKept(folder)]).toEqual([call.text, true])
      after[call.text] = state
      expect([call.text, unfinishedIn(folder)]).toEqual([call.text, []])
    }
    expect(new Set(Object.values(after))).toEqual(new Set(['old', 'new']))
    const renames = Object.entries(after).filter(([text]) => text.startsWith('rename'))
    expect(renames.map(([, outcome]) => outcome)).toEqual(['old'])
  },
  600_000,
)
