import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { checkStart } from '../../src/cli/check-start.ts'
import { DATABASE_FILE } from '../../src/platform/db/find-database.ts'
import { openListener } from '../../src/platform/http/listener.ts'
import { silentLog as log } from '../../src/platform/log.ts'
import { readConfig } from '../../src/settings.ts'
import { beckon } from '../support/beckon.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

// SQLite makes its journal also for a reader.
const names = (data: string) => readdirSync(data).filter((name) => !/-(wal|shm)$/.test(name))

test('a check starts on a copy: the data is as before, nothing works by itself', async () => {
  using folder = tempFolder()
  const data = folder.path
  await beckon(['key', 'create', '--name', 'kept', '--data', data])
  const before = { names: names(data), bytes: readFileSync(join(data, DATABASE_FILE)) }
  const starts: string[] = []
  const folders: string[] = []
  const more = [{ jobs: [() => ({ [Symbol.dispose]: () => void starts.push('a job') })] }]
  const code = await checkStart(
    readConfig({ data }, {}),
    {
      startApp(config, options) {
        folders.push(config.dataFolder)
        return startApp(config, { ...options, listener: openListener({ ...config, log }), more })
      },
    },
    log,
  )
  expect([code, starts]).toEqual([0, []])
  expect(folders).toEqual([expect.stringMatching(/check-\w+$/)])
  expect(names(data)).toEqual(before.names)
  expect(readFileSync(join(data, DATABASE_FILE)).equals(before.bytes)).toBe(true)
})

test('a check works beside a server that uses the data, which goes on', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(folder.path)
  const { code, out } = await beckon(['serve', '--check', '--data', folder.path])
  expect([code, out]).toEqual([0, expect.stringContaining('starts and answers on a copy of')])
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('data that a newer version has used fails the check in a sentence', async () => {
  using folder = tempFolder()
  const data = folder.path
  await beckon(['key', 'create', '--name', 'kept', '--data', data])
  {
    using database = new Database(join(data, DATABASE_FILE))
    database.run("insert into migrations (name, applied_at) values ('9999_later', 1)")
  }
  const { code, err } = await beckon(['serve', '--check', '--data', data])
  expect([code, err]).toEqual([1, expect.stringContaining('newer version')])
  expect(readdirSync(data).filter((name) => name.startsWith('check-'))).toEqual([])
})
