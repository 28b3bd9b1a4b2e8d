import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import { placeOf } from '../data-place.ts'
import type { OpenDb } from '../database.ts'
import { type Address, cannotOpen, directTo } from './cannot-open.ts'
import { openChangeRelay } from './change-relay.ts'
import { checkServer, requireSameDatabase } from './check-server.ts'
import { migratePostgres } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { createPostgresDb } from './postgres.ts'
import { requireTlsFiles } from './tls-files.ts'

export type PostgresOptions = DatabaseConfig & {
  /** False for a command, which sends changes to others but receives none. */
  listens?: boolean
  /** True to refuse an empty database instead of creating its tables. */
  mustExist?: boolean
  /** Called with warnings about what works, but not as it should. */
  warn?: (sentence: string) => void
  /** Milliseconds for each step; see `openPool`. */
  deadlineMs?: number
  /** Milliseconds between two checks for missed changes. */
  lookMs?: number
}

/**
 * Opens the database at `url`, migrated if necessary. Throws `unavailable` if it cannot be reached,
 * `conflict` if it cannot be used, `not_found` if it is empty and must not be, each in one
 * sentence.
 */
export async function openPostgres(options: PostgresOptions): Promise<OpenDb> {
  const { url, listenUrl, listens = true, warn = () => {}, deadlineMs, lookMs } = options
  const direct = directTo(options)
  let address: Address = { url, setting: 'BECKON_DATABASE_URL' }
  const pool = openPool({
    url,
    size: options.pool,
    isPooled: listenUrl !== undefined,
    ...(deadlineMs !== undefined && { deadlineMs }),
  })
  try {
    requireTlsFiles(address)
    await checkServer(pool.query, warn)
    address = direct
    requireTlsFiles(address)
    if (listenUrl !== undefined) await requireSame(pool, listenUrl)
    const migrated = await migratePostgres(direct.url, options.mustExist ? direct : undefined)
    const changes = createChangeBus()
    const relay = await openChangeRelay({
      url: direct.url,
      changes,
      listens,
      ...(lookMs !== undefined && { everyMs: lookMs }),
    })
    const { announce } = relay
    const { drained, ...view } = createPostgresDb({ pool, changes, announce })
    return {
      ...view,
      place: placeOf(url),
      migrated,
      async [Symbol.asyncDispose]() {
        await drained()
        await pool.close()
        await relay.close()
      },
    }
  } catch (error) {
    await pool.close()
    throw cannotOpen(error, address)
  }
}

async function requireSame(pool: Pool, listenUrl: string): Promise<void> {
  const straight = openPool({ url: listenUrl, size: 1, isPooled: false })
  try {
    await requireSameDatabase(pool.query, straight.query)
  } finally {
    await straight.close()
  }
}
