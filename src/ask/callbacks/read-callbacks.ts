import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { idBody } from '../../platform/ids.ts'
import { idCursor, LIST_SIZE, limitOf, type PageRequest, pageOf } from '../../platform/paging.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Attempt, Callback, CallbackId } from './model/callback.ts'
import { findCallback, listAttempts, listCallbacks } from './model/store.ts'

/** A callback with every attempt, in order. */
export type LoggedCallback = Callback & { log: Attempt[] }

export type CallbackPage = { items: LoggedCallback[]; next?: string }

/**
 * The callbacks of a workspace, newest first. `next` is the cursor of the following page. Throws
 * `malformed` for a cursor that these pages did not give out.
 */
export async function readCallbacks(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  page: PageRequest = {},
): Promise<CallbackPage> {
  const cursor = idCursor(page)
  const limit = limitOf(page, LIST_SIZE)
  const before: CallbackId | undefined = cursor === undefined ? undefined : `cb_${cursor}`
  const rows = await listCallbacks(db.read, workspaceId, { before, limit: limit + 1 })
  const { items, ...rest } = pageOf(rows, limit, ({ id }) => idBody(id))
  return { items: await withLog(db, items), ...rest }
}

/** Throws `not_found`. */
export async function readCallback(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  id: CallbackId,
): Promise<LoggedCallback> {
  const callback = await findCallback(db.read, workspaceId, id)
  const [logged] = await withLog(db, callback ? [callback] : [])
  if (!logged) throw new Failure('not_found', 'There is no such callback here.')
  return logged
}

async function withLog(db: Db, rows: Callback[]): Promise<LoggedCallback[]> {
  const ids = rows.map(({ id }) => id)
  const attempts = Map.groupBy(await listAttempts(db.read, ids), (attempt) => attempt.callbackId)
  return rows.map((callback) => ({ ...callback, log: attempts.get(callback.id) ?? [] }))
}
