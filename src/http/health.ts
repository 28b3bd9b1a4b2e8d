import { Elysia } from 'elysia'
import type { Db } from '../db/database.ts'
import { readSetting } from '../db/settings-store.ts'
import { Failure } from '../kernel/failure.ts'

/** `/readyz`: it can serve, since its database answers. `/healthz` is the listener's. */
export function healthRoutes({ db, closing }: { db: Db; closing: AbortSignal }) {
  return new Elysia().get('/readyz', async () => {
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
