import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import type { OpenDb } from '../database.ts'
import { openBell } from './bell.ts'
import { checkServer } from './check-server.ts'
import { postgresFailure } from './errors.ts'
import { placeOf } from './inspect.ts'
import { migratePostgres } from './migrate.ts'
import { openPool } from './pool.ts'
import { createPostgresDb } from './postgres.ts'

export type PostgresOptions = DatabaseConfig & {
  /** False for a command: it tells others of changes and hears of none. */
  listens?: boolean
  /** Called with what works, but not as it should. */
  warn?: (sentence: string) => void
  /** Milliseconds for each step; see `openPool`. */
  deadlineMs?: number
  /** Milliseconds between two looks at what may have been missed. */
  lookMs?: number
}

/**
 * Opens the database at `url`, brought up to date when needed. Throws `unavailable` when it cannot
 * be reached, `conflict` when it cannot be used, each in one sentence.
 */
export async function openPostgres(options: PostgresOptions): Promise<OpenDb> {
  const { url, listenUrl, listens = true, warn = () => {}, deadlineMs, lookMs } = options
  const pool = openPool({
    url,
    size: options.pool,
    isPooled: listenUrl !== undefined,
    ...(deadlineMs !== undefined && { deadlineMs }),
  })
  try {
    await checkServer(pool.query, warn)
    const migrated = await migratePostgres(listenUrl ?? url)
    const changes = createChangeBus()
    const bell = await openBell({
      url: listenUrl ?? url,
      changes,
      listens,
      ...(lookMs !== undefined && { everyMs: lookMs }),
    })
    const { announce } = bell
    return {
      ...createPostgresDb({ pool, changes, announce }),
      place: placeOf(url),
      migrated,
      async [Symbol.asyncDispose]() {
        await pool.close()
        await bell.close()
      },
    }
  } catch (error) {
    await pool.close()
    throw postgresFailure(error)
  }
}
