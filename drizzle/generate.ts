import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api'
import * as tables from './tables.ts'
import { toPg } from './to-pg.ts'

/**
 * `bun run db:generate NAME`: writes the next migration of SQLite and of PostgreSQL, which is what
 * the tables have and `snapshot.json` has not, and the modules that embed all migrations in the
 * program. If the tables are as before, both files are empty, for statements that change rows.
 */
const ROOT = join(import.meta.dir, '..')
const name = process.argv[2]
if (!name || !/^[a-z0-9][a-z0-9-]*$/.test(name)) {
  console.error('Name the migration, in small letters: bun run db:generate answered-on')
  process.exit(2)
}
const file = `${nextNumber()}_${name}.sql`

const { sqlite, postgres } = { sqlite: folderOf('sqlite'), postgres: folderOf('postgres') }
const sqliteNow = await generateSQLiteDrizzleJson(tables, sqlite.snapshot.id)
sqlite.add(await generateSQLiteMigration(sqlite.snapshot, sqliteNow), sqliteNow)
const postgresNow = generateDrizzleJson(toPg(tables), postgres.snapshot.id)
postgres.add(await generateMigration(postgres.snapshot, postgresNow), postgresNow)

embed('sqlite', 'src/platform/db')
embed('postgres', 'src/platform/db/postgres')
console.log(`drizzle/{sqlite,postgres}/${file}`)

function folderOf(dialect: string) {
  const path = join(import.meta.dir, dialect)
  const snapshot = join(path, 'snapshot.json')
  return {
    snapshot: JSON.parse(readFileSync(snapshot, 'utf8')),
    add(statements: readonly string[], now: object) {
      writeFileSync(join(path, file), statements.map((statement) => `${statement}\n`).join(''))
      writeFileSync(snapshot, `${JSON.stringify(now, null, 2)}\n`)
    },
  }
}

function migrationsOf(dialect: string): string[] {
  const files = readdirSync(join(import.meta.dir, dialect))
  return files.filter((name) => name.endsWith('.sql')).sort()
}

function nextNumber(): string {
  const last = migrationsOf('sqlite').at(-1) ?? ''
  return String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
}

/** Writes `migrations.ts` in `folder`: the text of every migration of a dialect. */
function embed(dialect: string, folder: string): void {
  const up = folder.replaceAll(/[^/]+/g, '..')
  const files = migrationsOf(dialect)
  const imports = files.map(
    (file, i) => `import m${i} from '${up}/drizzle/${dialect}/${file}' with { type: 'text' }`,
  )
  const rows = files.map((file, i) => `  { name: '${file.slice(0, -4)}', sql: m${i} },`)
  writeFileSync(
    join(ROOT, folder, 'migrations.ts'),
    `// Written by drizzle/generate.ts.
${imports.join('\n')}

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
${rows.join('\n')}
]
`,
  )
}
