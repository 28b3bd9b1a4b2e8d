import { expect, test } from 'bun:test'
import { linkSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { startedApp } from '../../support/started-app.ts'

const LONG_AGO = new Date(0)

test('the start of a server removes what killed checks and restores left in its folder', async () => {
  const fill = async (folder: string) => {
    await openDataFolder(folder)[Symbol.asyncDispose]()
    const check = mkdtempSync(join(folder, 'check-'))
    utimesSync(check, LONG_AGO, LONG_AGO)
    linkSync(join(folder, 'beckon.db'), join(folder, 'beckon.db.before-restore-2026-01-31T030000Z'))
    writeFileSync(join(folder, 'beckon.db.before-restore-2026-01-30T030000Z'), 'an older database')
    for (const name of ['beckon.db.part', 'beckon.db.part-journal', 'beckon.db.moving-wal']) {
      writeFileSync(join(folder, name), 'half')
    }
    const backups = ['beckon.db.before-9.9.9-2026-01-31T030000.000Z.part', 'beckon.db.mine.part']
    for (const name of backups) writeFileSync(join(folder, name), 'half')
    // The other backup is being written now.
    utimesSync(join(folder, backups[0] ?? ''), LONG_AGO, LONG_AGO)
  }
  await using started = await startedApp({ fill })
  const ours = /^check-|^beckon\.db\.(?!wal|shm)/
  const left = readdirSync(started.dataFolder).filter((name) => ours.test(name))
  expect(left.sort()).toEqual([
    'beckon.db.before-restore-2026-01-30T030000Z',
    'beckon.db.mine.part',
  ])
})
