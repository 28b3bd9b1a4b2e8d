import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import type { Read } from '../database.ts'
import { opening } from './cannot-open.ts'
import { appliedIn } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openPool } from './pool.ts'
import { createPostgresDb } from './postgres.ts'

/** See `lookInto`. */
export async function lookIntoPostgres(
  database: DatabaseConfig,
): Promise<({ read: Read } & AsyncDisposable) | undefined> {
  await using opened = new AsyncDisposableStack()
  const { pool, missing, foreign } = opened.use(await readMigrationState(database))
  if (missing + foreign > 0) return undefined
  const { read } = createPostgresDb({ pool, changes: createChangeBus(), announce() {} })
  const owned = opened.move()
  return { read, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** See `isBeyondThis`. */
export async function isBeyondThisProgram(database: DatabaseConfig): Promise<boolean> {
  await using state = await readMigrationState(database)
  return state.foreign > 0
}

/** How many migrations of this program it lacks, and how many it has of a newer one. */
async function readMigrationState({ url, listenUrl }: DatabaseConfig) {
  const pool = openPool({ url, size: 1, isPooled: listenUrl !== undefined })
  const close = () => pool.close()
  try {
    const address = { url, setting: 'BECKON_DATABASE_URL' }
    const applied = await opening(address, () => appliedIn(pool.query))
    const count = MIGRATIONS.filter(({ name }) => applied.has(name)).length
    const counts = { missing: MIGRATIONS.length - count, foreign: applied.size - count }
    return { pool, ...counts, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}
