import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import type { Read } from '../database.ts'
import { opening } from './cannot-open.ts'
import { appliedIn } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openPool } from './pool.ts'
import { createPostgresDb } from './postgres.ts'

/** See `lookInto`. */
export async function lookIntoPostgres({
  url,
  listenUrl,
}: DatabaseConfig): Promise<({ read: Read } & AsyncDisposable) | undefined> {
  await using opened = new AsyncDisposableStack()
  const pool = openPool({ url, size: 1, isPooled: listenUrl !== undefined })
  opened.defer(pool.close)
  const address = { url, setting: 'BECKON_DATABASE_URL' }
  const applied = await opening(address, () => appliedIn(pool.query))
  const isOurs = MIGRATIONS.every(({ name }) => applied.has(name))
  if (!isOurs || applied.size !== MIGRATIONS.length) return undefined
  const { read } = createPostgresDb({ pool, changes: createChangeBus(), announce() {} })
  const owned = opened.move()
  return { read, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
