import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isProduct, linesThatMatch, repositorySources, type Source } from './support/sources.ts'
import { tempFolder } from './support/temp-folder.ts'

const ROOT = join(import.meta.dir, '..')

type Planted = { name: string; rule: string; files: Record<string, string> }

/** Files that biome.json must refuse, each with the rule that refuses it. */
const REFUSED: Planted[] = [
  {
    name: 'the platform knows no word of the products',
    rule: 'noRestrictedImports',
    files: { 'src/platform/a.ts': "export type { Ask } from '../ask/questions/question.ts'" },
  },
  {
    name: 'the question service does not know the catalog',
    rule: 'noRestrictedImports',
    files: { 'src/ask/questions/a.ts': "import '../../catalog/records/tool.ts'" },
  },
  {
    name: 'the catalog does not know the question service',
    rule: 'noRestrictedImports',
    files: { 'src/catalog/a.ts': "const b = await import('../ask/questions/store.ts')\nb()" },
  },
  {
    name: 'beside an agent only the wire of the question service is known',
    rule: 'noRestrictedImports',
    files: { 'src/agent/hook/a.ts': "import '../../ask/questions/store.ts'" },
  },
  {
    name: 'a table is imported by its own feature',
    rule: 'noRestrictedImports',
    files: { 'src/ask/delivery/model/store.ts': "import '../../devices/model/table.ts'" },
  },
  {
    name: 'Drizzle is spoken in tables, stores and the database',
    rule: 'noRestrictedImports',
    files: { 'src/ask/asking/ask-user.ts': "import 'drizzle-orm'" },
  },
  {
    name: 'a table takes its columns from db/columns.ts',
    rule: 'noRestrictedImports',
    files: {
      'src/ask/questions/model/table.ts':
        "import { integer } from 'drizzle-orm/sqlite-core'\nexport const a = integer",
    },
  },
  {
    name: 'no file imports itself in a circle, through types neither',
    rule: 'noImportCycles',
    files: {
      'src/ask/a.ts': "import type { B } from './b.ts'\nexport type A = { b: B }",
      'src/ask/b.ts': "import type { A } from './a.ts'\nexport type B = { a: A }",
    },
  },
  {
    name: 'what runs is a dependency, not a tool of development',
    rule: 'noUndeclaredDependencies',
    files: { 'src/platform/a.ts': "import 'fast-check'" },
  },
  {
    name: 'imports name the file',
    rule: 'useImportExtensions',
    files: {
      'src/platform/a.ts': "import './b'",
      'src/platform/b.ts': 'export const b = 1',
    },
  },
  {
    name: 'there are no barrels',
    rule: 'noBarrelFile',
    files: {
      'src/platform/all.ts': "export * from './b.ts'",
      'src/platform/b.ts': 'export const b = 1',
    },
  },
  {
    name: 'a function has at most 60 lines',
    rule: 'noExcessiveLinesPerFunction',
    files: { 'src/platform/a.ts': `export function a() {\n${'  a()\n'.repeat(61)}}` },
  },
]

