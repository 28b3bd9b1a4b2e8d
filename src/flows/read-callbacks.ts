import type { Attempt, Callback } from '../callbacks/callback.ts'
import { findCallback, listAttempts, listCallbacks } from '../callbacks/store.ts'
import type { Db } from '../db/database.ts'
import { Failure } from '../kernel/failure.ts'
import type { CallbackId, WorkspaceId } from '../kernel/ids.ts'

/** A callback with every attempt that was made, the first made first. */
export type LoggedCallback = Callback & { log: Attempt[] }

export type CallbackPage = { items: LoggedCallback[]; next?: string }

const PAGE_DEFAULT = 30
const PAGE_MAX = 100
const CURSOR = /^[0-9a-z]{25}$/

/**
 * The callbacks of a workspace, newest first. `next` is the cursor of the following page.
 * Throws `malformed` for a cursor that none of these pages gave out.
 */
export async function readCallbacks(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  page: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<CallbackPage> {
  const { cursor } = page
  if (cursor !== undefined && !CURSOR.test(cursor)) {
    throw new Failure('malformed', 'That cursor is not one of ours; start again without it.')
  }
  const limit = Math.min(Math.max(1, page.limit ?? PAGE_DEFAULT), PAGE_MAX)
  const before: CallbackId | undefined = cursor === undefined ? undefined : `cb_${cursor}`
  const found = await listCallbacks(db.read, workspaceId, { before, limit: limit + 1 })
  const items = await withLog(db, found.slice(0, limit))
  const last = items.at(-1)
  return found.length > limit && last ? { items, next: last.id.slice('cb_'.length) } : { items }
}

/** Throws `not_found`. */
export async function readCallback(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  id: CallbackId,
): Promise<LoggedCallback> {
  const found = await findCallback(db.read, workspaceId, id)
  const [logged] = await withLog(db, found ? [found] : [])
  if (!logged) throw new Failure('not_found', 'There is no such callback here.')
  return logged
}

async function withLog(db: Db, found: Callback[]): Promise<LoggedCallback[]> {
  const ids = found.map(({ id }) => id)
  const attempts = Map.groupBy(await listAttempts(db.read, ids), (attempt) => attempt.callbackId)
  return found.map((callback) => ({ ...callback, log: attempts.get(callback.id) ?? [] }))
}
