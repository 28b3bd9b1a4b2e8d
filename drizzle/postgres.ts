import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import * as tables from './tables.ts'
import { toPg } from './to-pg.ts'

/**
 * Writes the PostgreSQL counterpart of the latest SQLite migration, under the same name: what is
 * missing since the snapshot of the one before. Statements that change rows instead of tables are
 * written by hand, in both.
 */
const folder = `${import.meta.dir}/postgres`
const latest = readdirSync(`${import.meta.dir}/sqlite`)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .at(-1) as string
const name = latest.slice(0, -4)
const snapshots = `${folder}/meta`
mkdirSync(snapshots, { recursive: true })

if (!existsSync(`${folder}/${latest}`)) {
  const before = readdirSync(snapshots).sort().at(-1)
  const from = before
    ? JSON.parse(readFileSync(`${snapshots}/${before}`, 'utf8'))
    : generateDrizzleJson({})
  const to = generateDrizzleJson(toPg(tables), from.id)
  const statements = await generateMigration(from, to)
  writeFileSync(`${folder}/${latest}`, `${statements.join('\n')}\n`)
  writeFileSync(
    `${snapshots}/${name.slice(0, 4)}_snapshot.json`,
    `${JSON.stringify(to, null, 2)}\n`,
  )
}