// One run over all of them: each stands in a folder of its own with the same settings.
const planted = tempFolder()
afterAll(() => planted[Symbol.dispose]())
for (const [i, { files }] of REFUSED.entries()) {
  const house = join(planted.path, `house-${i}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), `${text}\n`)
  }
  for (const name of ['biome.json', 'names.grit', 'package.json'])
    cpSync(join(ROOT, name), join(house, name))
  writeFileSync(join(house, '.gitignore'), 'node_modules\n')
  symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'))
}

test.concurrent.each(REFUSED.map((row, i) => ({ ...row, i })))('$name', async ({ rule, i }) => {
  const biome = Bun.spawn(
    [join(ROOT, 'node_modules/.bin/biome'), 'lint', '--reporter=github', '--max-diagnostics=50'],
    { cwd: join(planted.path, `house-${i}`), stdout: 'pipe', stderr: 'ignore' },
  )
  const out = await new Response(biome.stdout).text()
  expect(out).toMatch(new RegExp(`[/=]${rule},`))
  expect(await biome.exited).toBe(1)
})

/** Files that the check of folders must refuse, each with a part of what it says. */
const AGAINST_ORDER: Planted[] = [
  {
    name: 'a folder imports no folder after its own',
    rule: 'src/ask/questions/a.ts imports src/ask/inbox/rest.ts: inbox comes after questions',
    files: { 'src/ask/questions/a.ts': "import type { B } from '../inbox/rest.ts'" },
  },
  {
    name: 'a folder that few know imports no folder after its own',
    rule: 'src/ask/permits/a.ts imports src/ask/health/examine.ts: health comes after permits',
    files: { 'src/ask/permits/a.ts': "const b = await import('../health/examine.ts')\nb()" },
  },
  {
    name: 'a folder of the question service has a place in the order',
    rule: 'src/ask/toys has no place',
    files: { 'src/ask/toys/a.ts': "import '../wire/limits.ts'" },
  },
  {
    name: 'the platform imports no product',
    rule: 'src/platform/a.ts imports src/ask/questions/model/store.ts: ask comes after platform',
    files: { 'src/platform/a.ts': "import '../ask/questions/model/store.ts'" },
  },
  {
    name: 'a model imports no use case of its feature',
    rule: 'src/ask/questions/model/a.ts imports src/ask/questions/end-question.ts: a model',
    files: { 'src/ask/questions/model/a.ts': "import '../end-question.ts'" },
  },
  {
    name: 'a model imports no page of another feature',
    rule: 'src/ask/policy/model/a.ts imports src/ask/pages/fact.tsx: a model',
    files: { 'src/ask/policy/model/a.ts': "import type { A } from '../../pages/fact.tsx'" },
  },
  {
    name: 'folders without a set order form no ring',
    rule: 'src/platform: db, mcp import each other',
    files: {
      'src/platform/db/a.ts': "import '../mcp/b.ts'",
      'src/platform/mcp/b.ts': "import '../db/a.ts'",
    },
  },
]

test.concurrent.each(AGAINST_ORDER)('$name', async ({ rule, files }) => {
  using house = tempFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house.path, path)), { recursive: true })
    writeFileSync(join(house.path, path), `${text}\n`)
  }
  const check = Bun.spawn(['bun', join(ROOT, 'test/architecture/check-folders.ts'), house.path], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  expect(await new Response(check.stderr).text()).toContain(rule)
  expect(await check.exited).toBe(1)
})

const sources = await repositorySources()
const isStore = ({ path }: Source) =>
  isProduct({ path, text: '' }) &&
  /(^|[/-])store\.ts$/.test(path) &&
  !path.includes('/platform/db/')

/** What no tool knows of: lines that must not stand in some files. */
const RULES: Array<{ name: string; where(source: Source): boolean; never: RegExp; like: string }> =
  [
    {
      name: 'only config/env.ts reads the environment',
      where: (source) => isProduct(source) && !source.path.endsWith('/config/env.ts'),
      never: /\b(process|Bun|import\.meta)\.env\b/,
      like: 'const port = process.env.PORT',
    },
    {
      name: 'features of the question service are handed the time',
      where: ({ path }) => /^src\/ask\/(?!pages|rest|mcp|home)[^.]*\.tsx?$/.test(path),
      never: /\bDate\.now\(|\bnew Date\(\)/,
      like: 'const now = Date.now()',
    },
    {
      name: 'stores use nothing that PostgreSQL lacks',
      where: isStore,
      never: /\.(get|all|run)\(\)|\b(tx|read|db)\.query\b|\.transaction\(/,
      like: 'read.select().from(questions).get()',
    },
    {
      name: 'stores never look into a JSON column',
      where: isStore,
      never: /json_extract|json_each|->>|jsonb?_/,
      like: "sql`json_extract(detail, '$.a')`",
    },
    {
      name: 'a selected sql template says its type',
      where: isStore,
      never: /(select\(|:\s*sql)(?!.*\.mapWith).*\bsql[`<]|:\s*sql[`<](?!.*\.mapWith)/,
      like: 'read.select({ n: sql`count(*)` })',
    },
    {
      name: 'no command waits for node:tty, which brings streams and sockets, unless it asks for it',
      where: isProduct,
      never: /from 'node:tty'/,
      like: "import { isatty } from 'node:tty'",
    },
    {
      name: 'no path of a machine is written down',
      where: ({ path }) => !path.startsWith('test/fixtures/'),
      never: /(^|[\s'"`(=:])(\/work\/|\/root\/|\/Users\/[^\s$/]+\/|[A-Z]:\\\\?Users)/,
      like: ['open ', 'root', 'beckon'].join('/'),
    },
    {
      name: 'nothing is put off',
      where: ({ path }) => path !== 'test/architecture.slow.test.ts',
      never: /\b(TODO|FIXME)\b/,
      like: 'x() TODO later',
    },
  ]

describe.each(RULES)('$name', ({ where, never, like }) => {
  test('the repository keeps it', () => {
    const looked = sources.filter(where)
    expect(looked.length).toBeGreaterThan(0)
    expect(looked.flatMap((source) => linesThatMatch(source, never))).toEqual([])
  })

  test('a line that breaks it is noticed', () => {
    expect(linesThatMatch({ path: 'a', text: like }, never)).not.toEqual([])
  })
})

test('every file with JSX says that it is for Preact, whatever folder it is run from', () => {
  const silent = sources.filter(
    ({ path, text }) => path.endsWith('.tsx') && !text.startsWith('/** @jsxImportSource preact */'),
  )
  expect(silent.map(({ path }) => path)).toEqual([])
})

test('the rules look at the whole repository', () => {
  const paths = sources.map(({ path }) => path)
  expect(paths).toContain('src/platform/db/sqlite.ts')
  expect(paths).toContain('test/architecture.slow.test.ts')
})
