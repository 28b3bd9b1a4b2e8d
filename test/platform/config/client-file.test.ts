import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  clientFilePath,
  findClientServer,
  readClientFile,
  stateFolder,
  writeClientFile,
} from '../../../src/platform/config/client-file.ts'
import { configReader } from '../../../src/settings.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FILE = { url: 'https://beckon.example.com', token: 'bk_one', machineId: 'm_1' }

test('what setup writes is read back, and is its owner’s alone', () => {
  using home = tempFolder()
  const env = { HOME: home.path }
  writeClientFile({ ...FILE, hookWaitSeconds: 20 }, env)
  expect(readClientFile(env)).toEqual({ ...FILE, hookWaitSeconds: 20 })
  expect(clientFilePath(env)).toBe(join(home.path, '.config/beckon/client.json'))
  expect(statSync(clientFilePath(env)).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(clientFilePath(env))).mode & 0o777).toBe(0o700)
})

test('the folders are those of XDG, unless they are relative', () => {
  const env = { HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada', XDG_STATE_HOME: 'state' }
  expect(clientFilePath(env)).toBe('/etc/ada/beckon/client.json')
  expect(stateFolder(env)).toBe('/home/ada/.local/state/beckon')
})

test('the environment wins, and a token does not follow to another server', () => {
  using home = tempFolder()
  const env = { HOME: home.path }
  writeClientFile(FILE, env)
  const other = { ...env, BECKON_URL: 'https://elsewhere.example.com' }
  expect(findClientServer(env)).toEqual(FILE)
  expect(findClientServer(other)).toEqual({
    url: 'https://elsewhere.example.com',
    token: undefined,
    machineId: 'm_1',
  })
  expect(findClientServer({ ...other, BECKON_TOKEN: 'bk_two' })?.token).toBe('bk_two')
  expect(findClientServer({ ...env, BECKON_TOKEN: 'bk_two' })).toEqual({ ...FILE, token: 'bk_two' })
  expect(configReader.readClientConfig(env)).toEqual({ url: FILE.url, token: FILE.token })
  expect(configReader.readClientConfig(other)).toEqual({ url: other.BECKON_URL, token: undefined })
})

test.each([
  '',
  '{',
  '[]',
  'null',
  '{"url":1}',
  '{"url":"ftp://x","token":"a","machineId":"b"}',
  '{"url":"https://x","token":"","machineId":"b"}',
])('a file that says %p is none', (text) => {
  using home = tempFolder()
  const env = { HOME: home.path }
  mkdirSync(dirname(clientFilePath(env)), { recursive: true })
  writeFileSync(clientFilePath(env), text)
  expect(readClientFile(env)).toBeUndefined()
  expect(findClientServer(env)).toBeUndefined()
})

test('what is no small regular file is no client file, and keeps nobody waiting', () => {
  using home = tempFolder()
  const env = { HOME: home.path }
  const path = clientFilePath(env)
  mkdirSync(dirname(path), { recursive: true })
  Bun.spawnSync(['mkfifo', path])
  expect(readClientFile(env)).toBeUndefined()
  rmSync(path)
  symlinkSync('/dev/zero', path)
  expect(readClientFile(env)).toBeUndefined()
  rmSync(path)
  writeFileSync(path, JSON.stringify({ ...FILE, note: ' '.repeat(65_536) }))
  expect(readClientFile(env)).toBeUndefined()
  writeFileSync(path, JSON.stringify({ ...FILE, note: ' '.repeat(60_000) }))
  expect(readClientFile(env)).toEqual(FILE)
})

test('what is no small regular file gives a variable no value, and is named where somebody can be told', () => {
  using home = tempFolder()
  const fifo = join(home.path, 'fifo')
  const long = join(home.path, 'long')
  Bun.spawnSync(['mkfifo', fifo])
  writeFileSync(long, 'a'.repeat(65_537))
  for (const [path, why] of [
    ['/dev/zero', 'is not a regular file'],
    [fifo, 'is not a regular file'],
    [long, 'is longer than 64 KiB'],
  ] as const) {
    const env = { HOME: home.path, BECKON_URL_FILE: path }
    expect(findClientServer(env)).toBeUndefined()
    expect(() => configReader.readClientConfig(env)).toThrow(
      `BECKON_URL_FILE names ${path}, which ${why}.`,
    )
  }
})
