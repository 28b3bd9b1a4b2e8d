// The table of notifications: messages that need no answer.

import { isNotNull, isNull } from 'drizzle-orm'
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'
import type { NotificationContext, SendNotificationResult } from '../../wire/notification-fields.ts'
import type { Targeting } from '../../wire/targeting.ts'
import type { NotificationHeld } from './notification.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    notification: true
  }
}

export const notifications = sqliteTable(
  'notifications',
  {
    id: text<NotificationId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    agentName: text('agent_name'),
    machineId: text('machine_id'),
    sessionId: text('session_id'),
    context: json<NotificationContext>('context'),
    url: text('url'),
    iconUrl: text('icon_url'),
    imageUrl: text('image_url'),
    targeting: json<Targeting>('targeting').notNull(),
    test: flag('test').notNull(),
    questionId: text<QuestionId>('question_id'),
    held: text<NotificationHeld>('held'),
    groupId: text<NotificationId>('group_id'),
    groupSize: count('group_size'),
    createdAt: instant('created_at').notNull(),
    /** By which a retry finds it; null without an id of the call, and once the id was forgotten. */
    key: text('key'),
    /** The result of the call with the key; null until then. */
    result: json<SendNotificationResult>('result'),
    /** The size with its deliveries, as counted for its token. */
    bytes: count('bytes').notNull().default(0),
    /** The link of the audit trail that seals it; null until then. */
    seal: count('seal'),
  },
  (table) => [
    uniqueIndex('notifications_key').on(table.workspaceId, table.key).where(isNotNull(table.key)),
    index('notifications_workspace').on(table.workspaceId, table.id),
    index('notifications_session')
      .on(table.workspaceId, table.sessionId, table.id)
      .where(isNotNull(table.sessionId)),
    index('notifications_token').on(table.tokenId, table.id, table.bytes),
    index('notifications_group').on(table.groupId, table.id).where(isNotNull(table.groupId)),
    index('notifications_unsealed').on(table.id).where(isNull(table.seal)),
  ],
)
