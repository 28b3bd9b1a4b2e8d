import { expect, test } from 'bun:test'
import { chmodSync, chownSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tightenFolder } from '../../../src/platform/db/tighten-folder.ts'
import { createLog } from '../../../src/platform/log.ts'
import { startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SERVICE = 65_534
const isRoot = process.getuid?.() === 0
const modeOf = (path: string) => statSync(path).mode & 0o7777

function written() {
  const lines: string[] = []
  const log = createLog({ format: 'json', level: 'info', write: (line) => void lines.push(line) })
  return { log, readLines: () => lines.filter((line) => line.includes('data folder')) }
}

test('a server closes the data folder that an earlier version made for everybody to look into', async () => {
  const { log, readLines } = written()
  await using started = await startedApp({
    log,
    fill: async (folder) => {
      writeFileSync(join(folder, 'beckon.toml'), 'log_level = "info"')
      chmodSync(folder, 0o755)
    },
  })
  expect(modeOf(started.dataFolder)).toBe(0o700)
  expect(readLines()).toHaveLength(1)
  expect(readLines()[0]).toContain(started.dataFolder)
})

test.skipIf(!isRoot)(
  'the folder of another user stays, with a warning, and is served',
  async () => {
    const { log, readLines } = written()
    await using started = await startedApp({
      log,
      fill: async (folder) => {
        chownSync(folder, SERVICE, SERVICE)
        chmodSync(folder, 0o755)
      },
    })
    expect(modeOf(started.dataFolder)).toBe(0o755)
    expect(readLines()).toHaveLength(1)
    expect(readLines()[0]).toContain('another owner')
    expect((await fetch(`${started.app.url}/healthz`)).status).toBe(200)
  },
)

const KEPT: Array<[what: string, mode: number, holds: string[], outcome: string]> = [
  ['closed already', 0o700, [], 'as_it_was'],
  ['opened to a group by somebody', 0o750, ['beckon.db'], 'as_it_was'],
  ['shared by all, like /tmp', 0o1777, ['beckon.db'], 'open'],
  ['holding what is not of Beckon', 0o755, ['beckon.db', 'index.html'], 'open'],
]
test.each(KEPT)('a folder %s keeps its mode', (_what, mode, holds, outcome) => {
  using folder = tempFolder()
  for (const name of holds) writeFileSync(join(folder.path, name), '')
  chmodSync(folder.path, mode)
  expect(tightenFolder(folder.path).outcome).toBe(outcome as 'open')
  expect(modeOf(folder.path)).toBe(mode)
})

test('behind a link it is the folder that is closed; where there is none, nothing is said', () => {
  using folder = tempFolder()
  using beside = tempFolder()
  chmodSync(folder.path, 0o775)
  const link = join(beside.path, 'data')
  symlinkSync(folder.path, link)
  expect(tightenFolder(link).outcome).toBe('closed')
  expect(modeOf(folder.path)).toBe(0o700)
  expect(tightenFolder(join(beside.path, 'none')).outcome).toBe('as_it_was')
})
