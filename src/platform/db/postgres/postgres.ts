import type { OpenDb } from '../database.ts'
import { createBuilders } from './builders.ts'
import { createWrites, type WriteParts } from './writes.ts'

export type Parts = Omit<WriteParts, 'perform'>

/** PostgreSQL as the stores see it, without opening and closing. */
export type PostgresView = Omit<OpenDb, 'place' | 'migrated' | typeof Symbol.asyncDispose> & {
  /** Resolves when no grouped write is waiting or under way. */
  drained(): Promise<void>
}

export function createPostgresDb(parts: Parts): PostgresView {
  const { pool, changes } = parts
  const { read, orm, perform } = createBuilders(pool)
  const { waiting, ...writes } = createWrites({ ...parts, perform })
  return { ...writes, read, orm, changes, queued: () => pool.busy() + waiting() }
}
