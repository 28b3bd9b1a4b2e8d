import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { findVulnerabilities } from '../../../src/catalog/uses/osv.ts'
import { readDump } from '../../../src/catalog/uses/osv-dump.ts'
import type { Use } from '../../../src/catalog/uses/use.ts'
import { Failure } from '../../../src/platform/failure.ts'
import { tempFolder } from '../../support/temp-folder.ts'

type Part = {
  name: string
  text: string
  size?: number
  sum?: number
  flags?: number
  method?: number
}

const entry = (id: string, name = 'mail', ecosystem = 'npm') =>
  JSON.stringify({
    id,
    summary: 'Sends what it should not.',
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
      },
    ],
  })

/** An archive as the format is written down, and as a liar would write it. */
function zipOf(parts: readonly Part[], how: { wide?: boolean; overlap?: boolean } = {}): Buffer {
  const locals: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const { name, text, flags = 0, method = 8, ...lie } of parts) {
    const plain = Buffer.from(text)
    const packed = method === 8 ? deflateRawSync(plain) : plain
    const [sum, size] = [lie.sum ?? crc32(plain), lie.size ?? plain.length]
    const path = Buffer.from(name)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(path.length, 26)
    const row = Buffer.alloc(46)
    row.writeUInt32LE(0x02014b50, 0)
    row.writeUInt16LE(flags, 8)
    row.writeUInt16LE(method, 10)
    row.writeUInt32LE(sum, 16)
    row.writeUInt32LE(packed.length, 20)
    row.writeUInt32LE(size, 24)
    row.writeUInt16LE(path.length, 28)
    row.writeUInt32LE(how.overlap ? 0 : at, 42)
    if (!how.overlap || locals.length === 0) {
      locals.push(head, path, packed)
      at += head.length + path.length + packed.length
    }
    list.push(row, path)
  }
  const rows = Buffer.concat(list)
  const wide = Buffer.alloc(how.wide ? 76 : 0)
  if (how.wide) {
    wide.writeUInt32LE(0x06064b50, 0)
    wide.writeBigUInt64LE(BigInt(rows.length), 40)
    wide.writeBigUInt64LE(BigInt(at), 48)
    wide.writeUInt32LE(0x07064b50, 56)
    wide.writeBigUInt64LE(BigInt(at + rows.length), 64)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(how.wide ? 0xffff : parts.length, 10)
  end.writeUInt32LE(how.wide ? 0xffffffff : rows.length, 12)
  end.writeUInt32LE(how.wide ? 0xffffffff : at, 16)
  return Buffer.concat([...locals, rows, wide, end])
}

function idsIn(bytes: Uint8Array): string[] {
  using folder = tempFolder()
  const path = join(folder.path, 'all.zip')
  writeFileSync(path, bytes)
  return [...readDump(path)].map((one) => (one as { id: string }).id)
}

const FILES = [
  { name: 'V-1.json', text: entry('V-1') },
  { name: 'V-2.json', text: entry('V-2', 'other'), method: 0 },
]

test('an archive is read file by file, packed or not, with 64-bit numbers too', () => {
  expect(idsIn(zipOf(FILES))).toEqual(['V-1', 'V-2'])
  expect(idsIn(zipOf(FILES, { wide: true }))).toEqual(['V-1', 'V-2'])
  expect(
    idsIn(
      zipOf([
        { name: 'a/', text: '', method: 0 },
        { name: 'READ.md', text: '?' },
      ]),
    ),
  ).toEqual([])
  expect(idsIn(zipOf([]))).toEqual([])
})

test.skipIf(!Bun.which('zip'))('an archive that zip wrote is read', async () => {
  using folder = tempFolder()
  mkdirSync(join(folder.path, 'all'))
  for (const { name, text } of FILES) writeFileSync(join(folder.path, 'all', name), text)
  const path = join(folder.path, 'all.zip')
  const zip = Bun.spawn(['zip', '-q', '-r', path, '.'], { cwd: join(folder.path, 'all') })
  expect(await zip.exited).toBe(0)
  expect([...readDump(path)].map((one) => (one as { id: string }).id).sort()).toEqual([
    'V-1',
    'V-2',
  ])
})

test('names of files are never paths', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'all.zip')
  const names = ['../../../evil.json', '/etc/evil.json', 'C:\\evil.json', 'a\0b.json']
  writeFileSync(path, zipOf(names.map((name, n) => ({ name, text: entry(`V-${n}`) }))))
  expect([...readDump(path)]).toHaveLength(4)
  expect([...new Bun.Glob('**').scanSync({ cwd: folder.path })]).toEqual(['all.zip'])
})

test.each([
  ['says that it is smaller than it is', zipOf([{ ...FILES[0], size: 10 } as Part])],
  ['says that it is larger than it is', zipOf([{ ...FILES[0], size: 9_999 } as Part])],
  ['has another sum', zipOf([{ ...FILES[0], sum: 1 } as Part])],
  ['has a password', zipOf([{ ...FILES[0], flags: 1 } as Part])],
  ['is packed in another way', zipOf([{ ...FILES[0], method: 14 } as Part])],
  ['would unpack to gigabytes', zipOf([{ ...FILES[0], size: 0xfffffff0 } as Part])],
  [
    'has files that overlap',
    zipOf(
      Array.from({ length: 50 }, () => FILES[0] as Part),
      { overlap: true },
    ),
  ],
  ['is cut off', zipOf(FILES).subarray(0, -8)],
  ['has a list beyond its end', zipOf(FILES).subarray(80)],
  ['has a file that is not JSON', zipOf([{ name: 'V-1.json', text: '{"id":' }])],
])('an archive that %s is refused with a sentence', (_, bytes) => {
  const file =
    bytes.toString('latin1', 0, 2) === 'PK' ? bytes : Buffer.concat([Buffer.from('PK'), bytes])
  expect(() => idsIn(file)).toThrow(/^(The ZIP archive was not read|"V-1\.json" is no OSV dump)/)
})

test('an archive with other bytes anywhere is read or refused', () => {
  const whole = zipOf(FILES, { wide: true })
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of changes) bytes[at] = byte
      if (bytes.toString('latin1', 0, 2) !== 'PK') return
      try {
        idsIn(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
      }
    }),
  )
})

test('a bomb is refused without being unpacked', () => {
  const bomb = zipOf([{ name: 'V-1.json', text: ' '.repeat(17 * 1024 * 1024) }])
  expect(bomb.length).toBeLessThan(20_000)
  expect(() => idsIn(bomb)).toThrow('unpacks to too much')
})

test('registries of which no dump has anything are named, and a lock goes before a range', () => {
  const use = (name: string, registry: 'npm' | 'pypi', version?: string): Use => ({
    ...{ file: version ? 'package-lock.json' : 'package.json', line: 1, kind: 'package' },
    ...{ registry, name },
    ...(version === undefined ? {} : { version }),
  })
  const entries = [JSON.parse(entry('V-1')), JSON.parse(entry('V-2', 'loose'))]
  const uses = [
    ...[use('mail', 'npm'), use('mail', 'npm', '1.3.0'), use('mail', 'npm', '1.1.0')],
    ...[use('loose', 'npm'), use('requests', 'pypi', '2.0.0')],
  ]
  const { vulnerable, unsure, notCovered } = findVulnerabilities(entries, uses)
  expect(vulnerable.map(({ use: one }) => (one.kind === 'package' ? one.version : ''))).toEqual([
    '1.1.0',
  ])
  expect(unsure.map(({ id }) => id)).toEqual(['V-2'])
  expect(notCovered).toEqual(['pypi'])
})
