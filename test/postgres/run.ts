import { join } from 'node:path'
import { Glob, SQL } from 'bun'
import { migratePostgres } from '../../src/platform/db/postgres/migrate.ts'
import { NO_POSTGRES, postgresPrograms, startCluster } from '../support/postgres-cluster.ts'
import { SHORT_LIVED } from '../support/short-lived.ts'
import { TEMPLATE } from '../support/test-database.ts'

/**
 * Runs tests on a PostgreSQL server of their own: `bun run test:postgres [--share] [FILE …]`; other
 * options go to `bun test`. Exits with its code, with 2 where PostgreSQL is missing.
 */
const ROOT = join(import.meta.dir, '../..')
const FOLDERS = ['contract', 'postgres', 'ask/questions', 'ask/mcp', 'ask/http']
// They copy, read or spoil the file of SQLite; single tests that do so are `onSqlite`.
const ON_SQLITE = [
  'test/ask/http/forged-requests.slow.test.ts',
  'test/ask/http/hostile-doors.slow.test.ts',
  'test/ask/http/hostile-surfaces.test.ts',
  'test/ask/http/storage.test.ts',
  'test/ask/http/who-may-call.test.ts',
  'test/ask/mcp/literal-model.slow.test.ts',
  'test/ask/mcp/revoked-token.test.ts',
  'test/ask/questions/result-rows.test.ts',
]
/** What a run of everything takes a share of. */
const SHARE = [
  'test/contract/database.test.ts',
  'test/contract/questions.test.ts',
  'test/contract/deliveries.test.ts',
  'test/contract/people.test.ts',
  'test/contract/votes.test.ts',
  'test/postgres/bell.test.ts',
  'test/postgres/engine.test.ts',
  'test/postgres/servers.test.ts',
]

if (!postgresPrograms()) {
  console.error(NO_POSTGRES)
  process.exit(2)
}
await using cluster = await startCluster()
const sql = new SQL(cluster.url(), { max: 1 })
await sql.unsafe(`create database ${TEMPLATE}`)
await sql.close()
await migratePostgres(cluster.url(TEMPLATE))

const args = process.argv.slice(2).filter((argument) => argument !== '--share')
const hasFile = args.some((argument) => /\btest\//.test(argument))
const files = hasFile ? [] : process.argv.includes('--share') ? SHARE : await allFiles()
const child = Bun.spawn(
  [
    ...[process.execPath, 'test', '--no-isolate', '--timeout', '60000'],
    // bunfig.toml passes these files over.
    ...['--path-ignore-patterns', 'node_modules/**'],
    ...args,
    ...files.map((file) => `./${file}`),
  ],
  {
    cwd: ROOT,
    env: { ...SHORT_LIVED, ...process.env, TEST_POSTGRES: cluster.url() },
    stdio: ['inherit', 'inherit', 'inherit'],
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exitCode = await child.exited

async function allFiles(): Promise<string[]> {
  const paths: string[] = []
  for (const folder of FOLDERS) {
    for await (const path of new Glob(`test/${folder}/**/*.test.{ts,tsx}`).scan(ROOT))
      paths.push(path)
  }
  return paths.filter((path) => !ON_SQLITE.includes(path)).sort()
}
