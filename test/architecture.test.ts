import { describe, expect, test } from 'bun:test'
import packageJson from '../package.json'
import * as imports from './architecture/import-rules.ts'
import { isProduct, type Rule, repositorySources, type Source } from './architecture/sources.ts'
import * as text from './architecture/text-rules.ts'

const sources = await repositorySources()

/** Each rule with a small house that breaks it, so that a rule which has gone blind is noticed. */
const RULES: Array<{ name: string; rule: Rule; broken: Record<string, string> }> = [
  {
    name: 'the platform knows nothing of the products',
    rule: imports.slicesPointDown,
    broken: { 'src/platform/text.ts': "import type { ask } from '../ask/questions/ask-user.ts'" },
  },
  {
    name: 'every folder of src is a known room',
    rule: imports.slicesPointDown,
    broken: { 'src/shared/thing.ts': "import { cut } from '../platform/text.ts'" },
  },
  {
    name: 'the catalog is a slice of its own',
    rule: imports.slicesPointDown,
    broken: { 'src/catalog/feed.ts': "import { x } from '../ask/questions/question.ts'" },
  },
  {
    name: 'the rooms of the catalog import from below',
    rule: imports.catalogPointsDown,
    broken: {
      'src/catalog/publishing/a.ts': "import { readLive } from '../measured/read-live.ts'",
    },
  },
  {
    name: 'every room of the catalog is a known one',
    rule: imports.catalogPointsDown,
    broken: { 'src/catalog/things/a.ts': "import { Live } from '../records/live.ts'" },
  },
  {
    name: 'what imports a catalog and what mirrors one know nothing of each other',
    rule: imports.catalogPointsDown,
    broken: { 'src/catalog/importers/a.ts': "import { x } from '../mirror/importer.ts'" },
  },
  {
    name: 'the question service does not know the catalog',
    rule: imports.slicesPointDown,
    broken: {
      'src/ask/questions/ask-user.ts': "import { x } from '../../catalog/records/tool.ts'",
    },
  },
  {
    name: 'what runs beside an agent sees only the wire of the question service',
    rule: imports.slicesPointDown,
    broken: { 'src/agent/hook/a.ts': "import { x } from '../../ask/questions/store.ts'" },
  },
  {
    name: 'a table is imported by its own noun alone',
    rule: imports.tablesStayAtHome,
    broken: { 'src/ask/delivery/store.ts': "import { x } from '../devices/table.ts'" },
  },
  {
    name: 'the list of tables serves the tools, never the server',
    rule: imports.tableListIsNotImported,
    broken: { 'src/app.ts': "import * as tables from '../drizzle/tables.ts'" },
  },
  {
    name: 'no file imports itself in a circle, through types neither',
    rule: imports.noCycles,
    broken: {
      'src/ask/questions/a.ts': "import type {\n  B,\n} from '../scopes/b.ts'",
      'src/ask/scopes/b.ts': "export { a } from '../questions/a.ts'",
    },
  },
  {
    name: 'Drizzle is spoken in tables, stores and the database alone',
    rule: imports.drizzleStaysInStores,
    broken: { 'src/ask/questions/ask-user.ts': "import { eq } from 'drizzle-orm'" },
  },
  {
    name: 'every file with JSX says that it is for Preact',
    rule: text.jsxSaysWhose,
    broken: { 'src/ask/pages/a.tsx': 'export const A = () => <p />' },
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
    broken: { 'src/platform/a.ts': "import fc from 'fast-check'" },
  },
  {
    name: 'imports end in the name of a file',
    rule: imports.importsNameTheFile,
    broken: { 'src/platform/a.ts': "import { b } from './b'" },
  },
  {
    name: 'only config/env.ts reads the environment',
    rule: text.oneReaderOfTheEnvironment,
    broken: { 'src/ask/mcp/a.ts': 'const port = process.env.PORT' },
  },
  {
    name: 'few files write to the terminal',
    rule: text.fewWriteToTheTerminal,
    broken: { 'src/cli/a.ts': 'console.log(name)' },
  },
  {
    name: 'nouns and flows are handed the time',
    rule: text.timeIsAnArgument,
    broken: { 'src/ask/questions/a.ts': 'const now = Date.now()' },
  },
  {
    name: 'nouns and flows make no date of the present',
    rule: text.timeIsAnArgument,
    broken: { 'src/ask/questions/a.ts': 'const now = new Date()' },
  },
  {
    name: 'stores use no ending that PostgreSQL lacks',
    rule: text.storesAwait,
    broken: { 'src/ask/questions/store.ts': 'read.select().from(questions).get()' },
  },
  {
    name: 'stores never look into a JSON column',
    rule: text.storesLeaveJsonClosed,
    broken: { 'src/ask/questions/store.ts': "sql`json_extract(detail, '$.a')`" },
  },
  {
    name: 'a selected sql template says its type',
    rule: text.sqlTemplatesAreMapped,
    broken: { 'src/ask/questions/store.ts': 'read.select({ n: sql`count(*)` })' },
  },
  {
    name: 'there are no default exports',
    rule: text.noDefaultExports,
    broken: { 'src/platform/a.ts': 'export default 1' },
  },
  {
    name: 'there are no barrels',
    rule: text.noBarrels,
    broken: { 'src/platform/all.ts': "export * from './a.ts'\nexport { b } from './b.ts'\n" },
  },
  {
    name: 'files are named directly, in kebab-case',
    rule: text.filesAreNamedDirectly,
    broken: { 'src/platform/string-utils.ts': '' },
  },
  {
    name: 'a file has at most 400 lines',
    rule: text.filesAreShort,
    broken: { 'src/platform/a.ts': 'x\n'.repeat(401) },
  },
  {
    name: 'no path of a machine is written down',
    rule: text.noPathOfAMachine,
    broken: { 'docs/a.md': 'open /root/beckon' },
  },
  {
    name: 'nothing is put off',
    rule: text.nothingIsPutOff,
    broken: { 'src/platform/a.ts': '// TODO later' },
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
  expect(paths).toContain('src/platform/db/sqlite.ts')
  expect(paths).toContain('test/architecture.test.ts')
  expect(
    sources.filter((source) => imports.roomOf(source.path) === 'platform').length,
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
