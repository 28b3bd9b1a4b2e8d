// The tables of watches: what is watched, the news that were noticed, and what is posted to programs.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../../platform/db/columns.ts'
import { outboxColumns } from '../../../platform/db/outbox-store.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { WatchPostId, WatchPostState } from './post.ts'
import type { WatchedNews, WatchId, WatchKind } from './watch.ts'
import type { News } from './watched-catalog.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    watchPost: true
  }
}

export const watches = sqliteTable(
  'watches',
  {
    id: text<WatchId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id'),
    tokenId: text<TokenId>('token_id'),
    kind: text<WatchKind>('kind').notNull(),
    target: text('target').notNull(),
    records: json<string[]>('records').notNull(),
    news: json<WatchedNews[]>('news').notNull(),
    url: text('url'),
    secret: text('secret'),
    createdAt: instant('created_at').notNull(),
    upTo: count('up_to').notNull(),
    stoppedAt: instant('stopped_at'),
    stoppedWhy: text('stopped_why'),
  },
  (table) => [
    index('watches_person').on(table.workspaceId, table.personId),
    index('watches_token').on(table.tokenId),
    index('watches_up_to').on(table.upTo),
  ],
)

/** The newest item of each subject, in the order in which they were noticed. */
export const watchNews = sqliteTable(
  'watch_news',
  {
    subject: text('subject').primaryKey(),
    number: count('number').notNull(),
    item: json<News>('item').notNull(),
    noticedAt: instant('noticed_at').notNull(),
  },
  (table) => [index('watch_news_number').on(table.number)],
)

/** The outbox: one row for each post to a program. */
export const watchPosts = sqliteTable(
  'watch_posts',
  {
    id: text<WatchPostId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    watchId: text<WatchId>('watch_id').notNull(),
    url: text('url').notNull(),
    origin: text('origin').notNull(),
    body: text('body').notNull(),
    ...outboxColumns<WatchPostState>(),
  },
  (table) => [
    index('watch_posts_watch').on(table.watchId),
    index('watch_posts_due').on(table.state, table.nextAt),
  ],
)
