// The tables of callbacks: the outbox, its attempts, and the secrets that sign them.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, text } from '../../../platform/db/columns.ts'
import { outboxColumns } from '../../../platform/db/outbox-store.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { CallbackId, CallbackState } from './callback.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    callback: true
  }
}

/** The outbox: one row for each answer to be posted. */
export const callbacks = sqliteTable(
  'callbacks',
  {
    id: text<CallbackId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    url: text('url').notNull(),
    origin: text('origin').notNull(),
    body: text('body').notNull(),
    test: flag('test').notNull(),
    ...outboxColumns<CallbackState>(),
  },
  (table) => [
    index('callbacks_question').on(table.questionId),
    index('callbacks_workspace').on(table.workspaceId, table.id),
    index('callbacks_due').on(table.state, table.nextAt),
  ],
)

/** Every attempt, for the log on the callbacks page. */
export const callbackAttempts = sqliteTable(
  'callback_attempts',
  {
    id: text('id').primaryKey(),
    callbackId: text<CallbackId>('callback_id').notNull(),
    at: instant('at').notNull(),
    status: count('status').notNull(),
    error: text('error'),
  },
  (table) => [index('callback_attempts_callback').on(table.callbackId, table.at)],
)

/** The secrets that sign callbacks; a rotated one signs until `endsAt`. */
export const callbackSecrets = sqliteTable(
  'callback_secrets',
  {
    id: text('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    secret: text('secret').notNull(),
    createdAt: instant('created_at').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('callback_secrets_workspace').on(table.workspaceId, table.endsAt)],
)
