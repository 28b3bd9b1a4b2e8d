import type { Database } from 'bun:sqlite'
import { Failure } from '../failure.ts'
import { MIGRATIONS } from './migrations.ts'

/** A migration as it is embedded: its file name without `.sql`, and its statements. */
export type Migration = { name: string; sql: string }

// The first migration makes what these made, one after the other, until no version had been
// released. `0023_oauth` is what an early build called `0024_oauth`.
const REPLACED = new Set(
  `0000_start 0001_receipts 0002_chat 0003_switches-and-groups 0004_contracts 0005_catalog
  0006_hook-token 0007_measurements 0008_manifests 0009_mirrors 0010_no-counts 0011_token-usage
  0012_call-keys 0013_missed-hooks 0014_reach 0015_tallies 0016_grants 0017_snoozes 0018_permits
  0019_reminders 0020_contained 0021_audit-seals 0022_open-pages 0023_oauth 0023_signed-receipts
  0024_oauth 0025_signed-within 0026_sealed-questions 0027_cheaper-asks 0028_token-of-ended
  0029_open-alone 0030_answered-on 0031_people-gone 0032_joined-calls 0033_notification-keys
  0034_hook-gaps`.split(/\s+/),
)
const LAST_REPLACED = '0034_hook-gaps'
const FIRST = '0035_start'

/**
 * The migrations that a database has, from its list of them, by the names of this version: one that
 * has all replaced migrations has the first one.
 */
export function currentNames(names: Iterable<string>): Set<string> {
  const applied = new Set(names)
  if (!applied.has(LAST_REPLACED)) return applied
  return new Set([FIRST, ...[...applied].filter((name) => !REPLACED.has(name))])
}

/**
 * Returns true if a version of Beckon, this one or another, made a database with these migrations.
 */
export function isOfBeckon(applied: ReadonlySet<string>): boolean {
  return [...applied].some((name) => name === FIRST || REPLACED.has(name))
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
        const database = connection
          .query('select 1 from migrations where name = ?')
          .get(migration.name)
        if (database) return
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
  const { version, cure } = versionOf(foreign, migrations)
  throw new Failure(
    'conflict',
    `The database was changed by ${version}; nothing was touched. ${cure}`,
  )
}

/**
 * Names the version of Beckon that applied migrations which this program does not know, with those
 * migrations, and says what to do. Numbers of migrations rise from version to version.
 */
export function versionOf(
  foreign: readonly string[],
  migrations: readonly Migration[] = MIGRATIONS,
): { version: string; cure: string } {
  if (foreign.every((name) => REPLACED.has(name))) {
    return {
      version: `an early build of Beckon (up to ${[...foreign].sort().at(-1)})`,
      cure: `Run beckon migrate of the last build with ${LAST_REPLACED} on it first, then this one: beckon docs operations.`,
    }
  }
  const newest = migrations.at(-1)?.name ?? ''
  const kind = foreign.every((name) => name > newest) ? 'a newer version' : 'another build'
  return {
    version: `${kind} of Beckon (${foreign.join(', ')})`,
    cure: 'Run that one, or restore a backup from before it.',
  }
}
