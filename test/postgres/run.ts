import { join } from 'node:path'
import { SQL } from 'bun'
import { migratePostgres } from '../../src/platform/db/postgres/migrate.ts'
import { NO_POSTGRES, postgresPrograms, startCluster } from '../support/postgres-cluster.ts'
import { TEMPLATE } from '../support/test-database.ts'

/**
 * Runs tests on a PostgreSQL server of their own: `bun run test:postgres [FILE …]`. Exits with the
 * code of `bun test`, with 2 where PostgreSQL is missing.
 */
const ROOT = join(import.meta.dir, '../..')
// What stands on the database and can be given another.
const ALL = ['test/contract', 'test/postgres']

if (!postgresPrograms()) {
  console.error(NO_POSTGRES)
  process.exit(2)
}
await using cluster = await startCluster()
const sql = new SQL(cluster.url(), { max: 1 })
await sql.unsafe(`create database ${TEMPLATE}`)
await sql.close()
await migratePostgres(cluster.url(TEMPLATE))

const given = process.argv.slice(2)
const child = Bun.spawn(
  [
    ...[process.execPath, 'test', '--no-isolate', '--timeout', '60000'],
    // bunfig.toml passes these files over.
    ...['--path-ignore-patterns', 'node_modules/**'],
    ...(given.length > 0 ? given : ALL.map((folder) => `./${folder}/`)),
  ],
  {
    cwd: ROOT,
    env: { ...process.env, TEST_POSTGRES: cluster.url() },
    stdio: ['inherit', 'inherit', 'inherit'],
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exitCode = await child.exited
