import type { Tx } from '../../platform/db/database.ts'
import { createPostSender, type PostDeps, type PostSender } from '../callbacks/post-sender.ts'
import { lapsePost, settlePost } from './model/post-store.ts'
import { findWatch, stopWatches } from './model/store.ts'
import { watchPosts } from './model/table.ts'
import type { WatchId } from './model/watch.ts'

/** Posts news to programs as callbacks are posted; a watch whose address fails is stopped. */
export function createNewsSender(deps: PostDeps): PostSender {
  const { db, holder } = deps
  return createPostSender(deps, {
    table: watchPosts,
    async secretsOf({ watchId }) {
      const watch = await findWatch(db.read, watchId)
      return watch?.secret === undefined ? [] : [watch.secret]
    },
    async settle(tx, { id, watchId }, settled) {
      await settlePost(tx, holder, { id, ...settled })
      if (settled.state === 'gone') await stop(tx, watchId, settled.at, GONE)
      if (settled.state === 'lapsed') await stop(tx, watchId, settled.at, LAPSED)
    },
    async lapse(tx, { id, watchId }, end) {
      await lapsePost(tx, holder, { id, ...end })
      await stop(tx, watchId, end.at, LAPSED)
    },
  })
}

const GONE = 'The receiver asked not to be sent it again (410).'
const LAPSED = 'The receiver did not accept news for a day.'

async function stop(tx: Tx, id: WatchId, at: number, why: string): Promise<void> {
  await stopWatches(tx, { id }, { at, why })
}
