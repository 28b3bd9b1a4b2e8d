import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import type { Db } from '../db/database.ts'
import { settings } from '../db/settings-table.ts'
import { Failure } from '../kernel/failure.ts'

/** `/healthz`: the process is alive. `/readyz`: it can serve, since its database answers. */
export function healthRoutes({ db, closing }: { db: Db; closing: AbortSignal }) {
  return new Elysia()
    .get('/healthz', () => Response.json({ status: 'ok' }))
    .get('/readyz', async () => {
      if (closing.aborted) throw new Failure('unavailable', 'The server is shutting down.')
      await checkDatabase(db)
      return Response.json({ status: 'ready' })
    })
}

async function checkDatabase(db: Db) {
  try {
    await db.read
      .select({ one: sql<number>`1`.mapWith(Number) })
      .from(settings)
      .limit(1)
  } catch (cause) {
    throw new Failure('unavailable', 'The database does not answer; the log says why.', { cause })
  }
}
