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
  }
  await using started = await startedApp({ fill })
  const left = readdirSync(started.dataFolder).filter((name) => /^check-|before-restore/.test(name))
  expect(left).toEqual(['beckon.db.before-restore-2026-01-30T030000Z'])
})
