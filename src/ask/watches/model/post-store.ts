import { and, eq, isNotNull, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { type Backlog, lapse, readBacklog, settleRow } from '../../../platform/db/outbox-store.ts'
import type { WatchPost, WatchPostId, WatchPostState } from './post.ts'
import { watchPosts } from './table.ts'
import type { WatchId } from './watch.ts'

/** Queues a post. */
export async function insertPost(tx: Tx, post: WatchPost): Promise<void> {
  await tx.insert(watchPosts).values(post)
}

/** The result of one attempt. */
export type SettledPost = {
  id: WatchPostId
  at: number
  status: number
  error: string | null
  state: WatchPostState
  nextAt: number | undefined
}

/** Records an attempt of `by`, and frees the row for any process once it is due again. */
export async function settlePost(tx: Tx, by: string, settled: SettledPost): Promise<void> {
  const { id, error, ...rest } = settled
  await settleRow(tx, watchPosts, { ids: [id], error: error ?? undefined, ...rest }, by)
}

/** Ends a post whose day was over before it could be tried. */
export async function lapsePost(
  tx: Tx,
  by: string,
  { id, at, reason }: { id: WatchPostId; at: number; reason: string },
): Promise<void> {
  await lapse(tx, watchPosts, { ids: [id], at, reason }, by)
}

/** The posts of a watch. */
export async function listPosts(read: Read, watchId: WatchId): Promise<WatchPost[]> {
  return await read.select().from(watchPosts).where(eq(watchPosts.watchId, watchId))
}

/** Posts that are still to be sent. */
export async function readPostBacklog(read: Read): Promise<Backlog> {
  return readBacklog(read, watchPosts)
}

/** Deletes the posts of a watch. */
export async function deletePosts(tx: Tx, watchId: WatchId): Promise<void> {
  await tx.delete(watchPosts).where(eq(watchPosts.watchId, watchId))
}

/** Deletes posts that ended before an instant. */
export async function deleteOldPosts(tx: Tx, before: number): Promise<void> {
  const { endedAt } = watchPosts
  await tx.delete(watchPosts).where(and(isNotNull(endedAt), lt(endedAt, before)))
}
