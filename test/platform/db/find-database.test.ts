import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../../src/platform/db/backup.ts'
import { openDataFolder, requireKnownFolder } from '../../../src/platform/db/data-folder.ts'
import { findDatabase } from '../../../src/platform/db/find-database.ts'
import { inspectFolder } from '../../../src/platform/db/inspect-folder.ts'
import { killedFolder } from '../../support/killed-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Names and bytes of a folder; SQLite's index of a log is a cache, which any reader builds anew. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path, Bun.hash(readFileSync(path)).toString()]),
  )
}

const inFolder = (folder: string) => ({
  db: join(folder, 'beckon.db'),
  wal: join(folder, 'beckon.db-wal'),
  shm: join(folder, 'beckon.db-shm'),
})

function flip(path: string, at: number) {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}

const DAMAGES: Array<[string, (folder: string) => void, string]> = [
  ['an empty beckon.db', (to) => truncateSync(inFolder(to).db, 0), 'is empty, but beckon.db-wal'],
  ['a missing beckon.db', (to) => rmSync(inFolder(to).db), 'is missing, but beckon.db-'],
  [
    'a missing one whose log is empty',
    (to) => {
      rmSync(inFolder(to).db)
      truncateSync(inFolder(to).wal, 0)
    },
    'is missing, but beckon.db-',
  ],
  ['a log with another magic number', (to) => flip(inFolder(to).wal, 0), 'is damaged'],
  ['a log with another salt', (to) => flip(inFolder(to).wal, 17), 'the checksum of its header'],
  ['a log of zeros', (to) => writeFileSync(inFolder(to).wal, Buffer.alloc(20_000)), 'is damaged'],
  [
    'a link to nothing',
    (to) => {
      for (const path of Object.values(inFolder(to))) rmSync(path)
      symlinkSync('/no/such/disk/beckon.db', inFolder(to).db)
    },
    'is a link to /no/such/disk/beckon.db',
  ],
  [
    'a folder in its place',
    (to) => {
      for (const path of Object.values(inFolder(to))) rmSync(path)
      mkdirSync(inFolder(to).db)
    },
    'is not a file',
  ],
  [
    'only what a restore has kept',
    (to) => {
      const { db, wal, shm } = inFolder(to)
      copyFileSync(db, `${db}.before-restore-2026-01-01T000000.000Z`)
      for (const path of [db, wal, shm]) rmSync(path)
    },
    'is missing, but beckon.db.before-restore-',
  ],
  [
    'only snapshots',
    (to) => {
      const { db, wal, shm } = inFolder(to)
      mkdirSync(join(to, 'snapshots'))
      copyFileSync(db, join(to, 'snapshots', 'beckon.db.2026-01-01T030000Z'))
      for (const path of [db, wal, shm]) rmSync(path)
    },
    'is missing, but snapshots/beckon.db.2026',
  ],
  [
    'a text in its place',
    (to) => {
      const { db, wal, shm } = inFolder(to)
      for (const path of [wal, shm]) rmSync(path)
      writeFileSync(db, 'no database '.repeat(500))
    },
    'is not a database',
  ],
]

test.each(DAMAGES)(
  'a folder that shows signs of a database which cannot be told: %s is refused, and nothing is changed',
  async (_what, damage, says) => {
    using temporary = tempFolder()
    const folder = await killedFolder(temporary.path)
    damage(folder)
    const before = contents(folder)
    const refuses = { code: 'unavailable', message: expect.stringContaining(says) }
    expect(findDatabase(folder)).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining(says),
    })
    const copy = join(temporary.path, 'copy.db')
    for (const work of [
      () => openDataFolder(folder),
      () => requireKnownFolder(folder),
      () => backUp(folder, copy, { replace: false }),
    ]) {
      expect(work).toThrow(expect.objectContaining(refuses))
    }
    const { database } = inspectFolder(folder, Number.POSITIVE_INFINITY)
    expect(database).toMatchObject({ state: 'unknown', reason: expect.stringContaining(says) })
    expect(contents(folder)).toEqual(before)
  },
)

test('rows that are only in the log of a killed server are found', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const before = contents(folder)
  expect(findDatabase(folder).state).toBe('present')
  const { database } = inspectFolder(folder, Number.POSITIVE_INFINITY)
  expect(database).toMatchObject({ state: 'read', damage: undefined, missing: [] })
  expect(contents(folder)).toEqual(before)
  await openDataFolder(folder)[Symbol.asyncDispose]()
  using reader = new Database(join(folder, 'beckon.db'), { readonly: true })
  expect(reader.query('select count(*) from kept').values()).toEqual([[3]])
})

test.each<[string, (folder: string) => void]>([
  ['no folder', (to) => rmSync(to, { recursive: true })],
  ['an empty folder', () => {}],
  ['a first start that was cut off', (to) => writeFileSync(inFolder(to).db, '')],
  [
    'a first start that was cut off in its first write',
    (to) => {
      writeFileSync(inFolder(to).db, '')
      const journal = Buffer.alloc(512)
      journal.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
      writeFileSync(`${inFolder(to).db}-journal`, journal)
    },
  ],
  ['a restore that was cut off', (to) => writeFileSync(`${inFolder(to).db}.part`, 'SQLite')],
  ['settings', (to) => writeFileSync(join(to, 'beckon.toml'), '')],
])('%s is a first start', async (_what, prepare) => {
  using temporary = tempFolder()
  const folder = join(temporary.path, 'data')
  mkdirSync(folder)
  prepare(folder)
  expect(findDatabase(folder)).toEqual({ state: 'absent' })
  await openDataFolder(folder)[Symbol.asyncDispose]()
  expect(findDatabase(folder).state).toBe('present')
})

test('looking into a folder adds no file to it', async () => {
  using temporary = tempFolder()
  const folder = join(temporary.path, 'data')
  await openDataFolder(folder)[Symbol.asyncDispose]()
  const before = readdirSync(folder)
  expect(inspectFolder(folder, Number.POSITIVE_INFINITY).database.state).toBe('read')
  expect(readdirSync(folder)).toEqual(before)
})

// Only root can look as somebody else.
const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)('a folder of another user is told from one without a database', async () => {
  using temporary = tempFolder()
  const folder = join(temporary.path, 'data')
  await openDataFolder(folder)[Symbol.asyncDispose]()
  chmodSync(temporary.path, 0o755)
  process.seteuid?.(65_534)
  try {
    expect(findDatabase(folder)).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/belongs to the user root, and this runs as nobody/),
      cure: expect.stringContaining('sudo -u root'),
    })
    expect(() => requireKnownFolder(folder)).toThrow('belongs to the user root')
  } finally {
    process.seteuid?.(0)
  }
})
