import type { Database } from 'bun:sqlite'
import { Failure } from '../failure.ts'
import { MIGRATIONS } from './migrations.ts'

/** A migration as it is embedded: its file name without `.sql`, and its statements. */
export type Migration = { name: string; sql: string }

// What an early build called a migration. A database of it has the same statements under this name.
const EARLIER_NAMES = new Map([['0023_oauth', '0024_oauth']])

/** The migrations that a database has, from its list of them, by the names of this version. */
export function currentNames(names: Iterable<string>): Set<string> {
  return new Set([...names].map((name) => EARLIER_NAMES.get(name) ?? name))
}

/**
 * Applies missing migrations, each in one transaction; returns the names that were applied now.
 * Throws `conflict` for a database that another version has changed, and then changes nothing.
 */
export function migrate(
  connection: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): string[] {
  connection.run(
    'create table if not exists migrations (name text primary key not null, applied_at integer not null)',
  )
  const rows = connection.query<{ name: string }, []>('select name from migrations').all()
  const applied = currentNames(rows.map(({ name }) => name))
  refuseForeign(applied, migrations)
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
export function refuseForeign(
  applied: ReadonlySet<string>,
  migrations: readonly Migration[],
): void {
  const names = new Set(migrations.map(({ name }) => name))
  const foreign = [...applied].filter((name) => !names.has(name))
  if (foreign.length === 0) return
  throw new Failure(
    'conflict',
    `The database was changed by ${makerOf(foreign, migrations)} of Beckon (${foreign.join(', ')}); nothing was touched. Run that one, or restore a backup from before it.`,
  )
}

/** Who made migrations that this program does not know: its numbers rise from version to version. */
export function makerOf(
  foreign: readonly string[],
  migrations: readonly Migration[] = MIGRATIONS,
): 'a newer version' | 'another build' {
  const newest = migrations.at(-1)?.name ?? ''
  return foreign.every((name) => name > newest) ? 'a newer version' : 'another build'
}
