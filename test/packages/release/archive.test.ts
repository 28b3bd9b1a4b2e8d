import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  below,
  file,
  folder,
  gzip,
  program,
  tar,
  zip,
  zstd,
} from '../../../packages/release/archive.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ENTRIES = below('beckon-1', [
  program('beckon', '#!/bin/sh\necho ran\n'),
  file('LICENSE', 'text\n'),
  file('empty', ''),
])

function sh(folder: string, command: string): string {
  const child = Bun.spawnSync(['sh', '-c', command], { cwd: folder })
  return `${child.stdout}${child.stderr}`
}

test('tar unpacks what was packed: modes, empty files and folders', () => {
  using work = tempFolder()
  writeFileSync(join(work.path, 'a.tar.gz'), gzip(tar([folder('beckon-1', 0o700), ...ENTRIES])))
  expect(sh(work.path, 'tar xzf a.tar.gz && ./beckon-1/beckon && cat beckon-1/LICENSE')).toBe(
    'ran\ntext\n',
  )
  expect(sh(work.path, 'stat -c "%a %s" beckon-1 beckon-1/beckon beckon-1/empty')).toMatch(
    /^700 \d+\n755 19\n644 0\n$/,
  )
})

test('nothing in an archive says who made it, when or where', () => {
  expect(gzip(tar(ENTRIES))).toEqual(gzip(tar(ENTRIES)))
  expect(zip(ENTRIES)).toEqual(zip(ENTRIES))
  const listed = Bun.spawnSync(['tar', 'tvf', '-', '--utc', '--numeric-owner'], {
    stdin: tar(ENTRIES),
  })
  const owners = listed.stdout.toString().trim().split('\n')
  expect(owners).toHaveLength(ENTRIES.length)
  for (const line of owners) expect(line).toMatch(/ 0\/0 .* 1980-01-01 00:00 /)
})

test('gzip, zstd and zip give back the bytes', async () => {
  const bytes = Buffer.from('beckon '.repeat(10_000))
  expect(Buffer.from(Bun.gunzipSync(new Uint8Array(gzip(bytes))))).toEqual(bytes)
  expect(Buffer.from(Bun.zstdDecompressSync(zstd(bytes)))).toEqual(bytes)
})

const UNZIP = Bun.which('unzip') ?? Bun.which('python3')

test.skipIf(!UNZIP)('zip is what others unpack', () => {
  using work = tempFolder()
  writeFileSync(join(work.path, 'a.zip'), zip(ENTRIES))
  const unpack = Bun.which('unzip') ? 'unzip -q a.zip' : 'python3 -m zipfile -e a.zip .'
  expect(sh(work.path, `${unpack} && sh ./beckon-1/beckon && cat beckon-1/LICENSE`)).toBe(
    'ran\ntext\n',
  )
  const tested = Bun.which('unzip') ? 'unzip -tq a.zip' : 'python3 -m zipfile -t a.zip'
  expect(sh(work.path, tested)).toMatch(/No errors|Done testing/)
})

test('a path that does not fit is refused', () => {
  expect(() => tar([file('a'.repeat(101), '')])).toThrow('too long')
})
