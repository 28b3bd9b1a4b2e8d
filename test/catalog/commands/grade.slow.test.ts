import { expect, test } from 'bun:test'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { beckon } from '../../support/beckon.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function tool(name: string, score: number, more = ''): string {
  const keys = ['security', 'reliability', 'schema', 'ergonomics', 'maintenance', 'transparency']
  keys.push('tasks')
  const scores = keys.map((key) => `  ${key}: { score: ${score}, reason: Seen. }\n`).join('')
  return `name: ${name}
vendor: example
kind: framework
category: messaging
summary: It sends messages.
auth: none
pricing: free
where: library
assessment: { confidence: high, date: 2026-11-01 }
scores:
${scores}${more}`
}

const OUTAGE = `negatives:
  - { code: outage, points: -5, reason: Away., source: "https://example.com/x", date: 2026-01-01, expires: 2026-12-31 }
`

const FILES = {
  'tools/best.yaml': tool('Best', 9),
  'tools/good.yaml': tool('Good', 7, OUTAGE),
  'tools/unknown.yaml': tool('Unknown', 0).replace(/scores:[\s\S]*/, ''),
}

function grade(folder: string, ...args: string[]) {
  const on = args.includes('--on') ? [] : ['--on', '2026-11-21']
  return beckon(['catalog', 'grade', folder, ...on, ...args])
}

test('beckon catalog grade lists every record, the best first, those without a grade last', async () => {
  using folder = tempFolder()
  writeCatalogFolder(folder.path, FILES)
  const { code, out, err } = await grade(folder.path)
  expect([code, err]).toEqual([0, '2 of 3 records are graded.\n'])
  expect(out.trimEnd().split('\n')).toEqual([
    'RECORD   GRADE  SCORE  RANK  AGENT READY  COVERAGE  GATES',
    'best     AA     90.0   1     yes          100 %',
    'good     B      65.0   2     yes          100 %',
    'unknown  -      -      -     no           0 %',
  ])
})

test('beckon catalog grade lists records as the catalog does: by the grade after gates, then by score', async () => {
  using folder = tempFolder()
  const gone =
    'tool: best\ndate: 2026-12-01\nkind: shutdown\nwhat: It ends.\nsource: https://example.com\n'
  writeCatalogFolder(folder.path, { ...FILES, 'changes/2026/best-ends.yaml': gone })
  const rows = async (...args: string[]) =>
    (await grade(folder.path, ...args)).out
      .split('\n')
      .slice(1, 4)
      .map((row) => row.split(/ +/).slice(0, 4).join(' '))
  expect(await rows()).toEqual(['good B 65.0 1', 'best C 90.0 2', 'unknown - - -'])
  const ended = await rows('--on', '2026-12-01')
  expect(ended).toEqual(['good B 65.0 1', 'unknown - - -', 'best D 90.0 -'])
})

test('grades as of another day', async () => {
  using folder = tempFolder()
  writeCatalogFolder(folder.path, FILES)
  const { out } = await grade(folder.path, '--on', '2027-01-01', '--json')
  const scores = JSON.parse(out).map((one: { slug: string; catalog: { score: number } }) => [
    one.slug,
    one.catalog.score,
  ])
  expect(scores).toEqual([
    ['best', 90],
    ['good', 70],
    ['unknown', null],
  ])
})

test('beckon catalog grade explains a record without a grade', async () => {
  using folder = tempFolder()
  writeCatalogFolder(folder.path, FILES)
  const { out } = await grade(folder.path, '--explain', 'unknown')
  expect(out).toContain('Score: none. Too little is known of it for a grade.')
  expect(out).toContain('Nothing is scored yet.')
  expect(out).not.toContain('to one decimal')
  expect(out).toContain('Coverage: 0 of the 88 that apply is 0 %.')
  expect(out).toMatch(/^performance +8 +- +n\/a +-$/m)
  expect(out).toMatch(/^applies +88 +100\.00 +0\.000$/m)
})

test('beckon catalog grade says what publishing would change', async () => {
  using data = tempFolder()
  using folder = tempFolder()
  writeCatalogFolder(folder.path, FILES)
  const { source } = await loadFolder(folder.path)
  if (!source) throw new Error('the folder is wrong')
  {
    await using db = openDataFolder(data.path)
    await publish({ db, clock: fakeClock() }, source)
  }
  const diff = ['--diff', '--data', data.path]
  const same = await grade(folder.path, ...diff)
  expect([same.code, same.out, same.err]).toEqual([0, '', 'No grade changes.\n'])
  writeCatalogFolder(folder.path, {
    'tools/good.yaml': tool('Good', 8),
    'tools/new.yaml': tool('New', 3),
  })
  const { out } = await grade(folder.path, ...diff)
  expect(out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^RECORD +BEFORE +AFTER +WHAT CHANGED$/),
    expect.stringMatching(
      /^good +B 65\.0 +A 80\.0 +ergonomics 7 → 8, .*deductions -5 → 0, score 65 → 80, grade B → A$/,
    ),
    expect.stringMatching(/^new +- +D 30\.0 +added$/),
  ])
}, 60_000)

test('beckon catalog grade compares two folders', async () => {
  using before = tempFolder()
  using after = tempFolder()
  writeCatalogFolder(before.path, FILES)
  const { 'tools/best.yaml': _, ...rest } = FILES
  writeCatalogFolder(after.path, rest)
  const { out } = await grade(after.path, '--against', before.path, '--json')
  expect(JSON.parse(out)).toEqual([
    {
      slug: 'best',
      before: { score: 90, grade: 'AA', agentReady: true },
      after: null,
      why: ['removed'],
    },
  ])
})

test('beckon catalog grade names what is wrong with a folder, a record or a day, and grades nothing', async () => {
  using folder = tempFolder()
  writeCatalogFolder(folder.path, { 'tools/best.yaml': tool('Best', 11) })
  const broken = await grade(folder.path)
  expect([broken.code, broken.out]).toEqual([1, ''])
  expect(broken.err).toMatch(/tools\/best\.yaml:11:\d+ scores\.security\.score/)
  writeCatalogFolder(folder.path, FILES)
  const nobody = await grade(folder.path, '--explain', 'nobody')
  expect([nobody.code, nobody.out]).toEqual([1, ''])
  expect(nobody.err).toContain('There is no record called nobody')
  expect((await grade(folder.path, '--on', '2026-02-30')).code).toBe(2)
  expect((await grade(folder.path, '--explain', 'best', '--diff')).code).toBe(2)
  expect((await grade(folder.path, 'more')).code).toBe(2)
  expect((await grade(`${folder.path}/nowhere`)).code).toBe(1)
}, 60_000)
