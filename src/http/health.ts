import { Elysia } from 'elysia'
import type { Db } from '../db/database.ts'
import { readSetting } from '../db/settings-store.ts'
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
    // Any read will do: only that it comes back matters.
    await readSetting(db.read, 'readiness')
  } catch (cause) {
    throw new Failure('unavailable', 'The database does not answer; the log says why.', { cause })
  }
}
