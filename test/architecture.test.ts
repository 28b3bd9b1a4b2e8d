import { describe, expect, test } from 'bun:test'
import packageJson from '../package.json'
import * as imports from './architecture/import-rules.ts'
import { isProduct, type Rule, repositorySources, type Source } from './architecture/sources.ts'
import * as text from './architecture/text-rules.ts'

const sources = await repositorySources()

/** Each rule with a small house that breaks it, so that a rule which has gone blind is noticed. */
const RULES: Array<{ name: string; rule: Rule; broken: Record<string, string> }> = [
  {
    name: 'imports point down: kernel, config, db, nouns, flows, faces, app, main',
    rule: imports.importsPointDown,
    broken: { 'src/questions/store.ts': "import type { ask } from '../flows/ask-user.ts'" },
  },
  {
    name: 'every folder of src is a known room',
    rule: imports.importsPointDown,
    broken: { 'src/shared/thing.ts': "import { cut } from '../kernel/text.ts'" },
  },
  {
    name: 'the catalog is a slice of its own',
    rule: imports.catalogStandsAlone,
    broken: { 'src/catalog/feed.ts': "import { x } from '../questions/question.ts'" },
  },
  {
    name: 'the rooms of the catalog import from below',
    rule: imports.catalogPointsDown,
    broken: { 'src/catalog/store/a.ts': "import { readLive } from '../measured/read-live.ts'" },
  },
  {
    name: 'every room of the catalog is a known one',
    rule: imports.catalogPointsDown,
    broken: { 'src/catalog/things/a.ts': "import { Live } from '../record/live.ts'" },
  },
  {
    name: 'what measures a catalog and what imports one know nothing of each other',
    rule: imports.catalogPointsDown,
    broken: { 'src/catalog/probes/a.ts': "import { x } from '../importers/importer.ts'" },
  },
  {
    name: 'nothing below the faces knows the catalog',
    rule: imports.catalogStandsAlone,
    broken: { 'src/flows/ask-user.ts': "import { x } from '../catalog/record.ts'" },
  },
  {
    name: 'a table is imported by its own noun alone',
    rule: imports.tablesStayAtHome,
    broken: { 'src/delivery/store.ts': "import { x } from '../subscribers/table.ts'" },
  },
  {
    name: 'the list of tables serves the tools, never the server',
    rule: imports.tableListIsNotImported,
    broken: { 'src/app.ts': "import * as tables from './db/tables.ts'" },
  },
  {
    name: 'no file imports itself in a circle, through types neither',
    rule: imports.noCycles,
    broken: {
      'src/questions/a.ts': "import type {\n  B,\n} from '../scopes/b.ts'",
      'src/scopes/b.ts': "export { a } from '../questions/a.ts'",
    },
  },
  {
    name: 'Drizzle is spoken in tables, stores and the database alone',
    rule: imports.drizzleStaysInStores,
    broken: { 'src/flows/ask-user.ts': "import { eq } from 'drizzle-orm'" },
  },
  {
    name: 'every file with JSX says that it is for Preact',
    rule: text.jsxSaysWhose,
    broken: { 'src/pages/a.tsx': 'export const A = () => <p />' },
  },
  {
    name: 'columns come from db/columns.ts',
    rule: imports.columnsComeFromOnePlace,
    broken: {
      'src/a/table.ts': "import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'",
    },
  },
  {
    name: 'what the server imports is a dependency, not a tool of development',
    rule: imports.onlyRuntimePackages(Object.keys(packageJson.dependencies)),
    broken: { 'src/kernel/a.ts': "import fc from 'fast-check'" },
  },
  {
    name: 'imports end in the name of a file',
    rule: imports.importsNameTheFile,
    broken: { 'src/kernel/a.ts': "import { b } from './b'" },
  },
  {
    name: 'only config/env.ts reads the environment',
    rule: text.oneReaderOfTheEnvironment,
    broken: { 'src/mcp/a.ts': 'const port = process.env.PORT' },
  },
  {
    name: 'few files write to the terminal',
    rule: text.fewWriteToTheTerminal,
    broken: { 'src/cli/a.ts': 'console.log(name)' },
  },
  {
    name: 'nouns and flows are handed the time',
    rule: text.timeIsAnArgument,
    broken: { 'src/flows/a.ts': 'const now = Date.now()' },
  },
  {
    name: 'nouns and flows make no date of the present',
    rule: text.timeIsAnArgument,
    broken: { 'src/questions/a.ts': 'const now = new Date()' },
  },
  {
    name: 'stores use no ending that PostgreSQL lacks',
    rule: text.storesAwait,
    broken: { 'src/questions/store.ts': 'read.select().from(questions).get()' },
  },
  {
    name: 'stores never look into a JSON column',
    rule: text.storesLeaveJsonClosed,
    broken: { 'src/questions/store.ts': "sql`json_extract(detail, '$.a')`" },
  },
  {
    name: 'a selected sql template says its type',
    rule: text.sqlTemplatesAreMapped,
    broken: { 'src/questions/store.ts': 'read.select({ n: sql`count(*)` })' },
  },
  {
    name: 'there are no default exports',
    rule: text.noDefaultExports,
    broken: { 'src/kernel/a.ts': 'export default 1' },
  },
  {
    name: 'there are no barrels',
    rule: text.noBarrels,
    broken: { 'src/kernel/all.ts': "export * from './a.ts'\nexport { b } from './b.ts'\n" },
  },
  {
    name: 'files are named directly, in kebab-case',
    rule: text.filesAreNamedDirectly,
    broken: { 'src/kernel/string-utils.ts': '' },
  },
  {
    name: 'a file has at most 400 lines',
    rule: text.filesAreShort,
    broken: { 'src/kernel/a.ts': 'x\n'.repeat(401) },
  },
  {
    name: 'no path of a machine is written down',
    rule: text.noPathOfAMachine,
    broken: { 'docs/a.md': 'open /root/beckon' },
  },
  {
    name: 'nothing is put off',
    rule: text.nothingIsPutOff,
    broken: { 'src/kernel/a.ts': '// TODO later' },
  },
]

describe.each(RULES)('$name', ({ rule, broken }) => {
  test('the repository keeps it', () => {
    expect(rule(sources)).toEqual([])
  })

  test('a house that breaks it is noticed', () => {
    const house: Source[] = Object.entries(broken).map(([path, text]) => ({ path, text }))
    expect(rule(house)).not.toEqual([])
  })
})

test('the rules look at the whole repository', () => {
  const paths = sources.map((source) => source.path)
  expect(paths).toContain('src/db/sqlite.ts')
  expect(paths).toContain('test/architecture.test.ts')
  expect(
    sources.filter((source) => imports.roomOf(source.path) === 'kernel').length,
  ).toBeGreaterThan(3)
})

test('half of the files of src have at most 80 lines, nine in ten at most 200', () => {
  const lengths = sources
    .filter(isProduct)
    .map((source) => source.text.trimEnd().split('\n').length)
    .sort((a, b) => a - b)
  const at = (share: number) => lengths[Math.floor((lengths.length - 1) * share)] as number
  expect(at(0.5)).toBeLessThanOrEqual(80)
  expect(at(0.9)).toBeLessThanOrEqual(200)
})
