import { isoTime } from '../../../platform/clock.ts'
import { type OutboxFields, unsent } from '../../../platform/db/outbox-store.ts'
import type { Id } from '../../../platform/ids.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { CALLBACK_LIFE_MS, type CallbackState } from '../../callbacks/model/callback.ts'
import type { Watch, WatchId } from './watch.ts'
import type { News } from './watched-catalog.ts'

export type WatchPostId = Id<'wp'>
export type WatchPostState = CallbackState

/** News for the address of a program, as they are stored. */
export type WatchPost = OutboxFields<WatchPostState> & {
  /** The same in every attempt, so that receivers recognise a repeat. */
  id: WatchPostId
  workspaceId: WorkspaceId
  watchId: WatchId
  url: string
  /** The origin of `url`: posts to one server share a queue. */
  origin: string
  /** The body that every attempt sends. */
  body: string
}

/** An item as programs and people get it: `url` is its page on this server. */
export type ShownNews = Omit<News, 'category' | 'capabilities'> & { url: string }

/** The post that tells a program of news, and of watched records that are gone. */
export function postOf(
  watch: Watch & { url: string },
  content: { news: readonly ShownNews[]; gone: readonly string[] },
  id: WatchPostId,
  now: number,
): WatchPost {
  const { id: watchId, workspaceId, url, kind, target } = watch
  const body = { id, type: 'catalog.news', watch: { id: watchId, kind, target }, at: isoTime(now) }
  return {
    ...{ id, workspaceId, watchId, url, origin: URL.parse(url)?.origin ?? url },
    body: JSON.stringify({ ...body, ...content }),
    ...unsent(now, now + CALLBACK_LIFE_MS),
  }
}
