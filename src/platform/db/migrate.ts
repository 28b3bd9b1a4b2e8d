import type { Database } from 'bun:sqlite'
import { Failure } from '../failure.ts'
import { MIGRATIONS } from './migrations.ts'

/** A migration as it is embedded: its file name without `.sql`, and its statements. */
export type Migration = { name: string; sql: string }

/**
 * Applies missing migrations, each in one transaction; returns the names that were applied now.
 * Throws `conflict` for a database that a newer version has changed, and then changes nothing.
 */
export function migrate(
  connection: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): string[] {
  connection.run(
    'create table if not exists migrations (name text primary key not null, applied_at integer not null)',
  )
  const applied = new Set(
    connection
      .query<{ name: string }, []>('select name from migrations')
      .all()
      .map((row) => row.name),
  )
  refuseNewer(applied, migrations)
  const missing = migrations.filter((migration) => !applied.has(migration.name))
  for (const migration of missing) {
    connection
      .transaction(() => {
        // Another process may have applied it while this one waited for the lock.
        const known = connection
          .query('select 1 from migrations where name = ?')
          .get(migration.name)
        if (known) return
        connection.run(migration.sql)
        connection.run('insert into migrations (name, applied_at) values (?, ?)', [
          migration.name,
          Date.now(),
        ])
      })
      .immediate()
  }
  return missing.map((migration) => migration.name)
}

/** Throws `conflict` if the database has a migration that this program does not know. */
export function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const foreign = [...applied].find((name) => !known.has(name))
  if (foreign === undefined) return
  throw new Failure(
    'conflict',
    `The database was changed by a newer version of Beckon (${foreign}); nothing was touched. Run that version, or restore a backup from before it.`,
  )
}
