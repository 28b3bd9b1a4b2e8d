import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findServer, serveAlone } from '../../../src/platform/db/only-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ADDRESS = {
  host: '127.0.0.1',
  port: 9_000,
  baseUrl: 'https://beckon.example.com',
  snapshots: { keep: 3, folder: '/snapshots' },
}

test('a server is known by its address for as long as it holds the folder', () => {
  using folder = tempFolder()
  expect(findServer(folder.path)).toEqual({ state: 'none' })
  {
    using alone = serveAlone(folder.path)
    expect(findServer(folder.path)).toMatchObject({ state: 'unknown' })
    alone.announce(ADDRESS)
    expect(findServer(folder.path)).toEqual({ state: 'known', address: ADDRESS })
    expect(() => serveAlone(folder.path)).toThrow('Another Beckon server')
    expect(findServer(folder.path)).toMatchObject({ state: 'known' })
  }
  expect(findServer(folder.path)).toEqual({ state: 'none' })
  expect(existsSync(join(folder.path, 'serving.json'))).toBe(false)
})

test('a lock that is damaged keeps nobody out, so no server starts beside it', () => {
  using folder = tempFolder()
  writeFileSync(
    join(folder.path, 'serving.lock'),
    'not a database, and longer than its header. '.repeat(40),
  )
  expect(findServer(folder.path)).toMatchObject({ state: 'unknown' })
  expect(() => serveAlone(folder.path)).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: expect.stringMatching(/serving\.lock is damaged \(SQLITE_NOTADB\)/),
    }),
  )
})
