import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { setItem } from '../../../src/catalog/importers/edit-list.ts'
import { setFields } from '../../../src/catalog/importers/edit-yaml.ts'
import { writePlan } from '../../../src/catalog/importers/write-plan.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importerOf, importInto, planned, record } from './import-world.ts'

// A folder is read several times for each place at which a run may stop.
setDefaultTimeout(120_000)

let temp: ReturnType<typeof tempFolder>
let folder: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

const importer = importerOf(...['one', 'two'].map((slug) => record(slug)))
const texts = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => [it.name, readFileSync(join(it.parentPath, it.name), 'utf8')])
    .sort()

test('wherever it stops the folder is in order, and the next run finishes it', async () => {
  const whole = join(temp.path, 'whole')
  cpSync(folder, whole, { recursive: true })
  await importInto(whole, importer)
  const count = (await planned(folder, importer)).files.size
  for (let stop = 1; stop < count; stop++) {
    const broken = join(temp.path, `broken-${stop}`)
    cpSync(folder, broken, { recursive: true })
    const plan = await planned(broken, importer)
    const stopAt = (done: number) => {
      if (done === stop) throw new Error('stopped')
    }
    expect(() => writePlan(broken, plan, stopAt)).toThrow('stopped')
    expect((await loadFolder(broken)).problems).toEqual([])
    await importInto(broken, importer)
    expect(texts(broken)).toEqual(texts(whole))
  }
})

test('a file that somebody saved meanwhile is kept', async () => {
  await importInto(folder, importer)
  const changed = importerOf(record('one', { license: 'MIT' }), record('two', { license: 'MIT' }))
  const plan = await planned(folder, changed)
  const path = join(folder, 'tools/one.yaml')
  const mine = `${readFileSync(path, 'utf8')}# mine\n`
  writeFileSync(path, mine)
  expect(writePlan(folder, plan, () => {})).toEqual(['tools/one.yaml'])
  expect(readFileSync(path, 'utf8')).toBe(mine)
  expect(readFileSync(join(folder, 'tools/two.yaml'), 'utf8')).toContain('license: MIT')
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is named', async () => {
  mkdirSync(join(folder, 'tools'))
  chmodSync(join(folder, 'tools'), 0o500)
  const plan = await planned(folder, importer)
  expect(() => writePlan(folder, plan, () => {})).toThrow('cannot be written')
  chmodSync(join(folder, 'tools'), 0o700)
})

test.each([
  ['in its place', 'a:  1 # one\nb: 2\n', 'a: 3 # one\nb: 2\n'],
  ['of a list', 'a:\n  - 1\n  - 2 # two\n# b\nb: 2\n', 'a: 3\n# b\nb: 2\n'],
  ['of a text over lines', 'a: |\n  x\n\n  y\nb: 2\n', 'a: 3\nb: 2\n'],
  ['of what is not there', 'b: 2 # two', 'b: 2 # two\na: 3\n'],
  ['before the sources', 'b: 2\n\n# from\nsources: []\n', 'b: 2\na: 3\n\n# from\nsources: []\n'],
  ['with the line ends of Windows', 'a: 1\r\nb: 2\r\n', 'a: 3\r\nb: 2\r\n'],
  ['of a mapping in one line', '{ a: 1, b: 2 }\n', '{ a: 3, b: 2 }\n'],
  ['of an empty value', 'a:\nb: 2\n', 'a: 3\nb: 2\n'],
])('an edit: %s touches nothing else', (_, before, after) => {
  expect(setFields(before, [{ field: 'a', value: 3 }])).toBe(after)
})

test.each([
  ['behind a list', 'l:\n- {a: 1} # one\nb: 2\n', 'l:\n- {a: 1} # one\n- a: 3\nb: 2\n'],
  [
    'behind a deep one',
    'l:\n    -   a: 1\n        b: 2\n',
    'l:\n    -   a: 1\n        b: 2\n    - a: 3\n',
  ],
  ['where there is none', 'b: 2', 'b: 2\nl:\n  - a: 3\n'],
  ['where it is empty', 'l: []\nb: 2\n', 'l: [ { a: 3 } ]\nb: 2\n'],
])('an edit of an item %s touches nothing else', (_, before, after) => {
  expect(setItem(before, { field: 'l', item: { a: 3 } })).toBe(after)
})

test('an edit puts an item in the place of another', () => {
  const before = 'l:\n  # first\n  - a: 1\n    b: 2\n  - a: 2 # two\nb: 2\n'
  const after = 'l:\n  # first\n  - a: 3\n  - a: 2 # two\nb: 2\n'
  expect(setItem(before, { field: 'l', item: { a: 3 }, at: 0 })).toBe(after)
})
