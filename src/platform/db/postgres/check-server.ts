import { Failure } from '../../failure.ts'
import type { Query } from './pool.ts'

const VERSION_MIN = 150_000
const CLOCKS_APART_MS = 2_000

/**
 * Checks that a server is suitable before anything is stored in it. Throws `conflict` in one
 * sentence; `warn` is called with what works, but not as it should.
 */
export async function checkServer(query: Query, warn: (sentence: string) => void): Promise<void> {
  const sentAt = Date.now()
  const [row] = await query(LOOK, [])
  const now = (sentAt + Date.now()) / 2
  const [version, written, encoding, isReplica, commits, flushes, clock] = row as ServerRow
  if (version < VERSION_MIN) {
    throw new Failure('conflict', `PostgreSQL ${written} is too old; Beckon needs 15 or newer.`)
  }
  if (encoding !== 'UTF8') {
    throw new Failure(
      'conflict',
      `The database is encoded as ${encoding}; make one with: create database beckon encoding 'UTF8' template template0.`,
    )
  }
  if (isReplica) {
    throw new Failure(
      'conflict',
      'This PostgreSQL server is a replica and takes no writes; BECKON_DATABASE_URL must lead to the primary.',
    )
  }
  if (commits === 'off' || flushes === 'off') {
    const name = flushes === 'off' ? 'fsync' : 'synchronous_commit'
    warn(`${name} is off in PostgreSQL: if it crashes, answers that were confirmed may be lost.`)
  }
  const apart = Math.round(Math.abs(clock - now))
  if (apart > CLOCKS_APART_MS) {
    warn(
      `The clocks of this machine and of PostgreSQL are ${(apart / 1_000).toFixed(1)} s apart; deadlines of questions come from both. Set them by NTP.`,
    )
  }
}

type ServerRow = [number, string, string, boolean, string, string, number]

const LOOK = `select current_setting('server_version_num')::int, current_setting('server_version'),
  current_setting('server_encoding'), pg_is_in_recovery(), current_setting('synchronous_commit'),
  current_setting('fsync'), (extract(epoch from clock_timestamp()) * 1000)::float8`

/**
 * Throws `conflict` if the direct address leads to another database than the pooler: tables would
 * be created there, and nobody would receive changes.
 */
export async function requireSameDatabase(through: Query, straight: Query): Promise<void> {
  const [[there], [here]] = await Promise.all([through(WHICH, []), straight(WHICH, [])])
  const [name, ...id] = there as Which
  const [other, ...otherId] = here as Which
  if (id.join() === otherId.join()) return
  throw new Failure(
    'conflict',
    `BECKON_DATABASE_LISTEN_URL leads to another database ("${other}") than BECKON_DATABASE_URL ("${name}"); both must be addresses of the same one.`,
  )
}

type Which = [name: string, oid: number, startedAt: number]

// The start time of the server distinguishes two servers whose databases have the same number.
const WHICH = `select current_database()::text,
  (select oid::int8 from pg_database where datname = current_database()),
  (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8`
